// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <functional>

#include "lab/lab.h"
#include "worker/client.h"

namespace tilestep::web {

/// A client whose lab is in the same process. poll() runs the next request to its end, so a request
/// can only be cancelled before it begins. One thread only.
class DirectClient : public worker::Client {
 public:
  explicit DirectClient(lab::Options options) : lab_(std::move(options)) {}

  uint64_t run(const lab::Experiment& experiment) override;
  uint64_t devices() override;
  uint64_t ceilings(const std::string& device) override;
  uint64_t ptx(const lab::Experiment& experiment, bool instrumented) override;
  uint64_t live(const lab::Experiment& experiment) override;
  std::optional<device::LiveBatch> samples(uint64_t /*id*/) override { return std::nullopt; }
  void cancel(uint64_t id) override;
  std::optional<worker::Reply> poll() override;
  std::optional<worker::Progress> progress() override { return std::nullopt; }
  worker::Reply wait(uint64_t id) override;

 private:
  using Body = decltype(worker::Reply::body);
  struct Request {
    uint64_t id = 0;
    std::function<Body()> work;
    bool isCancelled = false;
  };
  uint64_t add(std::function<Body()> work);
  worker::Reply answerNext();

  lab::Lab lab_;
  uint64_t last_ = 0;
  std::deque<Request> requests_;
  std::deque<worker::Reply> answered_;  ///< By wait(), for poll().
};

}  // namespace tilestep::web
