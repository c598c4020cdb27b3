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

/// The urgency of a job, most urgent first. The levels are named after their first use. The first
/// five are sent as soon as they are due. The others wait until nothing more urgent is requested.
/// Jobs from `lesson` on are interrupted by more urgent jobs and requested again afterwards; `live`
/// also yields to questions.
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

/// A recurring request, whose experiment may differ each time.
struct Job {
  std::string_view
      name;  ///< A feature's id or the name of one of the model's own jobs; a string literal.
  Urgency urgency = Urgency::scene;
};

/// An experiment for a worker, with a key that is the same for equal requests. The key is computed
/// once, from the message to the worker, so it covers everything that reaches the worker. Copies
/// share the experiment.
struct Request {
  Request() = default;             ///< No request, with an empty key.
  Request(lab::Experiment asked);  // NOLINT: an experiment is a request.

  std::shared_ptr<const lab::Experiment> experiment;
  std::string key;
};

struct Arrival {
  std::string
      job;  ///< The job's name. For a question: "devices", "ceilings", or the `who` of askPtx().
  bool question = false;  ///< Whether it answers a question about devices, ceilings or PTX.
  std::string key;        ///< The request's key, or the subject of the question.
  worker::Reply reply;
};

/// Keeps one wanted experiment per job. A newer experiment replaces an older one that is waiting,
/// and cancels an older one that is running. An experiment that two jobs want runs once and answers
/// both. Never blocks. One thread only.
class Jobs {
 public:
  /// Nothing is sent before a client is connected.
  void connect(std::unique_ptr<worker::Client> client) { client_ = std::move(client); }
  [[nodiscard]] bool connected() const { return client_ != nullptr; }

  /// Sends `request` at `notBefore` (seconds) or later. Has no effect if the job is already waiting
  /// for the request or running it.
  void want(const Job& job, Request request, double notBefore);
  /// Drops the job's waiting request and cancels its running one.
  void drop(const Job& job);
  /// Asks for the devices. The reply's job is "devices".
  void askDevices() { devicesWanted_ = true; }
  /// Asks for a device's ceilings. The reply's job is "ceilings", with the device as its key.
  void askCeilings(const std::string& device);
  /// Asks for an experiment's PTX. The reply's job is `who`.
  void askPtx(std::string_view who, const std::string& key, const lab::Experiment& experiment);

  /// Sends everything that is due and returns the replies that have arrived.
  std::vector<Arrival> poll(double now);

  [[nodiscard]] bool waitsOrRuns(const Job& job) const;
  /// Whether a more urgent job than `job` is waiting or running.
  [[nodiscard]] bool busyBefore(const Job& job) const;
  /// Whether a job is waiting or running. Live mode does not count, because it runs for as long as
  /// it is shown.
  [[nodiscard]] bool busy() const;
  /// Whether live mode is waiting or running.
  [[nodiscard]] bool streams() const;
  /// Samples of the running live mode, oldest first. `fresh` is true if its stream has just begun.
  struct Samples {
    std::vector<device::LiveBatch> batches;
    bool fresh = false;
  };
  [[nodiscard]] Samples takeSamples(const Job& job);
  /// The newest progress sentence of a running experiment; empty if none is running.
  [[nodiscard]] const std::string& stage() const { return stage_; }
  /// When the next waiting request can be sent. Absent if none is waiting, if all wait for replies
  /// to other requests, or if there is no client. Ignores live mode.
  [[nodiscard]] std::optional<double> nextDue(double now) const;

 private:
  struct Waiting {
    Request request;
    double notBefore = 0;
  };
  struct Running {
    uint64_t id = 0;
    Waiting sent;
    /// The job was interrupted and will be requested again once its reply has arrived.
    bool again = false;
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
  std::vector<State> states_;  ///< Sorted by urgency.
  std::vector<Question> questions_;
  std::vector<std::string> ceilingsWanted_;
  std::optional<PtxQuestion> ptxWanted_;
  bool devicesWanted_ = false;
  uint64_t sampledId_ = 0;  ///< The stream from which samples were last taken.
  std::string stage_;
};

}  // namespace tilestep::model
