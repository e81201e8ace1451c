/* What StreamsTerminal needs of ncurses, of which Swift imports neither the macros nor the variables. */

#ifndef STREAMS_NCURSES_SHIMS_H
#define STREAMS_NCURSES_SHIMS_H

#ifndef NCURSES_WIDECHAR
#define NCURSES_WIDECHAR 1
#endif
#define NCURSES_NOMACROS 1

#include <curses.h>
#include <fcntl.h>
#include <langinfo.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include <wchar.h>

extern int wcwidth(wchar_t character);

/* libdispatch's, for loops that are not its own: CoreFoundation uses them too. */
extern int _dispatch_get_main_queue_handle_4CF(void);
extern void _dispatch_main_queue_callback_4CF(void *message);

enum { TERMINAL_REVERSE = 1,
    TERMINAL_BOLD = 2,
    TERMINAL_DIM = 4,
    TERMINAL_UNDERLINE = 8 };

/* Keys of ours: what is pasted begins and ends. */
enum { TERMINAL_PASTE = KEY_MAX + 1,
    TERMINAL_PASTED };

/* The locale that says how wide characters are, whatever the program's is. */
static inline locale_t terminal_locale(void) {
    return newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
}

/* How many columns a character takes; negative if it is no such character. */
static inline int terminal_columns(locale_t locale, uint32_t character) {
    locale_t before = uselocale(locale);
    int columns = wcwidth((wchar_t)character);
    uselocale(before);
    return columns;
}

/* Asks the terminal to say what is pasted, or no longer to. Those that cannot ignore it. */
static inline void terminal_mark_pastes(bool marked) {
    if (write(STDOUT_FILENO, marked ? "\033[?2004h" : "\033[?2004l", 8) < 0) {
        return;
    }
}

/* Begins to use the terminal, with keys as they come. NULL if the terminal is not known. */
static inline SCREEN *terminal_open(void) {
    setlocale(LC_CTYPE, "");
    if (strcmp(nl_langinfo(CODESET), "UTF-8") != 0) {
        setlocale(LC_CTYPE, "C.UTF-8");
    }
    SCREEN *screen = newterm(NULL, stdout, stdin);
    if (screen == NULL) {
        return NULL;
    }
    raw();
    noecho();
    nonl();
    keypad(stdscr, true);
    nodelay(stdscr, true);
    set_escdelay(25);
    define_key("\033[200~", TERMINAL_PASTE);
    define_key("\033[201~", TERMINAL_PASTED);
    terminal_mark_pastes(true);
    if (has_colors()) {
        start_color();
        init_pair(1, COLOR_BLACK, COLOR_WHITE);
        init_pair(2, COLOR_WHITE, COLOR_BLACK);
    }
    return screen;
}

/* Gives the terminal back as it was. */
static inline void terminal_close(SCREEN *screen) {
    terminal_mark_pastes(false);
    endwin();
    delscreen(screen);
}

/* What signals and the program's end are to do, in case the terminal is still used. */
static inline void terminal_restore(void) {
    if (!isendwin()) {
        terminal_mark_pastes(false);
        endwin();
    }
}

/* Stops the program for a while: ncurses gives the terminal back, and takes it again when it goes on. */
static inline void terminal_stop(void) {
    terminal_mark_pastes(false);
    raise(SIGTSTP);
    terminal_mark_pastes(true);
}

/* How large the terminal is now, which ncurses learns too. */
static inline void terminal_measure(int *rows, int *columns) {
    struct winsize size;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_row > 0 && size.ws_col > 0 &&
        (size.ws_row != getmaxy(stdscr) || size.ws_col != getmaxx(stdscr))) {
        resizeterm(size.ws_row, size.ws_col);
        clearok(stdscr, true);
    }
    *rows = getmaxy(stdscr);
    *columns = getmaxx(stdscr);
}

/* Whether there is a key; its code is ncurses' if `is_code`, and else a character. */
static inline bool terminal_key(uint32_t *key, bool *is_code) {
    wint_t code = 0;
    int result = get_wch(&code);
    *key = (uint32_t)code;
    *is_code = result == KEY_CODE_YES;
    return result != ERR;
}

/* Begins a picture. The pair of colors is 0 for the terminal's own. */
static inline void terminal_begin(int pair) {
    bkgdset((chtype)' ' | (has_colors() ? COLOR_PAIR(pair) : 0));
    erase();
}

static inline void terminal_put(int row, int column, const char *text, int style) {
    attr_t attributes = (style & TERMINAL_REVERSE ? A_REVERSE : 0) | (style & TERMINAL_BOLD ? A_BOLD : 0) |
                        (style & TERMINAL_DIM ? A_DIM : 0) | (style & TERMINAL_UNDERLINE ? A_UNDERLINE : 0);
    attrset((int)attributes);
    mvaddstr(row, column, text);
}

/* Shows the picture, with the cursor at its place or, if that is negative, without one. */
static inline void terminal_end(int row, int column) {
    curs_set(row >= 0);
    if (row >= 0) {
        move(row, column);
    }
    refresh();
}

/* A pipe that nobody waits for, and that no other program gets. */
static inline int terminal_pipe(int ends[2]) {
    if (pipe(ends) != 0) {
        return -1;
    }
    for (int end = 0; end < 2; ++end) {
        fcntl(ends[end], F_SETFL, O_NONBLOCK);
        fcntl(ends[end], F_SETFD, FD_CLOEXEC);
    }
    return 0;
}

#endif
