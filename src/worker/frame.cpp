// SPDX-License-Identifier: Apache-2.0
#include "worker/frame.h"

#include <algorithm>
#include <cstring>
#include <string>

#include "base/bytes.h"

namespace tilestep::worker {
namespace {

/// Bytes received instead of a frame, reduced to printable text.
std::string printable(std::span<const std::byte> bytes) {
  std::string text;
  for (const std::byte b : bytes) {
    const auto c = static_cast<char>(b);
    text += c >= ' ' && c <= '~' ? c : '.';
  }
  return text;
}

}  // namespace

std::array<std::byte, kHeaderBytes> frameHeader(uint64_t length) {
  ByteWriter writer;
  writer.putBytes(std::as_bytes(std::span(kMagic)));
  writer.put(kProtocolVersion);
  writer.put(length);
  const std::vector<std::byte> bytes = writer.take();
  std::array<std::byte, kHeaderBytes> header{};
  std::copy(bytes.begin(), bytes.end(), header.begin());
  return header;
}

Result<uint64_t> readFrameHeader(std::span<const std::byte, kHeaderBytes> header, uint64_t most) {
  if (std::memcmp(header.data(), kMagic.data(), kMagic.size()) != 0) {
    return workError("the other side does not use Tilestep's protocol: it sent \"" +
                     printable(header) + "\"; check the worker's command");
  }
  ByteReader rest(header.subspan(kMagic.size()));
  const uint32_t version = *rest.get<uint32_t>();
  const uint64_t length = *rest.get<uint64_t>();
  if (version != kProtocolVersion) {
    return workError("the other side uses protocol version " + std::to_string(version) +
                     ", this program version " + std::to_string(kProtocolVersion) +
                     "; install the same Tilestep on both");
  }
  if (length > most) {
    return workError("the other side announces a message of " + std::to_string(length) +
                     " bytes; at most " + std::to_string(most) + " are accepted");
  }
  return length;
}

Status FrameBuffer::feed(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    if (!length_) {
      const size_t count = std::min(bytes.size(), kHeaderBytes - header_.size());
      header_.insert(header_.end(), bytes.begin(), bytes.begin() + static_cast<ptrdiff_t>(count));
      bytes = bytes.subspan(count);
      if (header_.size() < kHeaderBytes) return {};
      const auto length = readFrameHeader(std::span(header_).first<kHeaderBytes>(), most_);
      if (!length) return length.error();
      length_ = *length;
    }
    const auto wanted = static_cast<size_t>(*length_) + 1 - body_.size();
    const size_t count = std::min(bytes.size(), wanted);
    body_.insert(body_.end(), bytes.begin(), bytes.begin() + static_cast<ptrdiff_t>(count));
    bytes = bytes.subspan(count);
    if (count < wanted) return {};
    if (body_.back() != kFrameEnd) {
      return workError(
          "a message does not end where its length says; the connection alters the data");
    }
    body_.pop_back();
    complete_.push_back(std::move(body_));
    body_ = {};
    header_.clear();
    length_.reset();
  }
  return {};
}

std::optional<std::vector<std::byte>> FrameBuffer::next() {
  if (taken_ == complete_.size()) return std::nullopt;
  std::vector<std::byte> frame = std::move(complete_[taken_++]);
  if (taken_ == complete_.size()) {
    complete_.clear();
    taken_ = 0;
  }
  return frame;
}

}  // namespace tilestep::worker
