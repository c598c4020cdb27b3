// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lab/experiment.h"
#include "worker/client.h"

namespace tilestep::model {

/// The experiments a window asks for, the most urgent first.
enum class Slot : uint8_t {
  sceneMain,
  sceneCompanion,
  measureMain,
  measureCompanion,
  reference,  ///< What tiling is compared with, where it does not stand beside the kernel.
  timeline,
  library,  ///< The same product by cuBLAS.
  lesson,   ///< A small run whose values a lesson shows.
  count,
  sweep,  ///< One point of a sweep: waits for all but live mode.
  live    ///< The same launch again and again, while nothing else is asked for.
};
constexpr size_t kSlots = 11;

/// A text that two experiments share where they are the same request to a worker: it is made of the
/// message that the worker gets, so whatever reaches the worker is in it.
[[nodiscard]] std::string keyOf(const lab::Experiment& experiment);

/// What came back for a slot, or for a question about devices or ceilings (`slot` absent).
struct Arrival {
  std::optional<Slot> slot;
  std::string key;  ///< keyOf the experiment that was asked, or the asked device's name.
  worker::Reply reply;
};

/// Keeps one wanted experiment a slot. A newer one replaces an older one that waits, and cancels it
/// when it runs; a more urgent one interrupts a lesson's run, an on-demand count or a sweep's
/// point, and anything interrupts live mode; all are asked again afterwards. Timelines, lessons,
/// counts, sweeps and live mode wait until nothing more urgent is asked for. Never blocks. One
/// thread.
class Requests {
 public:
  /// Requests wait until there is a client.
  void connect(std::unique_ptr<worker::Client> client) { client_ = std::move(client); }
  [[nodiscard]] bool connected() const { return client_ != nullptr; }

  /// Asks for `experiment` at `notBefore` (seconds) or later. Asking for what the slot already
  /// waits for or runs changes nothing.
  void want(Slot slot, lab::Experiment experiment, double notBefore);
  /// Forgets what the slot waits for and cancels what it runs.
  void drop(Slot slot);
  void askDevices() { devicesWanted_ = true; }
  void askCeilings(const std::string& device);
  /// The arrival's key is "ptx " and this one.
  void askPtx(const std::string& key, const lab::Experiment& experiment);

  /// Sends what is due and returns what arrived.
  std::vector<Arrival> poll(double now);

  [[nodiscard]] bool waitsOrRuns(Slot slot) const;
  /// Something more urgent than `slot` waits or runs.
  [[nodiscard]] bool busyBefore(Slot slot) const;
  /// Live mode is no business: it goes on as long as it is looked at.
  [[nodiscard]] bool busy() const;
  /// Samples of the live mode that runs, the oldest first; `fresh`: its stream has just begun.
  struct Samples {
    std::vector<device::LiveBatch> batches;
    bool fresh = false;
  };
  [[nodiscard]] Samples takeSamples();
  /// The newest progress sentence of a running experiment; empty when none runs.
  [[nodiscard]] const std::string& stage() const { return stage_; }
  /// When the earliest waiting request is due; absent when none waits.
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
    std::optional<Waiting> waiting;
    std::optional<Running> running;
  };
  struct Question {
    uint64_t id = 0;
    std::string key;
  };

  State& at(Slot slot) { return slots_[static_cast<size_t>(slot)]; }
  void send(double now);
  void interrupt(Slot slot);
  [[nodiscard]] bool asks() const;
  std::optional<Arrival> accept(worker::Reply reply);

  std::unique_ptr<worker::Client> client_;
  std::array<State, kSlots> slots_;
  std::vector<Question> questions_;
  std::vector<std::string> ceilingsWanted_;
  std::optional<std::pair<std::string, lab::Experiment>> ptxWanted_;
  bool devicesWanted_ = false;
  uint64_t sampledId_ = 0;  ///< The stream whose samples were taken last.
  std::string stage_;
};

}  // namespace tilestep::model
