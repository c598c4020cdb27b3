// SPDX-License-Identifier: Apache-2.0
#include "worker/messages.h"

#include <array>
#include <type_traits>

#include "base/tree_archive.h"
#include "lab/describe.h"

namespace tilestep::worker {
namespace {

constexpr size_t kMostDevices = 1024;

void describeFields(Archive& io, Hello& hello) {
  io("version", hello.version);
}
void describeFields(Archive& io, RunRequest& run) {
  io("experiment", run.experiment);
}
void describeFields(Archive&, DevicesRequest&) {}
void describeFields(Archive& io, CeilingsRequest& ceilings) {
  io("device", ceilings.device);
}
void describeFields(Archive& io, PtxRequest& ptx) {
  io("experiment", ptx.experiment);
  io("instrumented", ptx.instrumented);
}
void describeFields(Archive&, CancelRequest&) {}
void describeFields(Archive& io, LiveRequest& live) {
  io("experiment", live.experiment);
}
void describeFields(Archive& io, Stage& stage) {
  io("stage", stage.stage);
  io("fraction", stage.fraction);
}
void describeFields(Archive&, Begun&) {}
void describeFields(Archive&, Beat&) {}
void describeFields(Archive& io, DevicesReply& reply) {
  io("devices", reply.devices, kMostDevices);
  io("compiler", reply.compiler);
}
void describeFields(Archive& io, std::string& text) {
  io.block("text", text);
}
void describeFields(Archive& io, lab::ResultPointer& result) {
  io("result", result);
}
template <class Value>
void describeFields(Archive& io, Value& value) {
  describe(io, value);
}

/// The names of the alternatives of a message's body, in the order of the variant.
constexpr std::array<const char*, 7> kRequestTypes{"hello", "run",    "devices", "ceilings",
                                                   "ptx",   "cancel", "live"};
constexpr std::array<const char*, 10> kAnswerTypes{"welcome", "begun",    "progress", "result",
                                                   "devices", "ceilings", "text",     "error",
                                                   "beat",    "samples"};

/// Sets the body to the alternative with this index.
template <class Body, size_t I = 0>
void become(Body& body, size_t index) {
  if constexpr (I < std::variant_size_v<Body>) {
    if (index == I)
      body.template emplace<I>();
    else
      become<Body, I + 1>(body, index);
  }
}

template <class Message, size_t N>
void describeMessage(Archive& io, Message& message, const std::array<const char*, N>& types) {
  static_assert(N == std::variant_size_v<decltype(message.body)>);
  size_t type = message.body.index();
  io("id", message.id);
  io("type", type, types);
  if (!io.good()) return;
  if (io.reads()) become(message.body, type);
  io.table("body", [&](Archive& in) {
    std::visit([&](auto& body) { describeFields(in, body); }, message.body);
  });
}

template <class Message, size_t N>
Result<Message> decodeAs(std::span<const std::byte> frame, Trust trust,
                         const std::array<const char*, N>& types) {
  Message message;
  const Status read =
      readCbor(frame, "message", trust, [&](Archive& io) { describeMessage(io, message, types); });
  if (!read) return read.error();
  return message;
}

}  // namespace

// The shared field description needs a mutable reference, but encoding does not modify the request.
std::vector<std::byte> encode(const Request& request) {
  return toCbor(
      [&](Archive& io) { describeMessage(io, const_cast<Request&>(request), kRequestTypes); });
}

std::vector<std::byte> encode(const Answer& answer) {
  return toCbor(
      [&](Archive& io) { describeMessage(io, const_cast<Answer&>(answer), kAnswerTypes); });
}

Result<Request> decodeRequest(std::span<const std::byte> frame) {
  return decodeAs<Request>(frame, Trust::own, kRequestTypes);
}

Result<Answer> decodeAnswer(std::span<const std::byte> frame) {
  return decodeAs<Answer>(frame, Trust::stranger, kAnswerTypes);
}

uint64_t idOf(std::span<const std::byte> frame) {
  uint64_t id = 0;
  const Status read = readCbor(frame, "message", Trust::own, [&](Archive& io) { io("id", id); });
  return read ? id : 0;
}

}  // namespace tilestep::worker
