// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/result.h"

/// Frames on a byte stream: "TSW1", the protocol's version (u32), the body's length (u64), both
/// little-endian, the body in CBOR (RFC 8949), and a line break. The line break is needed because
/// srun forwards output line by line, and may hold back an unfinished line.
namespace tilestep::worker {

constexpr std::array<char, 4> kMagic{'T', 'S', 'W', '1'};
constexpr uint32_t kProtocolVersion = 18;
constexpr size_t kHeaderBytes = 16;
constexpr std::byte kFrameEnd{'\n'};
constexpr uint64_t kMaxFrameBytes = uint64_t{512} << 20;  ///< The limit for an answer.
/// The limit for a request with a captured launch, which has its memory (program/capture.h), and
/// the limit for any other request.
constexpr uint64_t kMaxRequestBytes = uint64_t{1100} << 20;
constexpr uint64_t kMaxPlainRequestBytes = uint64_t{16} << 20;

[[nodiscard]] std::array<std::byte, kHeaderBytes> frameHeader(uint64_t length);

/// The length that a header announces. Errors: wrong magic, wrong version, a length above `most`.
/// Each has its own message.
Result<uint64_t> readFrameHeader(std::span<const std::byte, kHeaderBytes> header,
                                 uint64_t most = kMaxFrameBytes);

/// Assembles frames from a stream that arrives in pieces. The buffer grows with the data received,
/// so a false length cannot exhaust memory.
class FrameBuffer {
 public:
  /// `most` is the longest accepted body.
  explicit FrameBuffer(uint64_t most = kMaxFrameBytes) : most_(most) {}

  /// Adds bytes. After an Error, the stream cannot be used, because the next frame cannot be found.
  Status feed(std::span<const std::byte> bytes);
  /// The body of the next complete frame.
  std::optional<std::vector<std::byte>> next();
  /// Whether the stream may end here.
  [[nodiscard]] bool betweenFrames() const { return header_.empty() && !length_; }

 private:
  uint64_t most_;
  std::vector<std::byte> header_, body_;
  std::optional<uint64_t> length_;
  std::vector<std::vector<std::byte>> complete_;
  size_t taken_ = 0;
};

}  // namespace tilestep::worker
