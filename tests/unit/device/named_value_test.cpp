// SPDX-License-Identifier: Apache-2.0
#include "device/named_value.h"

#include <gtest/gtest.h>

namespace tilestep::device {
namespace named_value_test {

std::vector<NamedValue> good() {
  return {{"events", "s", 30, 1, 2, 3, 4, 9, "Two events."}, {"rate", "", 1, 0, 0, 0, 0, 0, ""}};
}

TEST(NamedValues, AreFoundById) {
  const std::vector<NamedValue> values = good();
  EXPECT_EQ(find(values, "rate"), &values[1]);
  EXPECT_EQ(find(values, "none"), nullptr);
}

}  // namespace named_value_test
}  // namespace tilestep::device
