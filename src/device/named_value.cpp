// SPDX-License-Identifier: Apache-2.0
#include "device/named_value.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace tilestep::device {
namespace {

bool isId(const std::string& text) {
  return !text.empty() && text.size() <= NamedValue::kLongestId &&
         std::ranges::all_of(text, [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
         });
}

bool isLine(const std::string& text, size_t longest) {
  return text.size() <= longest &&
         std::ranges::none_of(text, [](unsigned char c) { return c < ' ' || c == 0x7f; });
}

/// Of numbers that are not 0.
constexpr double kLeast = 1e-18, kMost = 1e18;

Status checkOne(const NamedValue& value) {
  const auto wrong = [&](const std::string& what) {
    return workError("the named value " + value.id + " " + what);
  };
  if (!isId(value.id))
    return workError("a named value's id is not 1 to 64 lower-case letters, digits and '-'");
  if (!isLine(value.unit, NamedValue::kLongestId)) return wrong("has a unit that is none");
  if (!isLine(value.method, NamedValue::kLongestMethod))
    return wrong("has a method that is not one line of at most 1024 bytes");
  for (const double number : {value.min, value.p10, value.median, value.p90, value.first}) {
    if (!std::isfinite(number)) return wrong("holds a number that is not finite");
    if (number < 0) return wrong("holds a negative number");
    if (number != 0 && (number < kLeast || number > kMost))
      return wrong("holds a number that nobody can have measured");
  }
  if (value.min > value.p10 || value.p10 > value.median || value.median > value.p90)
    return wrong("is not in order: min, p10, median, p90");
  if (value.count == 0) return wrong("has no samples");
  return {};
}

}  // namespace

const NamedValue* find(const std::vector<NamedValue>& values, const std::string& id) {
  const auto at = std::ranges::find(values, id, &NamedValue::id);
  return at == values.end() ? nullptr : &*at;
}

Status check(const std::vector<NamedValue>& values) {
  if (values.size() > NamedValue::kMost)
    return workError("there are " + std::to_string(values.size()) + " named values, and at most " +
                     std::to_string(NamedValue::kMost) + " may be");
  std::set<std::string> seen;
  for (const NamedValue& value : values) {
    if (Status good = checkOne(value); !good) return good;
    if (!seen.insert(value.id).second)
      return workError("the named value " + value.id + " is there twice");
  }
  return {};
}

}  // namespace tilestep::device
