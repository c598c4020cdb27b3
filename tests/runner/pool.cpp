// SPDX-License-Identifier: Apache-2.0
#include "runner/pool.h"

#include <algorithm>
#include <deque>
#include <iterator>
#include <memory>
#include <thread>
#include <utility>

namespace tilestep::runner {
namespace {

/// How soon a report or the end of a process is noticed.
constexpr std::chrono::milliseconds kPause{20};

}  // namespace

void runAll(const std::vector<Program>& programs, std::vector<Batch> batches,
            const PoolSettings& settings, const std::function<void(Outcome)>& ended) {
  std::deque<Batch> waiting(std::make_move_iterator(batches.begin()),
                            std::make_move_iterator(batches.end()));
  std::vector<std::unique_ptr<TestProcess>> running;
  size_t started = 0;
  while (!waiting.empty() || !running.empty()) {
    if (settings.isInterrupted && settings.isInterrupted()) return;
    while (running.size() < std::max<size_t>(settings.jobs, 1) && !waiting.empty()) {
      const Program& program = programs[waiting.front().program];
      running.push_back(std::make_unique<TestProcess>(
          program, std::move(waiting.front()), settings.folder + '/' + std::to_string(++started)));
      waiting.pop_front();
    }
    std::this_thread::sleep_for(kPause);
    std::erase_if(running, [&](const std::unique_ptr<TestProcess>& process) {
      if (!process->update(settings.limit, ended)) return false;
      if (Batch rest = process->rest(); !rest.tests.empty()) waiting.push_front(std::move(rest));
      return true;
    });
  }
}

}  // namespace tilestep::runner
