// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <exception>
#include <system_error>
#include <thread>
#include <vector>

namespace tilestep {

/// Calls `work(0)` here and `work(1)`, … up to `count` on threads of their own, and returns when
/// all have ended. There are fewer threads if the system allows no more, so `work` must take its
/// pieces from a shared source. Rethrows an exception of one of them.
template <class Work>
void onThreads(unsigned count, const Work& work) {
  std::vector<std::exception_ptr> failures(count == 0 ? 1 : count);
  const auto guarded = [&](unsigned index) {
    try {
      work(index);
    } catch (...) {
      failures[index] = std::current_exception();
    }
  };
  std::vector<std::thread> threads;
  threads.reserve(failures.size());
  try {
    for (unsigned index = 1; index < count; ++index) threads.emplace_back(guarded, index);
  } catch (const std::system_error&) {
    // Fewer do the same work.
  }
  guarded(0);
  for (std::thread& thread : threads) thread.join();
  for (const std::exception_ptr& failure : failures)
    if (failure) std::rethrow_exception(failure);
}

}  // namespace tilestep
