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

/// The messages between client and worker, and their encoding: one CBOR map per frame, with `type`,
/// `id` and `body`. Traces, pictures and counters are byte strings of little-endian columns.
/// Decoding validates everything: a missing, mistyped or impossible field is an Error with the
/// field's name.
namespace tilestep::worker {

/// The first message of each side. The two sides' messages differ ("hello", "welcome"), so a
/// command that echoes its input is not mistaken for a worker. The frame's header has already been
/// checked.
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
/// Continues until cancelled or failed. Sends device::LiveBatch messages, then the answer.
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

struct Begun {};  ///< The request begins. If the worker dies now, this request may be the cause.
struct Beat {};   ///< A sign of life, with id 0.
struct Stage {
  std::string stage;
  std::optional<double> fraction;  ///< Finished share of the stage, if known.
};

/// An answer. Hello, Begun, Stage, LiveBatch and Beat leave their request open. Id 0 answers a
/// request that could not be decoded.
struct Answer {
  uint64_t id = 0;
  std::variant<Hello, Begun, Stage, lab::ResultPointer, DevicesReply, device::Ceilings, std::string,
               Error, Beat, device::LiveBatch>
      body;
};

[[nodiscard]] std::vector<std::byte> encode(const Request& request);
[[nodiscard]] std::vector<std::byte> encode(const Answer& answer);

/// The Error describes the invalid field; idOf() can still find the request to answer.
Result<Request> decodeRequest(std::span<const std::byte> frame);
Result<Answer> decodeAnswer(std::span<const std::byte> frame);
[[nodiscard]] uint64_t idOf(std::span<const std::byte> frame);

}  // namespace tilestep::worker
