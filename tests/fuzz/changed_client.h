// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "fuzz/answer_changes.h"
#include "worker/client.h"
#include "worker/messages.h"

namespace tilestep::fuzz {

/// A valid answer of a worker with contents in every field, made from toy traces. Error: the launch
/// is not legal.
[[nodiscard]] Result<lab::RunResult> fullResult(const lab::Experiment& experiment);

/// A client whose worker answers every request with changed values. Each answer is encoded, changed
/// and decoded. A refused answer becomes that Error, as in worker::Client.
class ChangedClient : public worker::Client {
 public:
  struct Told {  ///< Outlives the client, which the session owns.
    size_t answers = 0, refused = 0;
    std::vector<lab::RunResult> results;  ///< Accepted results.
    std::string trouble;                  ///< A violation that was found; empty if there is none.
  };
  ChangedClient(AnswerChanges& changes, std::shared_ptr<Told> told)
      : changes_(changes), told_(std::move(told)) {}

  uint64_t run(const lab::Experiment& experiment) override;
  uint64_t devices() override;
  uint64_t ceilings(const std::string& device) override;
  uint64_t ptx(const lab::Experiment& experiment, bool instrumented) override;
  uint64_t live(const lab::Experiment& experiment) override;
  std::optional<device::LiveBatch> samples(uint64_t id) override;
  void cancel(uint64_t id) override;
  std::optional<worker::Reply> poll() override;
  std::optional<worker::Progress> progress() override;
  worker::Reply wait(uint64_t id) override;

 private:
  [[nodiscard]] std::optional<worker::Answer> sent(const worker::Answer& answer);
  template <class Body>
  uint64_t answer(Body body);

  AnswerChanges& changes_;
  std::shared_ptr<Told> told_;
  std::deque<worker::Reply> replies_;
  uint64_t next_ = 1, stream_ = 0;
};

}  // namespace tilestep::fuzz
