/* Another thread replaces a subscriber while a value reaches it: the new one gets what follows, of an array
 * as of single values, through each operator. */

#include "rows.h"

typedef struct replacing {
    streams_publisher *stream;
    uint64_t place; /* the number of the value at which it happens */
    bool cancels_first;
    recorder old, new;
} replacing;

static void subscribe(replacing *self, recorder *r) {
    assert_ok(streams_retain(self->stream));
    recorder_subscribe(r, self->stream, STREAMS_UNLIMITED);
}

static void *replace(void *context) {
    replacing *self = context;
    if (self->cancels_first) assert_ok(streams_cancel(self->old.cancellable));
    subscribe(self, &self->new);
    if (!self->cancels_first) assert_ok(streams_cancel(self->old.cancellable));
    return NULL;
}

static void replace_at_place(recorder *old, const streams_value *value) {
    (void)value;
    replacing *self = old->extra;
    /* What a stream tells at once comes before there is a cancellable. */
    if (old->values != self->place || old->cancellable == NULL) return;
    on_another_thread(replace, self);
}

/* Returns what both have received, one after the other. */
static char *received(const attachment *operator, replacing *self, bool as_array) {
    static const int64_t numbers[] = { 1, 2, 3, 4 };
    fixture f;
    fixture_begin(&f);
    streams_subject *subject = streams_passthrough_subject_create();
    streams_value zero = streams_int(0);
    streams_publisher *other = operator->takes_two ? streams_just(&zero) : NULL;
    self->stream = operator->attach(streams_subject_publisher(subject), other, &f);
    assert_non_null(self->stream);
    self->old = (recorder){ .extra = self, .on_value = replace_at_place };
    self->new = (recorder){ 0 };
    subscribe(self, &self->old);
    (void)let_happen(&f);
    if (as_array) {
        assert_ok(streams_subject_send_int64s(subject, numbers, 4));
    } else {
        for (int i = 0; i < 4; i++) assert_ok(streams_subject_send_int64s(subject, &numbers[i], 1));
    }
    (void)let_time_pass(&f);
    recorder_end(&self->old);
    recorder_end(&self->new);
    size_t size = self->old.log.length + self->new.log.length + 10;
    char *both = malloc(size);
    assert_non_null(both);
    (void)snprintf(both, size, "%s, then %s", self->old.log.text, self->new.log.text);
    assert_ok(streams_release(self->stream));
    assert_ok(streams_release(subject));
    fixture_end(&f);
    return both;
}

static void the_new_one_gets_the_rest_of_an_array(void **state) {
    (void)state;
    for (int i = 0; i < attachment_count; i++) {
        /* It takes an array as one event, as a sink of arrays does. */
        if (strcmp(attachments[i].function, "streams_map_batch") == 0) continue;
        for (int round = 0; round < 8; round++) {
            replacing self = { .place = (uint64_t)round / 2 + 1, .cancels_first = round % 2 == 0 };
            char *array = received(&attachments[i], &self, true);
            char *singles = received(&attachments[i], &self, false);
            if (strcmp(array, singles) != 0)
                fail_msg("%s: %s, of single values %s", attachments[i].function, array, singles);
            free(array);
            free(singles);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_new_one_gets_the_rest_of_an_array),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
