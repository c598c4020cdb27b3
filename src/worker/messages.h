// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "base/result.h"
#include "worker/client.h"

/// The messages between client and worker and their encoding: one CBOR map per frame, with `type`,
/// `id` and `body`. Traces, pictures and counters are byte strings of little-endian columns.
/// Decoding validates everything: a missing, mistyped or impossible field is an Error that names
/// it.
namespace tilestep::worker {

/// The first message of either side. They differ ("hello", "welcome"), so a command that echoes its
/// input is not mistaken for a worker. The frame's header has been checked by then.
struct Hello {
  uint32_t version = 0;  ///< kProtocolVersion
};
struct RunRequest {
  lab::Experiment experiment;
};
struct DevicesRequest {};
struct CeilingsRequest {
  std::string device;
};
struct PtxRequest {
  lab::Experiment experiment;
  bool instrumented = false;
};
/// Continues until it is cancelled or fails: a sequence of device::LiveBatch, then the answer.
struct LiveRequest {
  lab::Experiment experiment;
};
struct CancelRequest {};  ///< Cancels the request with the same id.

struct Request {
  uint64_t id = 0;
  std::variant<Hello, RunRequest, DevicesRequest, CeilingsRequest, PtxRequest, CancelRequest,
               LiveRequest>
      body;
};

struct Begun {};  ///< The request begins now; if the worker dies, this request may be the cause.
struct Beat {};   ///< A sign of life, with id 0.
struct Stage {
  std::string stage;
  std::optional<double> fraction;  ///< Finished share of the stage, if known.
};

/// An answer. Hello, Begun, Stage, LiveBatch and Beat leave their request open. Id 0: in reply to a
/// request that could not be decoded.
struct Answer {
  uint64_t id = 0;
  std::variant<Hello, Begun, Stage, lab::ResultPointer, DevicesReply, device::Ceilings, std::string,
               Error, Beat, device::LiveBatch>
      body;
};

[[nodiscard]] std::vector<std::byte> encode(const Request& request);
[[nodiscard]] std::vector<std::byte> encode(const Answer& answer);

/// The Error names an invalid body; `idOf` can still find the request to answer.
Result<Request> decodeRequest(std::span<const std::byte> frame);
Result<Answer> decodeAnswer(std::span<const std::byte> frame);
[[nodiscard]] uint64_t idOf(std::span<const std::byte> frame);

}  // namespace tilestep::worker
