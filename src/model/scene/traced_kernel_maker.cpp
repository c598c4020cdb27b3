// SPDX-License-Identifier: Apache-2.0
#include "model/scene/traced_kernel_maker.h"

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include <algorithm>
#include <chrono>
#include <utility>

namespace tilestep::model {
namespace {

#ifdef __GLIBC__
/// In bytes. After shorter recordings the memory is kept for the next recording, because requesting
/// it from the operating system again takes time.
constexpr size_t kLongRecording = size_t{8} << 20;
#endif

/// Gives the memory of a long recording back to the operating system: dividing the recording into
/// steps needs much more memory than the result.
void freeMemoryAfter([[maybe_unused]] const std::shared_ptr<const TracedKernel>& side) {
#ifdef __GLIBC__
  if (side && side->replay && side->replay->recording().bytes() > kLongRecording) malloc_trim(0);
#endif
}

}  // namespace

void TracedKernelMaker::start(const Job& job, std::string key, Make make) {
  drop(job);
  wanted_[job.name] = {++last_, key};
  tasks_.push_back({job, std::move(key), std::move(make), last_});
  beginNext();
}

void TracedKernelMaker::drop(const Job& job) {
  wanted_[job.name] = {};
  std::erase_if(tasks_, [&](const Task& task) { return task.job.name == job.name; });
}

bool TracedKernelMaker::makes(const Job& job, const std::string& key) const {
  const auto wanted = wanted_.find(job.name);
  return wanted != wanted_.end() && wanted->second.number != 0 && wanted->second.key == key;
}

bool TracedKernelMaker::busy() const {
  return std::ranges::any_of(wanted_, [](const auto& one) { return one.second.number != 0; });
}

std::vector<TracedKernelMaker::Made> TracedKernelMaker::take() {
  using namespace std::chrono_literals;
  std::vector<Made> made;
  while (inProgress_.valid() && inProgress_.wait_for(0s) == std::future_status::ready) {
    Made one = inProgress_.get();
    Wanted& wanted = wanted_[one.job.name];
    if (wanted.number == number_) {
      wanted = {};
      made.push_back(std::move(one));
    }
    beginNext();
  }
  return made;
}

void TracedKernelMaker::beginNext() {
  if (inProgress_.valid() || tasks_.empty()) return;
  Task task = std::move(tasks_.front());
  tasks_.pop_front();
  number_ = task.number;
  inProgress_ = std::async(std::launch::async, [task = std::move(task)]() mutable {
    Made made{task.job, std::move(task.key), task.make()};
    task.make = nullptr;  // Frees the captured objects on this thread.
    freeMemoryAfter(made.side);
    return made;
  });
}

}  // namespace tilestep::model
