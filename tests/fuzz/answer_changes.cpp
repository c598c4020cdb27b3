// SPDX-License-Identifier: Apache-2.0
#include "fuzz/answer_changes.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>

namespace tilestep::fuzz {
namespace {

using Json = nlohmann::json;

constexpr std::array<double, 13> kReals{0.0,
                                        -0.0,
                                        -1.0,
                                        0.5,
                                        5e-324,
                                        1e-300,
                                        1e18,
                                        1e300,
                                        std::numeric_limits<double>::max(),
                                        std::numeric_limits<double>::infinity(),
                                        -std::numeric_limits<double>::infinity(),
                                        std::numeric_limits<double>::quiet_NaN(),
                                        9007199254740993.0};
constexpr std::array<uint64_t, 24> kWholes{0,
                                           1,
                                           2,
                                           3,
                                           7,
                                           31,
                                           33,
                                           64,
                                           255,
                                           1023,
                                           1024,
                                           65535,
                                           65536,
                                           uint64_t{1} << 20,
                                           uint64_t{1} << 24,
                                           (uint64_t{1} << 31) - 1,
                                           uint64_t{1} << 31,
                                           (uint64_t{1} << 32) - 1,
                                           uint64_t{1} << 32,
                                           uint64_t{1} << 48,
                                           uint64_t{1} << 51,
                                           (uint64_t{1} << 63) - 1,
                                           uint64_t{1} << 63,
                                           ~uint64_t{0}};
constexpr std::array<int64_t, 5> kNegatives{-1, -2, -32, std::numeric_limits<int32_t>::min(),
                                            std::numeric_limits<int64_t>::min()};

/// All values of a tree that may be changed, which excludes the message's kind and id.
void collect(Json& tree, std::vector<Json*>& into) {
  into.push_back(&tree);
  if (!tree.is_structured()) return;
  for (Json& child : tree) collect(child, into);
}

class Change {
 public:
  Change(AnswerChanges& orders, const std::vector<Json*>& all) : orders_(orders), all_(all) {}

  void apply(Json& value) {
    if (orders_.pick(16) == 0) {
      value = nullptr;
    } else if (value.is_boolean()) {
      value = !value.get<bool>();
    } else if (value.is_number()) {
      value = number();
    } else if (value.is_string()) {
      value = text(value.get_ref<const std::string&>());
    } else if (value.is_binary()) {
      column(value.get_binary());
    } else if (value.is_array()) {
      list(value);
    } else if (value.is_null()) {
      value = *all_[orders_.pick(all_.size())];
    } else {
      value[text("")] = number();
    }
  }

 private:
  Json number() {
    switch (orders_.pick(4)) {
      case 0:
        return kReals[orders_.pick(kReals.size())];
      case 1:
        return kNegatives[orders_.pick(kNegatives.size())];
      default:
        return kWholes[orders_.pick(kWholes.size())];
    }
  }
  std::string text(const std::string& now) {
    switch (orders_.pick(8)) {
      case 0:
        return "";
      case 1:
        return "\xff\xfe";
      case 2:
        return std::string("a\0b", 3);
      case 3:
        return "\x1b[2J\r\n\t";
      case 4:
        return "%s%n{}{0}{{";
      case 5:
        return std::string(5000, 'W');
      case 6:
        return "\xe2\x80\xae" + now;
      default:
        return all_.front()->dump(-1, ' ', true, Json::error_handler_t::replace).substr(0, 64);
    }
  }
  /// Changes a column of numbers of 1, 4 or 8 bytes.
  void column(Json::binary_t& bytes) {
    switch (orders_.pick(6)) {
      case 0:
        return bytes.clear();
      case 1:
        return bytes.resize(bytes.size() / 2);
      case 2: {
        const Json::binary_t copy = bytes;
        bytes.insert(bytes.end(), copy.begin(), copy.end());
        return;
      }
      default:
        return element(bytes);
    }
  }
  void element(Json::binary_t& bytes) {
    constexpr std::array<size_t, 3> kWidths{1, 4, 8};
    const size_t width = kWidths[orders_.pick(kWidths.size())];
    if (bytes.size() < width) return;
    const size_t at = orders_.pick(std::min<size_t>(bytes.size() / width, 65536)) * width;
    uint64_t value = kWholes[orders_.pick(kWholes.size())];
    if (orders_.pick(4) == 0) {
      const double real = kReals[orders_.pick(kReals.size())];
      const auto narrow = static_cast<float>(std::clamp(real, -3e38, 3e38));
      value = 0;
      if (width == 8) std::memcpy(&value, &real, sizeof(real));
      if (width == 4) std::memcpy(&value, &narrow, sizeof(narrow));
    }
    std::memcpy(&bytes[at], &value, width);
  }
  void list(Json& value) {
    switch (orders_.pick(4)) {
      case 0:
        value = Json::array();
        break;
      case 1:
        if (!value.empty()) value.erase(value.size() - 1);
        break;
      case 2:
        if (!value.empty()) value.push_back(value.back());
        break;
      default:
        // Enough for indices in other lists to point beyond their end.
        for (size_t i = 0; i < 300 && !value.empty(); ++i) value.push_back(value.front());
        break;
    }
  }

  AnswerChanges& orders_;
  const std::vector<Json*>& all_;
};

}  // namespace

size_t AnswerChanges::pick(size_t limit) {
  const size_t bytes = limit <= 256 ? 1 : 2;
  if (orders_.size() < bytes) {
    orders_ = {};
    return 0;
  }
  size_t number = 0;
  for (size_t i = 0; i < bytes; ++i) number = number << 8 | std::to_integer<size_t>(orders_[i]);
  orders_ = orders_.subspan(bytes);
  return number % limit;
}

std::vector<std::byte> AnswerChanges::changed(std::span<const std::byte> message) {
  size_t changes = pick(4);
  if (changes == 0) return {message.begin(), message.end()};
  const auto* first = reinterpret_cast<const uint8_t*>(message.data());
  Json tree = Json::from_cbor(first, first + message.size());
  for (; changes > 0; --changes) {
    std::vector<Json*> all;
    collect(tree["body"], all);
    const size_t at = pick(std::min<size_t>(all.size(), 65536));
    Change(*this, all).apply(*all[at]);
  }
  const std::vector<uint8_t> cbor = Json::to_cbor(tree);
  const auto bytes = std::as_bytes(std::span(cbor));
  return {bytes.begin(), bytes.end()};
}

}  // namespace tilestep::fuzz
