// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lab/experiment.h"
#include "worker/client.h"

namespace tilestep::model {

/// How urgent a job is, the most urgent first; the levels are named for what they were made for.
/// The first five are sent as soon as they are due. The others are patient: they wait until nothing
/// more urgent is asked for. Those from `lesson` on are interrupted by what is more urgent, and
/// asked again afterwards; `live` gives way to questions as well.
enum class Urgency : uint8_t {
  scene,
  sceneCompanion,
  figures,
  figuresCompanion,
  reference,
  timeline,
  library,
  lesson,
  count,
  sweep,
  live
};

/// One thing that is asked for again and again, each time for another experiment.
struct Job {
  std::string_view name;  ///< A feature's id, or a name of the model's own; a literal.
  Urgency urgency = Urgency::scene;
};

/// A text that two experiments share where they are the same request to a worker: it is made of the
/// message that the worker gets, so whatever reaches the worker is in it.
[[nodiscard]] std::string keyOf(const lab::Experiment& experiment);

/// An answer to a job or a question.
struct Arrival {
  std::string job;        ///< The job's name, or who asked the question.
  bool question = false;  ///< It answers one about devices, ceilings or PTX.
  std::string key;        ///< keyOf the experiment, or what was asked about.
  worker::Reply reply;
};

/// Keeps one wanted experiment for each job. A newer one replaces an older one that waits, and
/// cancels it when it runs. An experiment that two jobs want runs once and answers both. Never
/// blocks. One thread.
class Jobs {
 public:
  /// Nothing is sent until there is a client.
  void connect(std::unique_ptr<worker::Client> client) { client_ = std::move(client); }
  [[nodiscard]] bool connected() const { return client_ != nullptr; }

  /// Asks for `experiment` at `notBefore` (seconds) or later. Asking for what the job already waits
  /// for or runs changes nothing.
  void want(const Job& job, lab::Experiment experiment, double notBefore);
  /// Forgets what the job waits for and cancels what it runs.
  void drop(const Job& job);
  /// The answer comes from "devices".
  void askDevices() { devicesWanted_ = true; }
  /// The answer comes from "ceilings", with the device as its key.
  void askCeilings(const std::string& device);
  /// The answer comes from `who`.
  void askPtx(std::string_view who, const std::string& key, const lab::Experiment& experiment);

  /// Sends what is due and returns what arrived.
  std::vector<Arrival> poll(double now);

  [[nodiscard]] bool waitsOrRuns(const Job& job) const;
  /// Something more urgent than `job` waits or runs.
  [[nodiscard]] bool busyBefore(const Job& job) const;
  /// Live mode is no business: it goes on as long as it is looked at.
  [[nodiscard]] bool busy() const;
  /// Live mode waits or runs.
  [[nodiscard]] bool streams() const;
  /// Samples of the live mode that runs, the oldest first; `fresh`: its stream has just begun.
  struct Samples {
    std::vector<device::LiveBatch> batches;
    bool fresh = false;
  };
  [[nodiscard]] Samples takeSamples(const Job& job);
  /// The newest progress sentence of a running experiment; empty when none runs.
  [[nodiscard]] const std::string& stage() const { return stage_; }
  /// When the earliest waiting request is due; absent when none waits. Live mode is left out.
  [[nodiscard]] std::optional<double> nextDue() const;

 private:
  struct Waiting {
    lab::Experiment experiment;
    std::string key;
    double notBefore = 0;
  };
  struct Running {
    uint64_t id = 0;
    Waiting request;
    bool again = false;  ///< Interrupted: ask again when its answer has come.
  };
  struct State {
    Job job;
    std::optional<Waiting> waiting;
    std::optional<Running> running;
  };
  struct Question {
    uint64_t id = 0;
    std::string asker, key;
  };
  struct PtxQuestion {
    std::string asker, key;
    lab::Experiment experiment;
  };

  State& at(const Job& job);
  [[nodiscard]] const State* find(const Job& job) const;
  [[nodiscard]] bool isPossible(const State& state, double now) const;
  void send(double now);
  void interrupt(State& state);
  [[nodiscard]] bool asks() const;
  void accept(worker::Reply reply, std::vector<Arrival>& to);

  std::unique_ptr<worker::Client> client_;
  std::vector<State> states_;  ///< By urgency.
  std::vector<Question> questions_;
  std::vector<std::string> ceilingsWanted_;
  std::optional<PtxQuestion> ptxWanted_;
  bool devicesWanted_ = false;
  uint64_t sampledId_ = 0;  ///< The stream whose samples were taken last.
  std::string stage_;
};

}  // namespace tilestep::model
