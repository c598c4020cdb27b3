// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <exception>
#include <system_error>
#include <thread>
#include <vector>

namespace tilestep {

/// Calls `work(0)` on this thread and `work(1)` to `work(count - 1)` on new threads, and returns
/// when all calls have ended. If the system does not allow that many threads, some calls are
/// omitted, so the calls must share their work, for example through a common counter. Rethrows the
/// first call's exception, by index.
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
    // Fewer threads share the same work.
  }
  guarded(0);
  for (std::thread& thread : threads) thread.join();
  for (const std::exception_ptr& failure : failures)
    if (failure) std::rethrow_exception(failure);
}

}  // namespace tilestep
