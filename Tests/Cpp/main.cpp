/* Runs the tests of streams.hpp, which are in the other files. */

#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>
