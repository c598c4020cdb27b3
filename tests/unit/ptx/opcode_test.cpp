// SPDX-License-Identifier: Apache-2.0
#include "ptx/opcode.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

namespace tilestep::ptx::opcode_test {

constexpr Opcode kAll[] = {
#define TILESTEP_OPCODE(id, ...) Opcode::id,
#include "ptx/opcodes.def"
};

TEST(Opcode, TextAndRootAreInverse) {
  std::set<std::string_view> texts;
  for (const Opcode opcode : kAll) {
    EXPECT_EQ(opcodeOf(toText(opcode)), opcode);
    EXPECT_TRUE(texts.insert(toText(opcode)).second) << toText(opcode);
  }
}

}  // namespace tilestep::ptx::opcode_test
