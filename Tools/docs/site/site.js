// The search of all pages. The index is loaded when it is first needed, as a script: files have no other way to load another.
"use strict";

const ROOT = document.currentScript.dataset.root;
const KINDS = ["All", "Guide", "Swift", "C", "Python"];
const MOST = 50;
let loading;

function load() {
  loading ??= new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = ROOT + "search-index.js";
    script.onload = () => resolve(window.streamsIndex.map(prepared));
    script.onerror = () => reject(new Error("search-index.js cannot be loaded"));
    document.head.append(script);
  });
  return loading;
}

// What is compared: the whole name, its last part without arguments and the like, and the words of that.
function prepared([name, kind, url, said, text]) {
  const whole = name.toLowerCase();
  const last = kind === "Guide" ? whole : whole.split("(")[0].split(".").pop();
  const base = last.replace(/^streams_/, "");
  const words = kind === "Guide" ? whole.split(/[^\p{L}\p{N}_]+/u) : base.split("_");
  return { name, kind, url, said, whole, last, base, words, told: said.toLowerCase(), text: text || "" };
}

function scoreOf(word, entry) {
  if (entry.whole === word || entry.last === word || entry.base === word) return 100;
  if (entry.words.includes(word)) return 60;
  if (entry.base.startsWith(word) || entry.last.startsWith(word)) return 50;
  if (entry.words.some((each) => each.startsWith(word))) return 40;
  if (entry.whole.includes(word)) return 25;
  if (entry.told.includes(word)) return 8;
  return entry.text.includes(word) ? 4 : 0;
}

function found(entries, query, kind) {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const hits = [];
  for (const entry of words.length ? entries : []) {
    if (kind !== "All" && entry.kind !== kind) continue;
    let score = 0;
    for (const word of words) {
      const one = scoreOf(word, entry);
      score = one && score >= 0 ? score + one : -1;
    }
    if (score > 0) hits.push([score, entry]);
  }
  hits.sort((a, b) => b[0] - a[0] || a[1].name.length - b[1].name.length || (a[1].name < b[1].name ? -1 : 1));
  return hits.map((hit) => hit[1]);
}

// The first of each kind come first, so that one language does not hide the others.
function mixed(hits) {
  const first = KINDS.slice(1).flatMap((kind) => hits.filter((hit) => hit.kind === kind).slice(0, 3));
  const early = hits.filter((hit) => first.includes(hit));
  return [...early, ...hits.filter((hit) => !first.includes(hit))].slice(0, MOST);
}

// The words around the first that is found in the text.
function excerpt(entry, query) {
  const word = query.toLowerCase().split(/\s+/).find((each) => each && !entry.whole.includes(each));
  const at = word && !entry.told.includes(word) ? entry.text.indexOf(word) : -1;
  return at < 0 ? entry.said : `… ${entry.text.slice(Math.max(0, at - 50), at + 90)} …`;
}

function element(tag, text, more) {
  const made = document.createElement(tag);
  made.textContent = text;
  return Object.assign(made, more);
}

function shown(hit, query) {
  const link = element("a", "", { href: ROOT + hit.url });
  link.append(element("i", hit.kind), element("b", hit.name), element("span", excerpt(hit, query)));
  return link;
}

function attach(form) {
  const input = form.querySelector("input"), results = form.querySelector(".results");
  let kind = "All", turn = 0;

  async function update() {
    const query = input.value.trim(), mine = ++turn;
    results.hidden = !query;
    if (!query) return;
    let entries;
    try {
      entries = await load();
    } catch (error) {
      results.replaceChildren(element("p", error.message));
      return;
    }
    if (mine !== turn) return; // there is a later one
    const hits = found(entries, query, kind);
    const filters = element("div", "", { className: "filters" });
    for (const each of KINDS) {
      const button = element("button", each, { type: "button", onclick: () => ((kind = each), update(), input.focus()) });
      button.setAttribute("aria-pressed", each === kind);
      filters.append(button);
    }
    const list = (kind === "All" ? mixed(hits) : hits.slice(0, MOST)).map((hit) => shown(hit, query));
    const rest = hits.length > list.length ? [element("p", `${hits.length - list.length} more: another word helps.`)] : [];
    results.replaceChildren(filters, ...(list.length ? list : [element("p", `Nothing is called “${query}”.`)]), ...rest);
  }

  function choose(step) {
    const links = [...results.querySelectorAll("a")];
    const now = links.findIndex((each) => each.classList.contains("chosen"));
    links[now]?.classList.remove("chosen");
    const next = links[Math.min(Math.max(now + step, 0), links.length - 1)];
    next?.classList.add("chosen");
    next?.scrollIntoView({ block: "nearest" });
  }

  input.addEventListener("input", update);
  input.addEventListener("focus", update);
  input.addEventListener("keydown", (event) => {
    if (event.key === "Escape") results.hidden = true;
    else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      choose(event.key === "ArrowDown" ? 1 : -1);
    }
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    (results.querySelector("a.chosen") ?? results.querySelector("a"))?.click();
  });
  document.addEventListener("click", (event) => {
    if (!form.contains(event.target)) results.hidden = true;
  });
  return { input, update };
}

const forms = [...document.querySelectorAll("form.search")].map(attach);
const asked = new URLSearchParams(location.search).get("q");
const main = forms[document.body.classList.contains("landing") ? 1 : 0];
if (asked && main) {
  main.input.value = asked;
  main.update();
}
document.addEventListener("keydown", (event) => {
  if (event.key === "/" && !/^(INPUT|TEXTAREA)$/.test(event.target.tagName)) {
    event.preventDefault();
    main?.input.focus();
  }
});
// Small screens begin with the page, not with the contents of the site.
if (matchMedia("(max-width: 820px)").matches) document.querySelector(".contents")?.removeAttribute("open");
