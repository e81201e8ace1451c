/*
 * seattle.c - a year of temperatures as a stream.
 *
 *     seattle [--frost DEGREES] [FILE]     read FILE
 *     seattle [--frost DEGREES] --live     read standard input, as it arrives
 *
 * Lines are read when the sink demands them, and it demands a day at a time.
 * ../README.md describes the output.
 */

#define _POSIX_C_SOURCE 200809L

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <streams.h>

enum { DAY = 24 };

/* A reading is a list of two numbers: the time as YYYYMMDDHHMM, and the
 * degrees. */
enum {
    WHEN,
    DEGREES,
    READING /* how many there are */
};

static int64_t when(const streams_value *reading) {
    return reading->as.items[WHEN].as.integer;
}

static double degrees(const streams_value *reading) {
    return reading->as.items[DEGREES].as.real;
}


/* ---- Lines of a file: a publisher that produces on demand ---------------- */

struct lines {
    const char *path; /* NULL: standard input */
    FILE *file;
    char *line;
    size_t capacity;
};

static streams_status lines_fail(const struct lines *lines) {
    char message[512];
    int code = errno;
    snprintf(message, sizeof message, "cannot read %s: %s",
        lines->path != NULL ? lines->path : "standard input", strerror(code));
    return streams_callback_fail_with(code, "seattle", message);
}

static streams_status lines_open(void *context, streams_emitter *emitter, void **state) {
    (void)emitter;
    struct lines *lines = context;
    lines->file = lines->path != NULL ? fopen(lines->path, "r") : stdin;
    *state = lines;
    return lines->file != NULL ? STREAMS_OK : lines_fail(lines);
}

static streams_status lines_produce(void *state, streams_emitter *emitter, uint64_t max) {
    struct lines *lines = state;
    streams_status status = STREAMS_OK;
    while (status == STREAMS_OK && max-- > 0) {
        errno = 0;
        ssize_t length = getline(&lines->line, &lines->capacity, lines->file);
        if (length < 0) return errno != 0 ? lines_fail(lines) : streams_emitter_finish(emitter);
        if (length > 0 && lines->line[length - 1] == '\n') length--;
        if (length > 0 && lines->line[length - 1] == '\r') length--;
        streams_value line = streams_bytes(lines->line, (size_t)length);
        status = streams_emitter_send(emitter, &line);
    }
    return status;
}

static void lines_close(void *state) {
    struct lines *lines = state;
    if (lines->file != stdin) fclose(lines->file);
    free(lines->line);
}

static streams_publisher *lines_publisher(struct lines *lines) {
    streams_source source = STREAMS_SOURCE_INIT;
    source.context = lines;
    source.open = lines_open;
    source.produce = lines_produce;
    source.close = lines_close;
    return streams_publisher_create(&source);
}


/* ---- Steps --------------------------------------------------------------- */

struct parser {
    uintmax_t line;
    bool bad;
    streams_value reading[READING];
};

/* Reads the text "YYYY/MM/DD HH:MM,T". */
static bool parse_reading(const char *text, size_t length, int64_t *time, double *fahrenheit) {
    static const char pattern[] = "YYYY/MM/DD HH:MM,";
    const size_t head = sizeof pattern - 1;
    char number[16] = "";
    int digits = 0, decimals = 0, used = 0;
    if (length <= head || length - head >= sizeof number) return false;
    *time = 0;
    for (size_t i = 0; i < head; i++) {
        bool letter = pattern[i] >= 'A' && pattern[i] <= 'Z';
        if (letter ? text[i] < '0' || text[i] > '9' : text[i] != pattern[i]) return false;
        if (letter) *time = *time * 10 + (text[i] - '0');
    }
    memcpy(number, text + head, length - head);
    sscanf(number, "%*1[-]%n", &used);
    sscanf(number + used, "%*3[0-9]%n", &digits);
    used += digits;
    if (digits == 0) return false;
    if (number[used] == '.') {
        sscanf(number + used + 1, "%*3[0-9]%n", &decimals);
        if (decimals == 0) return false;
        used += 1 + decimals;
    }
    *fahrenheit = strtod(number, NULL);
    return (size_t)used == length - head;
}

/* Turns a line into a reading, or into null if it is not one. */
static streams_status parse(void *context, const streams_value *in, streams_value *out) {
    struct parser *parser = context;
    const char *text = (const char *)in->as.bytes;
    int64_t time = 0;
    double fahrenheit = 0;
    parser->line++;
    if (in->size == 0) return STREAMS_OK;
    if (parser->line == 1 && in->size >= 4 && memcmp(text, "date", 4) == 0) return STREAMS_OK;
    if (!parse_reading(text, in->size, &time, &fahrenheit)) {
        fprintf(stderr, "seattle: line %" PRIuMAX " is not a reading\n", parser->line);
        parser->bad = true;
        return STREAMS_OK;
    }
    parser->reading[WHEN] = streams_int(time);
    parser->reading[DEGREES] = streams_double(fahrenheit);
    *out = streams_list(parser->reading, READING);
    return STREAMS_OK;
}

/* Turns degrees Fahrenheit into degrees Celsius. */
static streams_status to_celsius(void *context, const streams_value *in, streams_value *out) {
    streams_value *reading = context;
    reading[WHEN] = streams_int(when(in));
    reading[DEGREES] = streams_double((degrees(in) - 32) / 1.8);
    *out = streams_list(reading, READING);
    return STREAMS_OK;
}

/* Whether two readings are on the same side of the frost limit. */
static streams_status same_side(
    void *context, const streams_value *previous, const streams_value *current, bool *same) {
    const double *limit = context;
    *same = (degrees(previous) < *limit) == (degrees(current) < *limit);
    return STREAMS_OK;
}


/* ---- Sinks --------------------------------------------------------------- */

struct alerts {
    double limit;
    uint64_t count;
};

static uint64_t show_alert(void *context, const streams_value *reading) {
    struct alerts *alerts = context;
    int64_t minute = when(reading);
    int year = (int)(minute / 100000000), month = (int)(minute / 1000000 % 100);
    int day = (int)(minute / 10000 % 100), hour = (int)(minute / 100 % 100);
    alerts->count++;
    printf("%04d/%02d/%02d %02d:%02d  frost %s, %.1f °C\n", year, month, day, hour,
        (int)(minute % 100), degrees(reading) < alerts->limit ? "begins" : "ends", degrees(reading));
    return 0;
}

struct report {
    streams_subject *readings; /* forwards the values that arrive here */
    int64_t date;
    int count;
    double min, max, sum;
    uint64_t requested, delivered;
    bool failed;
};

static void show_day(struct report *report) {
    if (report->count == 0) return;
    printf("%04d/%02d/%02d  %6.1f  %6.1f  %6.1f\n", (int)(report->date / 10000),
        (int)(report->date / 100 % 100), (int)(report->date % 100), report->min,
        report->sum / report->count, report->max);
    report->count = 0;
}

static uint64_t add_to_day(void *context, const streams_value *reading) {
    struct report *report = context;
    double celsius = degrees(reading);
    if (report->count > 0 && report->date != when(reading) / 10000) show_day(report);
    if (report->count == 0) {
        report->date = when(reading) / 10000;
        report->min = report->max = celsius;
        report->sum = 0;
    }
    report->count++;
    report->min = fmin(report->min, celsius);
    report->max = fmax(report->max, celsius);
    report->sum += celsius;
    report->delivered++;
    streams_subject_send(report->readings, reading);

    if (report->delivered < report->requested) return 0;
    report->requested += DAY;
    return DAY;
}

static void end_report(void *context, const streams_error *error) {
    struct report *report = context;
    if (error != NULL) {
        fprintf(stderr, "seattle: %s\n", streams_error_message(error));
        report->failed = true;
    }
    show_day(report);
    streams_subject_send_completion(report->readings, error);
}


/* ---- The program --------------------------------------------------------- */

/* Attaches the alerts to the readings. The subject begins with a reading above
 * every limit, which drop_first removes again. */
static streams_cancellable *watch_frost(streams_subject *readings, struct alerts *alerts) {
    streams_subscriber subscriber = STREAMS_SUBSCRIBER_INIT;
    subscriber.context = alerts;
    subscriber.on_value = show_alert;
    streams_publisher *p = streams_subject_publisher(readings);
    p = streams_remove_duplicates_by(p, same_side, &alerts->limit, NULL);
    p = streams_drop_first(p, 1);
    return streams_sink(p, &subscriber);
}

/* Attaches the report to the lines: from here on values flow. */
static streams_cancellable *report_days(
    struct lines *lines, struct parser *parser, streams_value *scratch, struct report *report) {
    streams_subscriber subscriber = STREAMS_SUBSCRIBER_INIT;
    subscriber.context = report;
    subscriber.demand = report->requested = DAY;
    subscriber.on_value = add_to_day;
    subscriber.on_completion = end_report;
    streams_publisher *p = lines_publisher(lines);
    p = streams_compact_map(p, parse, parser, NULL);
    p = streams_map(p, to_celsius, scratch, NULL);
    return streams_sink(p, &subscriber);
}

static bool parse_arguments(int argc, char **argv, const char **path, double *limit) {
    bool chosen = false;
    *path = "Examples/data/seattle-temps.csv";
    for (int i = 1; i < argc; i++) {
        char *end = "";
        bool live = strcmp(argv[i], "--live") == 0;
        if (strcmp(argv[i], "--frost") == 0 && i + 1 < argc) {
            *limit = strtod(argv[++i], &end);
            if (end == argv[i] || *end != '\0') return false;
        } else if (chosen || (!live && argv[i][0] == '-')) {
            return false;
        } else {
            *path = live ? NULL : argv[i];
            chosen = true;
        }
    }
    return true;
}

int main(int argc, char **argv) {
    struct alerts alerts = { .limit = 4 };
    struct lines lines = { 0 };
    struct parser parser = { 0 };
    struct report report = { 0 };
    streams_value scratch[READING], above[READING] = { streams_int(0), streams_double(INFINITY) };
    streams_value start = streams_list(above, READING);

    if (!parse_arguments(argc, argv, &lines.path, &alerts.limit)) {
        fprintf(stderr, "usage: seattle [--frost DEGREES] [FILE | --live]\n");
        return 2;
    }
    if (lines.path == NULL) setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
    printf("date           min    mean     max  °C\n");

    report.readings = streams_current_value_subject_create(&start);
    streams_cancellable *frost = watch_frost(report.readings, &alerts);
    streams_cancellable *days = report_days(&lines, &parser, scratch, &report);
    bool good = frost != NULL && days != NULL;
    if (!good) fprintf(stderr, "seattle: %s: %s\n", streams_last_function(), streams_last_message());

    printf("requested %" PRIu64 ", delivered %" PRIu64 ", alerted %" PRIu64 "\n", report.requested,
        report.delivered, alerts.count);
    streams_release(days);
    streams_release(frost);
    streams_release(report.readings);
    return good && !report.failed && !parser.bad ? EXIT_SUCCESS : EXIT_FAILURE;
}
