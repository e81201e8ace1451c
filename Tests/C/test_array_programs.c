/* An array is what as many single sends would have been, whoever acts amid it:
 * chains of operators put together at random, to which the same is sent as arrays
 * and one by one, while subscribers and an operator's functions act. All hear the
 * same, in the same order.
 *
 *     FUZZ_SECONDS=600 FUZZ_SEED=5 build/tests/test_array_programs    what `make fuzz` does */

#include <time.h>

#include "array_run.h"

static bool agrees(const plan *p, fixture *f) {
    static run singles, arrays;
    play(&singles, p, false, f);
    if (singles.is_endless) return true;
    play(&arrays, p, true, f);
    /* Functions may be called ahead for values that are not wanted then. One that acts there has not
     * done so before. */
    if (p->acts_in_functions && singles.function_calls != arrays.function_calls) return true;
    if (strcmp(singles.heard, arrays.heard) == 0) return true;
    print_plan(p);
    print_error("one by one:\n%s\nas arrays:\n%s\n", singles.heard, arrays.heard);
    return false;
}

static bool all_agree(uint64_t seed, int count, fixture *f) {
    for (int i = 0; i < count; i++) {
        plan p = some_plan(seed * 1000000 + (uint64_t)i);
        if (agrees(&p, f)) continue;
        print_error("program %d of FUZZ_SEED=%llu\n", i, (unsigned long long)seed);
        return false;
    }
    return true;
}

static void an_array_is_what_single_sends_are(void **state) {
    (void)state;
    static fixture f;
    const char *given = getenv("FUZZ_SECONDS"), *number = getenv("FUZZ_SEED");
    uint64_t seed = number != NULL ? strtoull(number, NULL, 10) : 1;
    time_t over = time(NULL) + (given != NULL ? strtol(given, NULL, 10) : 0);
    fixture_begin(&f);
    streams_scheduler *scheduler = f.scheduler;
    bool agree;
    do {
        agree = all_agree(seed++, under_valgrind() ? 300 : 20000, &f);
    } while (agree && time(NULL) < over);
    f.scheduler = scheduler;
    fixture_end(&f);
    assert_true(agree);
}

int main(void) {
    const struct CMUnitTest tests[] = { test(an_array_is_what_single_sends_are) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
