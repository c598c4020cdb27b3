// SPDX-License-Identifier: Apache-2.0
#include "model/points.h"

#include <chrono>

#include "lab/points/points_file.h"

namespace tilestep::model {

Points::~Points() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    isEnding_ = true;
  }
  wake_.notify_one();
  thread_.join();
}

void Points::post(Question question) {
  if (!isKept()) {
    question(nullptr);
    return;
  }
  const std::lock_guard lock(mutex_);
  questions_.push_back(std::move(question));
  ++unanswered_;
  start();
}

void Points::write(Write work) {
  if (!isKept()) return;
  const std::lock_guard lock(mutex_);
  writes_.push_back(std::move(work));
  start();
}

void Points::start() {
  hasNews_ = true;
  if (!thread_.joinable()) thread_ = std::thread([this] { work(); });
  wake_.notify_one();
}

void Points::work() {
  std::unique_lock lock(mutex_);
  for (;;) {
    wake_.wait(lock, [this] { return hasNews_ || isEnding_; });
    const bool isLast = isEnding_;
    hasNews_ = false;
    std::deque<Question> questions = std::exchange(questions_, {});
    std::deque<Write> writes = std::exchange(writes_, {});
    lock.unlock();
    Status done;
    if (!database_ && !(questions.empty() && writes.empty())) {
      Result<lab::Database> opened = lab::openPoints(path_);
      if (opened)
        database_ = std::move(*opened);
      else
        done = opened.error();
    }
    if (database_ && !writes.empty()) done = writeAll(writes);
    for (const Question& question : questions) question(database_ ? &*database_ : nullptr);
    lock.lock();
    unanswered_ -= questions.size();
    hasArrived_ |= !questions.empty();
    if (!done) writes_.insert(writes_.begin(), writes.begin(), writes.end());
    if (!done && !isTroubled_) trouble_ = done.error();
    isTroubled_ = !done;
    if (isLast) return;
  }
}

Status Points::writeAll(const std::deque<Write>& writes) {
  return database_->write([&]() -> Status {
    Status done;
    for (const Write& write : writes)
      if (done) done = write(*database_);
    return done;
  });
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

std::future<Result<std::optional<lab::Tuned>>> Points::keep(compile::KernelSpec spec,
                                                            lab::Tuned tuned) {
  using Kept = Result<std::optional<lab::Tuned>>;
  const std::string device = tuned.device;
  auto kept =
      ask<Kept>([spec = std::move(spec), tuned = std::move(tuned)](const lab::Database* file) {
        return file == nullptr ? Kept(workError("the file of points cannot be opened"))
                               : lab::keepTuned(*file, spec, tuned);
      });
  readTunedAgain(device);
  return kept;
}

}  // namespace tilestep::model
