// SPDX-License-Identifier: Apache-2.0
#include "device/named_value.h"

#include <gtest/gtest.h>

#include <functional>
#include <limits>

namespace tilestep::device {
namespace named_value_test {

std::vector<NamedValue> good() {
  return {{"events", "s", 30, 1, 2, 3, 4, 9, "Two events."}, {"rate", "", 1, 0, 0, 0, 0, 0, ""}};
}

/// What is said of the values after a change of the first one; empty where they are taken.
std::string refusalAfter(const std::function<void(NamedValue&)>& change) {
  std::vector<NamedValue> values = good();
  change(values[0]);
  const Status checked = check(values);
  return checked ? "" : checked.error().message;
}

void expectSays(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << '"' << text << "\" lacks \"" << part << '"';
}

TEST(NamedValues, WhatCanBeIsTaken) {
  EXPECT_TRUE(check({}).ok());
  EXPECT_EQ(refusalAfter([](NamedValue&) {}), "");
  EXPECT_EQ(refusalAfter([](NamedValue& v) { v.first = 0.5; }), "")
      << "the first sample is not among the others";
}

TEST(NamedValues, WhatCannotBeIsRefusedByNameAndReason) {
  const double infinite = std::numeric_limits<double>::infinity();
  expectSays(refusalAfter([&](NamedValue& v) { v.p90 = infinite; }),
             "the named value events holds a number that is not finite");
  expectSays(refusalAfter([&](NamedValue& v) { v.first = -infinite; }), "not finite");
  expectSays(refusalAfter([](NamedValue& v) { v.min = -1e-9; }), "negative");
  expectSays(refusalAfter([](NamedValue& v) { v.p10 = 3.5; }), "min, p10, median, p90");
  expectSays(refusalAfter([](NamedValue& v) { v.count = 0; }), "no samples");
  expectSays(refusalAfter([](NamedValue& v) { v.id = "rate"; }), "rate is there twice");
  for (const char* id : {"", "Events", "two events", "a\x1b[2J"})
    expectSays(refusalAfter([&](NamedValue& v) { v.id = id; }), "lower-case letters");
  expectSays(refusalAfter([](NamedValue& v) { v.unit = "\n"; }), "a unit that is none");
  expectSays(refusalAfter([](NamedValue& v) { v.method = std::string(1025, 'x'); }), "one line");
}

TEST(NamedValues, TooManyAreRefused) {
  std::vector<NamedValue> values;
  for (size_t i = 0; i < NamedValue::kMost; ++i)
    values.push_back({"v" + std::to_string(i), "s", 1, 1, 1, 1, 1, 1, ""});
  EXPECT_TRUE(check(values).ok());
  values.push_back({"last", "s", 1, 1, 1, 1, 1, 1, ""});
  EXPECT_EQ(check(values).error().message, "there are 65 named values, and at most 64 may be");
}

TEST(NamedValues, AreFoundById) {
  const std::vector<NamedValue> values = good();
  EXPECT_EQ(find(values, "rate"), &values[1]);
  EXPECT_EQ(find(values, "none"), nullptr);
}

}  // namespace named_value_test
}  // namespace tilestep::device
