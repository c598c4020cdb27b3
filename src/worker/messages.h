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
/// Decoding trusts nothing: a missing, mistyped or impossible field is an Error that names it.
namespace tilestep::worker {

/// The first message of either side ("hello", "welcome": a command that sends back what it gets is
/// no worker). The frame's header has been checked by then.
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
/// Continues until it is cancelled or fails: one device::LiveBatch after the other, then the
/// answer.
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

struct Begun {};  ///< The request begins now, so it may be the one that ends the worker.
struct Beat {};   ///< A sign of life, of id 0.
struct Stage {
  std::string stage;
  std::optional<double> fraction;  ///< Finished share of the stage, if known.
};

/// An answer; Hello, Begun, Stage, LiveBatch and Beat leave their request open. Id 0: to no request
/// that could be read.
struct Answer {
  uint64_t id = 0;
  std::variant<Hello, Begun, Stage, lab::ResultPointer, DevicesReply, device::Ceilings, std::string,
               Error, Beat, device::LiveBatch>
      body;
};

[[nodiscard]] std::vector<std::byte> encode(const Request& request);
[[nodiscard]] std::vector<std::byte> encode(const Answer& answer);

/// Where the body is wrong the Error says so; `idOf` then still finds whom to answer.
Result<Request> decodeRequest(std::span<const std::byte> frame);
Result<Answer> decodeAnswer(std::span<const std::byte> frame);
[[nodiscard]] uint64_t idOf(std::span<const std::byte> frame);

}  // namespace tilestep::worker
