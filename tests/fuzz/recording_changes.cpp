// SPDX-License-Identifier: Apache-2.0
#include "fuzz/recording_changes.h"

#include <array>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <vector>

#include "fuzz/checks.h"
#include "lab/recording/packed.h"

namespace tilestep::fuzz {
namespace {

using Json = nlohmann::json;

constexpr size_t kLengthAt = 12, kFixedBytes = 16, kSumBytes = 4;
constexpr size_t kMostChanges = 4;
constexpr size_t kMostBytes = size_t{64} << 20;

constexpr std::array<int64_t, 12> kWholes{0,
                                          1,
                                          33,
                                          4096,
                                          4097,
                                          std::numeric_limits<int32_t>::max(),
                                          std::numeric_limits<uint32_t>::max(),
                                          int64_t{1} << 40,
                                          std::numeric_limits<int64_t>::max(),
                                          std::numeric_limits<int64_t>::min(),
                                          -1,
                                          -2};
constexpr std::array<double, 9> kReals{0.0,
                                       -0.0,
                                       -1.0,
                                       5e-324,
                                       1e-9,
                                       1e18,
                                       1e300,
                                       std::numeric_limits<double>::infinity(),
                                       std::numeric_limits<double>::quiet_NaN()};

class Orders {
 public:
  explicit Orders(std::span<const std::byte> bytes) : bytes_(bytes) {}
  [[nodiscard]] bool areLeft() const { return !bytes_.empty(); }
  /// 0 to count - 1, for count > 0; 0 if no order is left.
  size_t pick(size_t count) {
    size_t value = 0;
    for (int i = 0; i < 2 && !bytes_.empty(); ++i, bytes_ = bytes_.subspan(1))
      value = value << 8 | static_cast<size_t>(bytes_.front());
    return value % count;
  }

 private:
  std::span<const std::byte> bytes_;
};

void collect(Json& tree, std::vector<Json*>& into) {
  into.push_back(&tree);
  if (tree.is_structured())
    for (Json& child : tree) collect(child, into);
}

void changeBytes(Json::binary_t& bytes, Orders& orders) {
  if (bytes.empty() || orders.pick(4) == 0)
    bytes.push_back(static_cast<uint8_t>(orders.pick(256)));
  else if (orders.pick(4) == 0)
    bytes.pop_back();
  else
    bytes[orders.pick(bytes.size())] ^= static_cast<uint8_t>(1U << orders.pick(8));
}

/// Replaces the value by another of its kind, or sometimes of another kind.
void change(Json& value, Orders& orders) {
  const bool keepsKind = orders.pick(4) != 0;
  if (keepsKind && value.is_binary()) return changeBytes(value.get_binary(), orders);
  if (keepsKind && value.is_number_float()) return void(value = kReals[orders.pick(kReals.size())]);
  if (keepsKind && value.is_number()) return void(value = kWholes[orders.pick(kWholes.size())]);
  if (keepsKind && value.is_array() && !value.empty())
    return orders.pick(2) == 0 ? value.erase(value.size() - 1) : value.push_back(value.front());
  const std::array<Json, 6> others{nullptr,
                                   true,
                                   kWholes[orders.pick(kWholes.size())],
                                   std::string(orders.pick(5000), 'x'),
                                   Json::array(),
                                   Json::object()};
  value = others[orders.pick(others.size())];
}

std::string cborOf(const Json& tree) {
  const std::vector<uint8_t> cbor = Json::to_cbor(tree);
  return {cbor.begin(), cbor.end()};
}

}  // namespace

std::string changedRecording(std::string_view recording, std::span<const std::byte> bytes) {
  size_t length = 0;
  for (size_t i = 4; i-- > 0;)
    length = length << 8 | static_cast<unsigned char>(recording[kLengthAt + i]);
  const std::string_view header = recording.substr(kFixedBytes, length);
  const std::string_view packed =
      recording.substr(kFixedBytes + length, recording.size() - kFixedBytes - length - kSumBytes);
  const std::string plain = lab::inflated(packed, kMostBytes).value();
  std::array<Json, 2> trees{Json::from_cbor(header.begin(), header.end()),
                            Json::from_cbor(plain.begin(), plain.end())};
  Orders orders(bytes);
  for (size_t i = 0; i < kMostChanges && orders.areLeft(); ++i) {
    std::vector<Json*> values;
    collect(trees[orders.pick(4) == 0 ? 0 : 1], values);
    change(*values[orders.pick(values.size())], orders);
  }
  const std::string newHeader = cborOf(trees[0]);
  std::string changed(recording.substr(0, kLengthAt));
  for (size_t i = 0; i < 4; ++i) changed += static_cast<char>(newHeader.size() >> (8 * i) & 0xff);
  changed += newHeader + lab::deflated(cborOf(trees[1]), 1) + std::string(kSumBytes, '\0');
  return withChecksum(std::as_bytes(std::span(changed)));
}

}  // namespace tilestep::fuzz
