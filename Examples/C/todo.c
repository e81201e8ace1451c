/*
 * A to-do list in a terminal.
 *
 *     cc todo.c $(pkg-config --cflags --libs ncursesw streams) -o todo && ./todo Milk Bread
 *
 * Up and down move, space marks an item as done, d deletes it, a adds one, tab shows all, those to
 * do, or those done, and q quits. The last line says how many bodies the last update has run.
 */

#include <curses.h>
#include <limits.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <streams.h>
#include <string.h>
#include <wchar.h>

enum { LONGEST = 256 };

/* The parts of the screen, in the order in which show_screen asks for them. */
enum {
    HEADER,
    LIST,
    ENTRY,
    CURSOR,
    PARTS,
};

typedef struct todo {
    streams_observable_object *list; /* has "items" and a "filter": 0 for all, 1 for open, 2 for done */
    streams_scope_tree *tree;
    streams_binding *entry, *cursor; /* states: the text being typed, or null; the number of a row */
    streams_value shown;             /* the contents to draw */
    const streams_value *rows;       /* the part of them with the rows */
    int64_t count, row;              /* the number of rows, and the marked one */
    bool is_over;
} todo;

/* An item is an observable object with a "title" and "done". Its value is its handle. */
static void retain_item(void *item) { (void)streams_retain(item); }
static void release_item(void *item) { (void)streams_release(item); }
static const streams_object_type ITEM = { sizeof ITEM, retain_item, release_item, NULL, NULL };

static streams_value value_of(const streams_observable_object *object, const char *name) {
    streams_value value;
    streams_observable_object_get_value(object, name, &value);
    return value;
}

static bool is_done(const streams_value *item) { return value_of(item->as.object, "done").as.boolean; }

/* ---- The scopes: the parts of the screen ------------------------------------------------------- */

static streams_status show_header(
    void *context, streams_scope *scope, const streams_value *input, streams_value *out) {
    static const char *const filters[] = { "[all] open  done", " all [open] done", " all  open [done]" };
    const todo *self = context;
    streams_value items = value_of(self->list, "items");
    const char *filter = filters[value_of(self->list, "filter").as.integer];
    char text[96];
    size_t done = 0;
    for (size_t i = 0; i < items.size; i++) done += is_done(&items.as.items[i]);
    int length = snprintf(text, sizeof text, "%s   %zu of %u done", filter, done, items.size);
    (void)scope, (void)input, streams_value_destroy(&items);
    return streams_value_string(text, (size_t)length, out);
}

/* How many bytes of a text fit into a number of columns. */
static size_t fitting(const streams_value *text, int64_t columns) {
    size_t used = 0;
    wchar_t character;
    for (int size, width; used < text->size; used += (size_t)size, columns -= width) {
        size = mbtowc(&character, text->as.text + used, text->size - used);
        width = wcwidth(character);
        if (size <= 0 || width < 0 || width > columns || used + (size_t)size > LONGEST) break;
    }
    return used;
}

/* A row shows its item, which is its input, and a text. */
static streams_status show_row(
    void *context, streams_scope *scope, const streams_value *item, streams_value *out) {
    streams_value columns, title = value_of(item->as.object, "title");
    char text[LONGEST + 8];
    (void)context, streams_scope_get_environment_value(scope, "columns", &columns);
    size_t size = fitting(&title, columns.as.integer - 4);
    snprintf(text, sizeof text, "[%c] %.*s", is_done(item) ? 'x' : ' ', (int)size, title.as.text);
    streams_value_destroy(&title);
    return streams_value_list((streams_value[]){ *item, streams_text(text) }, 2, out);
}

/* An item that has a row already keeps it, and its body does not run again. */
static streams_status show_list(
    void *context, streams_scope *scope, const streams_value *input, streams_value *out) {
    const todo *self = context;
    streams_value items = value_of(self->list, "items");
    int64_t filter = value_of(self->list, "filter").as.integer;
    streams_status status = STREAMS_OK;
    for (size_t i = 0; status == STREAMS_OK && i < items.size; i++) {
        const streams_value *item = &items.as.items[i];
        if (filter != 0 && is_done(item) != (filter == 2)) continue;
        status = streams_scope_child(scope, item, item, show_row, NULL, NULL);
    }
    (void)input, (void)out, streams_value_destroy(&items);
    return status;
}

/* A state whose initial value is the input. The context gets its binding, for the keys. */
static streams_status show_state(
    void *context, streams_scope *scope, const streams_value *initial, streams_value *out) {
    streams_binding **binding = context;
    if (*binding == NULL) *binding = streams_scope_state(scope, "state", initial);
    return streams_binding_get_value(*binding, out);
}

static streams_status show_screen(
    void *context, streams_scope *scope, const streams_value *input, streams_value *out) {
    todo *self = context;
    streams_value first = streams_int(0);
    (void)input, (void)out;
    streams_scope_child(scope, NULL, NULL, show_header, self, NULL);
    streams_scope_child(scope, NULL, NULL, show_list, self, NULL);
    streams_scope_child(scope, NULL, NULL, show_state, &self->entry, NULL);
    return streams_scope_child(scope, NULL, &first, show_state, &self->cursor, NULL);
}

/* ---- The screen -------------------------------------------------------------------------------- */

static void draw_text(int line, const streams_value *text) {
    mvprintw(line, 0, "%.*s", (int)text->size, text->as.text);
}

static void draw_rows(const todo *self, int64_t space) {
    int64_t first = self->row < space ? 0 : self->row - space + 1;
    for (int64_t i = first; i < self->count && i < first + space; i++) {
        if (i == self->row) attron(A_REVERSE);
        draw_text((int)(2 + i - first), &self->rows[i].as.items[1].as.items[1]);
        attroff(A_REVERSE);
    }
}

/* Draws the results of the tree at the end of an update. */
static uint64_t draw(void *context, const streams_value *evaluated) {
    todo *self = context;
    const streams_value *parts[PARTS] = { NULL };
    self->count = 0;
    streams_value_destroy(&self->shown);
    streams_scope_tree_get_shown(self->tree, &self->shown);
    /* For each scope, its depth and its contents. The parts have depth 1, and the rows 2. */
    for (size_t i = 0, part = 0; i < self->shown.size; i++) {
        const streams_value *scope = &self->shown.as.items[i];
        int64_t depth = scope->as.items[0].as.integer;
        if (depth == 1) parts[part++] = &scope->as.items[1];
        if (depth == 2 && self->count++ == 0) self->rows = scope;
    }
    if (parts[CURSOR] == NULL) return 0;
    self->row = parts[CURSOR]->as.integer;
    if (self->row >= self->count) self->row = self->count == 0 ? 0 : self->count - 1;
    erase();
    draw_text(0, parts[HEADER]);
    draw_rows(self, LINES - 5);
    mvprintw(LINES - 1, 0, "%lld bodies run", (long long)evaluated->as.integer);
    bool is_typing = parts[ENTRY]->kind == STREAMS_VALUE_STRING;
    mvaddstr(LINES - 2, 0, is_typing ? "> " : "(d)elete (a)dd (q)uit space tab");
    if (is_typing) printw("%.*s", (int)parts[ENTRY]->size, parts[ENTRY]->as.text);
    curs_set(is_typing);
    refresh();
    return 0;
}

/* ---- The keys ---------------------------------------------------------------------------------- */

/* Removes one item, and adds another one at the end. Both may be NULL. */
static streams_status change_items(todo *self, const void *without, const streams_value *with) {
    streams_value items = value_of(self->list, "items"), changed[items.size + 1];
    size_t count = 0;
    for (size_t i = 0; i < items.size; i++) {
        if (items.as.items[i].as.object != without) changed[count++] = items.as.items[i];
    }
    if (with != NULL) changed[count++] = *with;
    streams_value list = streams_list(changed, count);
    streams_status status = streams_observable_object_set_value(self->list, "items", &list);
    streams_value_destroy(&items);
    return status;
}

static streams_status add_item(todo *self, const streams_value *title) {
    streams_observable_object *item = streams_observable_object_create();
    streams_value no = streams_bool(false), value = streams_null();
    streams_status status = streams_observable_object_add(item, "title", title);
    if (status == STREAMS_OK) status = streams_observable_object_add(item, "done", &no);
    if (status == STREAMS_OK) status = streams_value_object(&ITEM, item, &value);
    if (status == STREAMS_OK) status = change_items(self, NULL, &value);
    streams_value_destroy(&value);
    streams_release(item);
    return status;
}

/* Changes the text that is being typed, or ends it. */
static streams_status type_key(todo *self, int key, const streams_value *typed) {
    char text[LONGEST];
    size_t length = typed->size;
    streams_value after = streams_null();
    if (length > 0) memcpy(text, typed->as.text, length);
    if (key == -KEY_BACKSPACE || key == 127 || key == '\b') {
        while (length > 0 && (text[--length] & 0xC0) == 0x80) continue;
    } else if (key >= ' ' && length + MB_LEN_MAX <= LONGEST) {
        int size = wctomb(text + length, (wchar_t)key);
        if (size > 0) length += (size_t)size;
    }
    if (key != '\n' && key != 27) after = streams_text_n(text, length);
    if (key == '\n' && length > 0) add_item(self, typed);
    return streams_binding_set_value(self->entry, &after);
}

/* Handles a key. A key that is no character is negative. */
static streams_status press(todo *self, int key) {
    streams_value typed, empty = streams_text("");
    streams_value up = streams_int(self->row > 0 ? self->row - 1 : 0), down = streams_int(self->row + 1);
    streams_binding_get_value(self->entry, &typed);
    if (typed.kind == STREAMS_VALUE_STRING) {
        streams_status status = type_key(self, key, &typed);
        streams_value_destroy(&typed);
        return status;
    }
    self->is_over = key == 'q';
    if (key == 'a') return streams_binding_set_value(self->entry, &empty);
    if (key == '\t') {
        streams_value filter = streams_int((value_of(self->list, "filter").as.integer + 1) % 3);
        return streams_observable_object_set_value(self->list, "filter", &filter);
    }
    if (self->count == 0) return STREAMS_OK;
    const streams_value *item = self->rows[self->row].as.items[1].as.items;
    streams_value done = streams_bool(!is_done(item));
    switch (key) {
    case -KEY_UP: return streams_binding_set_value(self->cursor, &up);
    case -KEY_DOWN: return streams_binding_set_value(self->cursor, &down);
    case ' ': return streams_observable_object_set_value(item->as.object, "done", &done);
    case 'd': return change_items(self, item->as.object, NULL);
    default: return STREAMS_OK;
    }
}

/* ---- The program ------------------------------------------------------------------------------- */

/* Handles one key after another, and makes an update after each. */
static streams_status run(todo *self) {
    streams_status status = STREAMS_OK;
    while (status == STREAMS_OK && !self->is_over) {
        /* Set for the whole tree; the rows read it. */
        streams_value columns = streams_int(COLS);
        streams_scope_tree_set_environment_value(self->tree, "columns", &columns);
        status = streams_scope_tree_update(self->tree);
        wint_t key;
        int kind = status == STREAMS_OK ? get_wch(&key) : ERR;
        if (kind == ERR) break;
        /* Also draws if only the height has changed, which needs no update. */
        const streams_value none = streams_int(0);
        if (kind == KEY_CODE_YES && key == KEY_RESIZE) draw(self, &none);
        status = press(self, kind == KEY_CODE_YES ? -(int)key : (int)key);
    }
    return status;
}

int main(int count, char **titles) {
    setlocale(LC_CTYPE, "C.UTF-8");
    todo self = { .list = streams_observable_object_create() };
    streams_value none = streams_list(NULL, 0), all = streams_int(0);
    streams_observable_object_add(self.list, "items", &none);
    streams_observable_object_add(self.list, "filter", &all);
    self.tree = streams_scope_tree_create(NULL, NULL, show_screen, &self, NULL);
    streams_subscriber subscriber = STREAMS_SUBSCRIBER_INIT;
    subscriber.context = &self;
    subscriber.on_value = draw;
    streams_cancellable *cancellable = streams_sink(streams_scope_tree_updates(self.tree), &subscriber);
    streams_status status = cancellable == NULL ? streams_last_status() : STREAMS_OK;
    for (int i = 1; i < count && status == STREAMS_OK; i++) {
        streams_value title = streams_text(titles[i]);
        status = add_item(&self, &title);
    }
    if (status == STREAMS_OK) {
        initscr(), cbreak(), noecho(), keypad(stdscr, true), set_escdelay(25);
        status = run(&self);
        endwin();
    }
    if (status != STREAMS_OK) fprintf(stderr, "todo: %s\n", streams_last_message());
    const void *const handles[] = { cancellable, self.tree, self.entry, self.cursor, self.list };
    for (size_t i = 0; i < sizeof handles / sizeof *handles; i++) streams_release(handles[i]);
    streams_value_destroy(&self.shown);
    return status == STREAMS_OK && streams_live_handles() == 0 ? 0 : 1;
}
