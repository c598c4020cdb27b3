// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <optional>
#include <string>

#include "base/bytes.h"
#include "base/tree_archive.h"

namespace tilestep {
namespace {

/// Major types and the values of additional information (RFC 8949, section 3).
enum Major : uint8_t { kBytes = 2, kText = 3, kList = 4, kMap = 5, kTag = 6, kSimple = 7 };
constexpr uint8_t kOneByte = 24;
constexpr uint8_t kEightBytes = 27;

Error refusal(const std::string& why) {
  return workError("invalid CBOR: " + why);
}

/// Scans the items in order; counts the items left in open lists instead of recursing into them.
class Scanner {
 public:
  Scanner(std::span<const std::byte> body, uint64_t mostItems)
      : reader_(body), mostItems_(mostItems) {}

  Status scan() {
    do {
      if (const Status status = item(); !status) return status;
      while (depth_ > 0 && open_[depth_ - 1] == 0) --depth_;
    } while (depth_ > 0);
    if (reader_.left() > 0) return refusal("trailing bytes");
    return {};
  }

 private:
  Status item() {
    if (depth_ > 0) --open_[depth_ - 1];
    if (++items_ > mostItems_) return refusal("more than " + std::to_string(mostItems_) + " items");
    const auto head = reader_.get<uint8_t>();
    if (!head) return refusal("it is cut off");
    const auto major = static_cast<uint8_t>(*head >> 5);
    const auto info = static_cast<uint8_t>(*head & 31);
    if (major == kTag) return refusal("it uses a tag");
    if (info > kEightBytes) return refusal("it uses an indefinite or reserved length");
    const auto argument = argumentOf(info);
    if (!argument) return refusal("it is cut off");
    if (major == kBytes || major == kText) {
      if (*argument > reader_.left()) return refusal("it is cut off");
      reader_.getBytes(static_cast<size_t>(*argument));
    }
    if (major == kList || major == kMap) return enter(major, *argument);
    return {};
  }

  std::optional<uint64_t> argumentOf(uint8_t info) {
    if (info < kOneByte) return info;
    const size_t count = size_t{1} << (info - kOneByte);
    const auto bytes = reader_.getBytes(count);
    if (!bytes) return std::nullopt;
    uint64_t value = 0;
    for (const std::byte b : *bytes) value = (value << 8) | static_cast<uint64_t>(b);
    return value;
  }

  Status enter(uint8_t major, uint64_t count) {
    // Every entry needs at least one byte.
    if (count > reader_.left()) return refusal("it is cut off");
    if (depth_ == kMostCborDepth) {
      return refusal("nested more than " + std::to_string(kMostCborDepth) + " deep");
    }
    open_[depth_++] = major == kMap ? count * 2 : count;
    return {};
  }

  ByteReader reader_;
  uint64_t mostItems_;
  std::array<uint64_t, kMostCborDepth> open_{};  ///< Items left in each open list.
  size_t depth_ = 0;
  uint64_t items_ = 0;
};

}  // namespace

Status checkCbor(std::span<const std::byte> body, uint64_t mostItems) {
  return Scanner(body, mostItems).scan();
}

}  // namespace tilestep
