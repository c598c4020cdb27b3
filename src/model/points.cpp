// SPDX-License-Identifier: Apache-2.0
#include "model/points.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "lab/points/points_file.h"

namespace tilestep::model {

Points::~Points() {
  {
    const std::lock_guard lock(mutex_);
    isEnding_ = true;
  }
  wake_.notify_one();
  if (thread_.joinable()) thread_.join();
}

void Points::post(Task task) {
  if (!isKept()) return task.answer(nullptr);
  {
    const std::lock_guard lock(mutex_);
    unanswered_ += task.answer ? 1 : 0;
    tasks_.push_back(std::move(task));
  }
  if (!thread_.joinable()) thread_ = std::thread([this] { work(); });
  wake_.notify_one();
}

void Points::work() {
  Result<lab::Database> file = lab::openPoints(path_);
  std::unique_lock lock(mutex_);
  for (;;) {
    wake_.wait(lock, [this] { return isEnding_ || !tasks_.empty(); });
    if (tasks_.empty()) return;
    const std::deque<Task> tasks = std::exchange(tasks_, {});
    lock.unlock();
    Status done = file ? Status() : Status(file.error());
    if (file && std::ranges::any_of(tasks, [](const Task& task) { return bool{task.write}; }))
      done = file->write([&]() -> Status {
        Status written;
        for (const Task& task : tasks)
          if (written && task.write) written = task.write(*file);
        return written;
      });
    lock.lock();
    if (!done && !std::exchange(hasFailed_, true)) trouble_ = done.error();
    lock.unlock();
    for (const Task& task : tasks)
      if (task.answer) task.answer(file ? &*file : nullptr);
    lock.lock();
    const auto answered = static_cast<size_t>(
        std::ranges::count_if(tasks, [](const Task& task) { return bool{task.answer}; }));
    unanswered_ -= answered;
    hasArrived_ |= answered > 0;
  }
}

bool Points::reading() const {
  const std::lock_guard lock(mutex_);
  return unanswered_ > 0 || hasArrived_;
}

bool Points::arrived() {
  const std::lock_guard lock(mutex_);
  return std::exchange(hasArrived_, false);
}

std::optional<Error> Points::takeTrouble() {
  const std::lock_guard lock(mutex_);
  return std::exchange(trouble_, std::nullopt);
}

std::shared_ptr<const lab::DeviceTuned> Points::tuned(const std::string& device) {
  using namespace std::chrono_literals;
  KnownTuned& of = tuned_[device];
  if (!of.known && !of.coming.valid()) readTunedAgain(device);
  if (of.coming.valid() && of.coming.wait_for(0s) == std::future_status::ready)
    of.known = std::make_shared<const lab::DeviceTuned>(of.coming.get());
  return of.known;
}

void Points::readTunedAgain(const std::string& device) {
  tuned_[device].coming =
      ask<lab::DeviceTuned>([device, shipped = shipped_](const lab::Database* file) {
        return lab::readTuned(file, shipped, device);
      });
}

bool Points::isReadingTuned(const std::string& device) const {
  using namespace std::chrono_literals;
  const auto at = tuned_.find(device);
  return at != tuned_.end() && at->second.coming.valid() &&
         at->second.coming.wait_for(0s) != std::future_status::ready;
}

}  // namespace tilestep::model
