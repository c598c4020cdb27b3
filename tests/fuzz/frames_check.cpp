// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <vector>

#include "base/tree_archive.h"
#include "fuzz/checks.h"
#include "worker/frame.h"
#include "worker/messages.h"
#include "worker/prelude.h"

namespace tilestep::fuzz {
namespace {

using Bytes = std::vector<std::byte>;

template <class Decode>
std::string sayAgain(std::span<const std::byte> body, Decode decode) {
  const auto message = decode(body);
  if (!message) return message.error().message.empty() ? "a refusal without a reason" : "";
  const Bytes again = encode(*message);
  const auto read = decode(again);
  if (!read) return "what was said again is refused: " + read.error().message;
  return encode(*read) == again ? "" : "what was said again is another message";
}

std::string checkBody(std::span<const std::byte> body) {
  const bool whole = checkCbor(body).ok();
  if (!whole && (worker::decodeRequest(body) || worker::decodeAnswer(body))) {
    return "a body that the scanner refuses is decoded";
  }
  if (!whole && worker::idOf(body) != 0) return "a body that the scanner refuses has an id";
  const std::string trouble = sayAgain(body, worker::decodeRequest);
  return trouble.empty() ? sayAgain(body, worker::decodeAnswer) : trouble;
}

/// The frames of a stream that arrives `cut` bytes at a time, up to a refused frame.
std::vector<Bytes> framesOf(std::span<const std::byte> stream, size_t cut) {
  worker::Prelude prelude;
  worker::FrameBuffer buffer;
  std::vector<Bytes> frames;
  for (size_t at = 0; at < stream.size(); at += cut) {
    const auto piece = prelude.feed(stream.subspan(at, std::min(cut, stream.size() - at)));
    const bool goesOn = piece && buffer.feed(*piece).ok();
    while (auto frame = buffer.next()) frames.push_back(std::move(*frame));
    if (!goesOn) break;
  }
  return frames;
}

}  // namespace

std::string checkFrames(std::span<const std::byte> stream) {
  const std::vector<Bytes> frames = framesOf(stream, std::max<size_t>(stream.size(), 1));
  size_t bytes = 0;
  for (const Bytes& frame : frames) bytes += frame.size() + worker::kHeaderBytes;
  if (bytes > stream.size()) return "more came out than went in";
  for (const size_t cut : {size_t{1}, size_t{7}, size_t{16}}) {
    if (framesOf(stream, cut) != frames) return "frames depend on how the stream is cut";
  }
  for (const Bytes& frame : frames) {
    if (std::string trouble = checkBody(frame); !trouble.empty()) return trouble;
  }
  return checkBody(stream);
}

}  // namespace tilestep::fuzz
