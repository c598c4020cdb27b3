// SPDX-License-Identifier: Apache-2.0
#include "features/program/trials.h"

namespace tilestep::features {

void Trials::addAll(std::string slider, const std::vector<std::string>& texts) {
  end();
  if (texts.empty()) return;
  slider_ = std::move(slider);
  texts_.assign(texts.begin(), texts.end());
}

void Trials::end() {
  run_.reset();
  texts_.clear();
  slider_.clear();
}

std::optional<Trials::Ended> Trials::poll(bool waits, const Start& start) {
  if (run_ && !(run_->poll() && run_->hasEnded())) return std::nullopt;
  if (!run_) {
    if (waits || texts_.empty()) return std::nullopt;
    Started started = start(texts_.front());
    if (started) {
      run_ = std::move(*started);
      return std::nullopt;
    }
    Ended refused{std::move(texts_.front()), started.error()};
    texts_.pop_front();
    if (texts_.empty()) slider_.clear();
    return refused;
  }
  Ended ended{std::move(texts_.front()), std::move(run_)};
  texts_.pop_front();
  if (texts_.empty()) slider_.clear();
  return ended;
}

}  // namespace tilestep::features
