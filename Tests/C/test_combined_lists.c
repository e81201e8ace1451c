/* The lists that zip and combine_latest make lie in the same memory again and again. Nobody sees that: a list
 * that is kept stays as it is, and what is in a list is released with it. */

#include "support.h"

enum { LISTS = 4 };

typedef streams_publisher *(*combine)(streams_publisher *const *, size_t);

/* Two subjects whose values are combined, and the lists that came, kept. */
typedef struct pairs {
    streams_subject *first, *second;
    streams_cancellable *cancellable;
    streams_value kept[LISTS];
    int count;
} pairs;

static void begin(pairs *self, combine combine, uint64_t (*on_value)(void *, const streams_value *)) {
    memset(self, 0, sizeof *self);
    self->first = streams_passthrough_subject_create();
    self->second = streams_passthrough_subject_create();
    streams_publisher *both[2] = { streams_subject_publisher(self->first),
        streams_subject_publisher(self->second) };
    streams_subscriber subscriber = STREAMS_SUBSCRIBER_INIT;
    subscriber.context = self;
    subscriber.on_value = on_value;
    self->cancellable = streams_sink(combine(both, 2), &subscriber);
}

static void end(pairs *self) {
    assert_ok(streams_release(self->cancellable));
    assert_ok(streams_release(self->first));
    assert_ok(streams_release(self->second));
    for (int i = 0; i < LISTS; i++) assert_ok(streams_value_destroy(&self->kept[i]));
}

static void send_pair(pairs *self, int64_t first, int64_t second) {
    assert_ok(send_int(self->first, first));
    assert_ok(send_int(self->second, second));
}

static void assert_pair(const streams_value *list, int64_t first, int64_t second) {
    assert_int_equal(list->kind, STREAMS_VALUE_LIST);
    assert_int_equal(list->size, 2);
    assert_int_equal(list->as.items[0].as.integer, first);
    assert_int_equal(list->as.items[1].as.integer, second);
}

static uint64_t keep(void *context, const streams_value *value) {
    pairs *self = context;
    assert_ok(streams_value_copy(value, &self->kept[self->count++]));
    return 0;
}

static void a_list_that_is_kept_stays_as_it_is(void **state) {
    (void)state;
    pairs zipped, latest;
    begin(&zipped, streams_zip, keep);
    for (int64_t i = 0; i < LISTS; i++) send_pair(&zipped, i, 10 * i);
    for (int i = 0; i < LISTS; i++) assert_pair(&zipped.kept[i], i, 10 * i);
    end(&zipped);
    begin(&latest, streams_combine_latest, keep);
    send_pair(&latest, 1, 2);
    send_pair(&latest, 3, 4);
    assert_ok(send_int(latest.first, 5));
    const int64_t expected[LISTS][2] = { { 1, 2 }, { 3, 2 }, { 3, 4 }, { 5, 4 } };
    for (int i = 0; i < LISTS; i++) assert_pair(&latest.kept[i], expected[i][0], expected[i][1]);
    end(&latest);
}

/* Sends further pairs while it looks at a list. */
static uint64_t send_inside(void *context, const streams_value *value) {
    pairs *self = context;
    int64_t number = ++self->count;
    assert_pair(value, number, -number);
    if (number < LISTS) send_pair(self, number + 1, -(number + 1));
    assert_pair(value, number, -number);
    return 0;
}

static void a_list_stays_while_others_are_made_inside(void **state) {
    (void)state;
    pairs self;
    begin(&self, streams_zip, send_inside);
    send_pair(&self, 1, -1);
    assert_int_equal(self.count, LISTS);
    end(&self);
}

static int alive;

static void retain_object(void *object) { (void)object, alive++; }
static void release_object(void *object) { (void)object, alive--; }

static const streams_object_type counted = {
    .size = sizeof counted, .retain = retain_object, .release = release_object
};

static uint64_t count_lists(void *context, const streams_value *value) {
    (void)value, ((pairs *)context)->count++;
    return 0;
}

static void send_object(streams_subject *subject) {
    streams_value object;
    assert_ok(streams_value_object(&counted, &alive, &object));
    assert_ok(streams_subject_send(subject, &object));
    assert_ok(streams_value_destroy(&object));
}

static void objects_in_lists_are_released_with_them(void **state) {
    (void)state;
    alive = 0;
    pairs self;
    begin(&self, streams_zip, count_lists);
    for (int i = 0; i < LISTS; i++) {
        send_pair(&self, i, i);
        send_object(self.first);
        assert_ok(send_int(self.second, i));
        assert_int_equal(alive, 0);
    }
    assert_int_equal(self.count, 2 * LISTS);
    end(&self);
    begin(&self, streams_combine_latest, count_lists);
    for (int i = 0; i < LISTS; i++) {
        send_pair(&self, i, i);
        assert_int_equal(alive, 0);
        send_object(self.first);
        send_object(self.first);
        assert_int_equal(alive, 1);
    }
    end(&self);
    assert_int_equal(alive, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        test(a_list_that_is_kept_stays_as_it_is),
        test(a_list_stays_while_others_are_made_inside),
        test(objects_in_lists_are_released_with_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
