// SPDX-License-Identifier: Apache-2.0
#include "model/scene/traced_kernel_maker.h"

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include <algorithm>
#include <utility>

namespace tilestep::model {
namespace {

#ifdef __GLIBC__
/// In bytes. After shorter recordings the memory is kept for the next recording, because requesting
/// it from the operating system again takes time.
constexpr size_t kLongRecording = size_t{8} << 20;
#endif

}  // namespace

TracedKernelMaker::~TracedKernelMaker() {
  {
    const std::lock_guard lock(mutex_);
    ends_ = true;
    tasks_.clear();
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void TracedKernelMaker::start(const Job& job, std::string key, Make make) {
  drop(job);
  wanted_[job.name] = {++last_, key};
  {
    const std::lock_guard lock(mutex_);
    tasks_.push_back({job, std::move(key), std::move(make), last_});
  }
  if (!thread_.joinable()) thread_ = std::thread([this] { work(); });
  changed_.notify_all();
}

void TracedKernelMaker::drop(const Job& job) {
  wanted_[job.name] = {};
  const std::lock_guard lock(mutex_);
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
  std::vector<std::pair<uint64_t, Made>> done;
  {
    const std::lock_guard lock(mutex_);
    done.swap(done_);
  }
  std::vector<Made> made;
  for (auto& [number, one] : done) {
    Wanted& wanted = wanted_[one.job.name];
    if (wanted.number != number) continue;
    wanted = {};
    made.push_back(std::move(one));
  }
  return made;
}

void TracedKernelMaker::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return ends_ || !tasks_.empty(); });
    if (ends_) return;
    Task task = std::move(tasks_.front());
    tasks_.pop_front();
    lock.unlock();
    Made made{task.job, std::move(task.key), task.make()};
    task.make = nullptr;  // Frees the captured objects on this thread.
#ifdef __GLIBC__
    // Dividing a long trace into steps needs much more memory than the result.
    if (made.side && made.side->replay && made.side->replay->recording().bytes() > kLongRecording)
      malloc_trim(0);
#endif
    lock.lock();
    done_.emplace_back(task.number, std::move(made));
  }
}

}  // namespace tilestep::model
