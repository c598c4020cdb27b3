// SPDX-License-Identifier: Apache-2.0
#include "model/traced_kernel_maker.h"

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include <algorithm>
#include <utility>

namespace tilestep::model {

TracedKernelMaker::~TracedKernelMaker() {
  {
    const std::lock_guard lock(mutex_);
    ends_ = true;
    jobs_.clear();
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void TracedKernelMaker::start(Slot slot, std::string key, Make make) {
  drop(slot);
  wanted_[static_cast<size_t>(slot)] = {++last_, key};
  {
    const std::lock_guard lock(mutex_);
    jobs_.push_back({slot, std::move(key), std::move(make), last_});
  }
  if (!thread_.joinable()) thread_ = std::thread([this] { work(); });
  changed_.notify_all();
}

void TracedKernelMaker::drop(Slot slot) {
  wanted_[static_cast<size_t>(slot)] = {};
  const std::lock_guard lock(mutex_);
  std::erase_if(jobs_, [&](const Job& job) { return job.slot == slot; });
}

bool TracedKernelMaker::makes(Slot slot, const std::string& key) const {
  const Wanted& wanted = wanted_[static_cast<size_t>(slot)];
  return wanted.number != 0 && wanted.key == key;
}

bool TracedKernelMaker::busy() const {
  return std::ranges::any_of(wanted_, [](const Wanted& wanted) { return wanted.number != 0; });
}

std::vector<TracedKernelMaker::Made> TracedKernelMaker::take() {
  std::vector<std::pair<uint64_t, Made>> done;
  {
    const std::lock_guard lock(mutex_);
    done.swap(done_);
  }
  std::vector<Made> made;
  for (auto& [number, one] : done) {
    Wanted& wanted = wanted_[static_cast<size_t>(one.slot)];
    if (wanted.number != number) continue;
    wanted = {};
    made.push_back(std::move(one));
  }
  return made;
}

void TracedKernelMaker::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return ends_ || !jobs_.empty(); });
    if (ends_) return;
    Job job = std::move(jobs_.front());
    jobs_.pop_front();
    lock.unlock();
    Made made{job.slot, std::move(job.key), job.make()};
    job.make = nullptr;  // What it held is freed here.
#ifdef __GLIBC__
    malloc_trim(0);  // A long trace needs much more while it is cut than afterwards.
#endif
    lock.lock();
    done_.emplace_back(job.number, std::move(made));
  }
}

}  // namespace tilestep::model
