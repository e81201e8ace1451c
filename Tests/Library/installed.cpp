/* Knows streams.hpp only through pkg-config: all parts of it are there, and values flow. */

#include <streams.hpp>

int main() {
    int sum = 0;
    streams::sequence({ 20, 22 }).run([&sum](int number) { sum += number; });
    return sum == 42 && streams_live_handles() == 0 ? 0 : 1;
}
