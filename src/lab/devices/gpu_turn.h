// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/result.h"
#include "device/device.h"
#include "lab/devices/gpu_tickets.h"

namespace tilestep::lab {

/// The queues of all users of a machine have to lie in one folder, so TMPDIR has no part in it.
constexpr const char* kQueueFolder = "/tmp";

/// A turn on a GPU of this machine, which one Tilestep at a time has, whoever started it, because
/// two would spoil each other's times. It lasts as long as the object lives, and ends with the
/// process. docs/architecture/worker.md describes the queue.
class GpuTurn {
 public:
  /// Holds nothing.
  GpuTurn() = default;
  GpuTurn(GpuTurn&& other) noexcept
      : tickets_(std::exchange(other.tickets_, std::nullopt)),
        id_(other.id_),
        note_(std::move(other.note_)) {}
  GpuTurn& operator=(GpuTurn&& other) noexcept;
  ~GpuTurn() { end(); }

  /// Told how long it has waited and where it is in the queue.
  using Waiting = std::function<void(int seconds, const QueuePlace& place)>;

  /// Waits for its turn on the GPU at `gpu` (DeviceInfo::place). `waiting` is called at once, every
  /// second, and whenever the place changes. Errors: cancelled, or `patience` at its end, which
  /// names who uses the GPU; both are noticed in the middle of a look at very many files, too.
  static Result<GpuTurn> take(const std::string& folder, const std::string& gpu,
                              const device::Cancelled& cancelled, const Waiting& waiting,
                              std::chrono::seconds patience = std::chrono::minutes(30));

  [[nodiscard]] bool isHeld() const { return tickets_.has_value(); }
  /// Why others may use the GPU at the same time, in a sentence without a full stop: the queue's
  /// folder cannot be used, or somebody who had the GPU for too long, or out of turn, was passed
  /// over. Else empty.
  [[nodiscard]] const std::string& note() const { return note_; }

 private:
  explicit GpuTurn(std::string note) : note_(std::move(note)) {}
  void end();

  std::optional<GpuTickets> tickets_;
  TicketId id_;
  std::string note_;
};

/// What the texts of waiting begin with.
inline constexpr std::string_view kWaitsFor = "waiting for ";

/// "waiting for the NVIDIA H200, 12 s: 2nd of 3 in the queue; alice's process 123 uses it"
[[nodiscard]] std::string waitingText(const std::string& gpuName, int seconds,
                                      const QueuePlace& place);

}  // namespace tilestep::lab
