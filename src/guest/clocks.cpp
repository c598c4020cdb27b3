// SPDX-License-Identifier: Apache-2.0
// Host clocks that a program reads to time its work. The linker redirects these calls to this file
// (--wrap, program/build.cpp), which then calls the original functions.
#include "guest/clocks.h"

#include <sys/time.h>

#include <atomic>
#include <ctime>

namespace tilestep::guest {
namespace {

std::atomic<const void*> first{nullptr}, last{nullptr};

void note(const void* where) {
  const void* none = nullptr;
  first.compare_exchange_strong(none, where);
  last = where;
}

}  // namespace

ClockReadings takeClockReadings() {
  return {first.exchange(nullptr), last.exchange(nullptr)};
}

}  // namespace tilestep::guest

#define CALLED_FROM __builtin_return_address(0)

// The linker calls these names.
// NOLINTBEGIN(bugprone-reserved-identifier)
extern "C" {

int __real_clock_gettime(clockid_t clock, timespec* time);
int __wrap_clock_gettime(clockid_t clock, timespec* time) {
  tilestep::guest::note(CALLED_FROM);
  return __real_clock_gettime(clock, time);
}

int __real_gettimeofday(timeval* time, void* zone);
int __wrap_gettimeofday(timeval* time, void* zone) {
  tilestep::guest::note(CALLED_FROM);
  return __real_gettimeofday(time, zone);
}

clock_t __real_clock();
clock_t __wrap_clock() {
  tilestep::guest::note(CALLED_FROM);
  return __real_clock();
}

// std::chrono::steady_clock::now and std::chrono::system_clock::now, which return an integer.
long __real__ZNSt6chrono3_V212steady_clock3nowEv();
long __wrap__ZNSt6chrono3_V212steady_clock3nowEv() {
  tilestep::guest::note(CALLED_FROM);
  return __real__ZNSt6chrono3_V212steady_clock3nowEv();
}

long __real__ZNSt6chrono3_V212system_clock3nowEv();
long __wrap__ZNSt6chrono3_V212system_clock3nowEv() {
  tilestep::guest::note(CALLED_FROM);
  return __real__ZNSt6chrono3_V212system_clock3nowEv();
}

}  // extern "C"
// NOLINTEND(bugprone-reserved-identifier)
