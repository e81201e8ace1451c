// Lets the pages that docc has made work in any folder of a server, and as files. Data are scripts, which files can load too.
"use strict";

(() => {
  const root = new URL(document.currentScript.dataset.root, location.href);
  const isFile = root.protocol === "file:";
  const fetchOther = window.fetch.bind(window);
  window.baseUrl = root.pathname;

  let data;
  window.streamsData = (given) => (data = given);

  function load(url) {
    return new Promise((resolve) => {
      const script = document.createElement("script");
      script.src = url;
      script.onload = () => (script.remove(), resolve(new Response(JSON.stringify(data))));
      script.onerror = () => (script.remove(), resolve(new Response("", { status: 404 })));
      document.head.append(script);
    });
  }

  window.fetch = (what, options) => {
    const url = new URL(what.url ?? what, location.href);
    if (!url.pathname.startsWith(root.pathname) || !url.pathname.endsWith(".json")) return fetchOther(what, options);
    return load(url.href.replace(/(\/index\.html)?\.json.*$/, ".js"));
  };

  // A folder of files has no page of its own.
  function follow(event) {
    const link = event.target.closest?.("a[href]");
    if (!isFile || !link || link.protocol !== "file:" || event.defaultPrevented) return;
    if (!link.pathname.startsWith(root.pathname) || /\.(html|png|svg)$/.test(link.pathname)) return;
    event.preventDefault();
    event.stopPropagation();
    location.assign(link.pathname.replace(/\/?$/, "/index.html") + link.hash);
  }
  document.addEventListener("click", follow, true);

  // Other pages of the site have this in their text. Here the address changes while the page stays.
  document.addEventListener("DOMContentLoaded", () => {
    const style = Object.assign(document.createElement("link"), { rel: "stylesheet", href: new URL("../home.css", root) });
    const home = Object.assign(document.createElement("a"), { className: "way-home", href: new URL("../index.html", root) });
    home.textContent = "Streams";
    document.head.append(style);
    document.body.append(home);
  });
})();
