/*
 * sanitizer_defaults.h - what the sanitizers do in the test programs, unless
 * ASAN_OPTIONS or TSAN_OPTIONS says otherwise.
 */

#ifndef SANITIZER_DEFAULTS_H
#define SANITIZER_DEFAULTS_H

const char *__asan_default_options(void);
const char *__tsan_default_suppressions(void);

#endif /* SANITIZER_DEFAULTS_H */
