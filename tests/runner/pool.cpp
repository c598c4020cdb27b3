// SPDX-License-Identifier: Apache-2.0
#include "runner/pool.h"

#include <deque>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <thread>
#include <utility>

namespace tilestep::runner {
namespace {

/// The interval at which reports and ended processes are noticed.
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
    while (running.size() < settings.jobs && !waiting.empty()) {
      Batch batch = std::move(waiting.front());
      waiting.pop_front();
      const Program& program = programs[batch.program];
      try {
        running.push_back(std::make_unique<TestProcess>(
            program, batch, settings.folder + '/' + std::to_string(++started)));
      } catch (const std::runtime_error& error) {
        for (const std::string& test : batch.tests)
          ended({program.name + ": " + test, Status::failed, 0, error.what(), ""});
      }
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
