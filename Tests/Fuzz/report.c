/* What a worker says when something is wrong, and what was exercised. */
#include "fuzz.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <signal.h>
#include <stdarg.h>
#include <time.h>
#include <unistd.h>

report *shared;
program *script;

double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

bool property_is_off(const char *message) {
    for (int i = 0; i < opt.off_property_count; i++)
        if (strncmp(message, opt.off_properties[i], strlen(opt.off_properties[i])) == 0) return true;
    return false;
}

static void say(const char *format, va_list arguments) {
    if (shared->failure[0] == '\0') vsnprintf(shared->failure, sizeof shared->failure, format, arguments);
}

/* The sequence cannot go on. */
void violated(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    say(format, arguments);
    va_end(arguments);
    _exit(EXIT_PROPERTY);
}

/* The sequence goes round in circles, as it was made to: it is given up, and is no failure. */
void endless(void) {
    shared->endless++;
    _exit(EXIT_ENDLESS);
}

/* A property does not hold. Its name, up to the colon, can be switched off. */
void violation(const char *format, ...) {
    char text[sizeof shared->failure];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (!property_is_off(text)) violated("%s", text);
}

/* ---- Signals ------------------------------------------------------------------ */

static void crashed(int number) {
    void *frames[48];
    int count = backtrace(frames, 48);
    char *to = shared->failure;
    size_t room = sizeof shared->failure, length;
    length = (size_t)snprintf(to, room, "signal %d:", number);
    for (int i = 2; i < count && length + 80 < room; i++) {
        Dl_info info;
        if (dladdr(frames[i], &info) == 0 || info.dli_fname == NULL) continue;
        const char *file =
            strrchr(info.dli_fname, '/') != NULL ? strrchr(info.dli_fname, '/') + 1 : info.dli_fname;
        if (strncmp(file, "libstreams", 10) != 0) continue;
        length += (size_t)snprintf(to + length, room - length, " %#lx",
            (unsigned long)((char *)frames[i] - (char *)info.dli_fbase));
    }
    signal(number, SIG_DFL);
    raise(number);
}

/* What a debugger is stopped by is no crash. A trap of the processor's is: it has another code. */
static void stopped(int number, siginfo_t *info, void *context) {
    (void)context;
    if (info->si_code != SI_TKILL) crashed(number);
}

void catch_stops(void) {
    struct sigaction action = { .sa_sigaction = stopped, .sa_flags = SA_SIGINFO | SA_NODEFER };
    sigaction(SIGTRAP, &action, NULL);
}

/* Where sanitizers and valgrind do not do it better. */
void catch_signals(void) {
    static char stack[1 << 16];
    const int numbers[] = { SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT };
    void *warm[2];
    (void)backtrace(warm, 2); /* loads what it needs */
    sigaltstack(&(stack_t){ .ss_sp = stack, .ss_size = sizeof stack }, NULL);
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        struct sigaction action = { .sa_handler = crashed, .sa_flags = SA_ONSTACK | SA_NODEFER };
        sigaction(numbers[i], &action, NULL);
    }
}

/* ---- AddressSanitizer ------------------------------------------------------------- */

void __asan_set_error_report_callback(void (*callback)(const char *)) __attribute__((weak));

/* The kind of error, and the first functions of the library on the way to it. */
static void sanitizer_reports(const char *text) {
    char *to = shared->failure;
    size_t room = sizeof shared->failure, length;
    const char *kind = strstr(text, "AddressSanitizer: "), *at = text;
    if (kind == NULL || *to != '\0') return;
    length = (size_t)snprintf(to, room, "asan: %.*s in", (int)strcspn(kind + 18, " "), kind + 18);
    for (int i = 0; i < 12 && (at = strstr(at, " in $s")) != NULL; i++) {
        at += 4;
        length += (size_t)snprintf(to + length, room - length, " %.*s", (int)strcspn(at, " \n"), at);
        if (length + 1 >= room) return;
    }
}

void catch_reports(void) {
    if (__asan_set_error_report_callback != NULL) __asan_set_error_report_callback(sanitizer_reports);
}

/* Where the threads of a process that hangs are, if a debugger is at hand. */
void explain_hang(int process) {
    char command[128];
    snprintf(command, sizeof command,
        "gdb -q -p %d -batch -ex 'thread apply all bt 60' 2>/dev/null | grep '^#\\|^Thread' >&2", process);
    if (system(command) != 0) return;
}

/* Names the functions that a crash went through, if there are symbols and tools that read them. */
void explain_crash(const char *failure) {
    char command[2048];
    Dl_info info;
    const char *places = strchr(failure, ':');
    if (strncmp(failure, "signal", 6) != 0 || places == NULL || dladdr((void *)addresses[0], &info) == 0)
        return;
    snprintf(command, sizeof command,
        "addr2line -f -e '%s'%s 2>/dev/null | sed -n 's/^[$]s/&/p' | swift demangle --simplified "
        "2>/dev/null | head -8 | "
        "sed 's/^/  in /' >&2",
        info.dli_fname, places + 1);
    fflush(stderr);
    if (system(command) != 0) return;
}

/* ---- Coverage ------------------------------------------------------------------ */

void note_triple(const frame *inside, int function) {
    int giver = script->nodes[inside->context].what;
    if (giver < FUNCTIONS && inside->callback < CALLBACKS && function < FUNCTIONS)
        shared->triples[giver][inside->callback][function] = 1;
}

static bool has_callback(int struct_, int callback) { return callbacks[callback].owner == struct_; }

/* Whether a function can be given a callback. */
static bool takes_callback(const function_info *f, int callback) {
    for (int i = 0; i < f->count; i++) {
        if (f->params[i].kind == P_CALLBACK && f->params[i].detail == callback) return true;
        if (f->params[i].kind == P_STRUCT && has_callback(f->params[i].detail, callback)) return true;
    }
    return false;
}

static void print_pair(
    FILE *file, const report *all, int giver, int callback, uint32_t *done, uint32_t *possible) {
    uint32_t here = 0;
    int missing[3], missing_count = 0;
    for (int k = 0; k < function_count; k++) {
        if (opt.off_functions[k]) continue;
        ++*possible;
        if (all->triples[giver][callback][k])
            here++;
        else if (missing_count < 3)
            missing[missing_count++] = k;
    }
    *done += here;
    if (missing_count == 0) return;
    fprintf(file, "  %s of %s: %u functions called inside; not", callbacks[callback].name,
        functions[giver].name, here);
    for (int i = 0; i < missing_count; i++) fprintf(file, " %s", functions[missing[i]].name);
    fprintf(file, "\n");
}

void print_coverage(FILE *file, const report *all, bool details) {
    uint32_t done = 0, possible = 0, never = 0;
    FILE *to = details ? file : fopen("/dev/null", "w");
    for (int i = 0; i < function_count; i++)
        for (int c = 0; c < callback_count; c++)
            if (takes_callback(&functions[i], c)) print_pair(to, all, i, c, &done, &possible);
    if (!details) fclose(to);
    fprintf(file, "coverage: %u of %u combinations of function, callback and function called inside\n", done,
        possible);
    for (int i = 0; i < function_count; i++) {
        if (opt.off_functions[i] || all->succeeded[i] > 0) continue;
        if (functions[i].role == ALWAYS_FAILS && all->called[i] > 0) continue;
        fprintf(file, "%s %s", never++ ? "," : "functions that never succeeded:", functions[i].name);
        if (all->called[i] == 0) fprintf(file, " (never called)");
    }
    if (never > 0) fprintf(file, "\n");
}
