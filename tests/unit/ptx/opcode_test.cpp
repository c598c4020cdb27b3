// SPDX-License-Identifier: Apache-2.0
#include "ptx/opcode.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

namespace tilestep::ptx {
namespace opcode_test {

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

TEST(Opcode, AnUnknownRootIsNone) {
  EXPECT_EQ(opcodeOf("frobnicate"), Opcode::none);
  EXPECT_EQ(opcodeOf("ADD"), Opcode::none);
  EXPECT_EQ(opcodeOf(""), Opcode::none);
  EXPECT_EQ(toText(Opcode::none), "");
}

TEST(Opcode, TiersHoldWhatTheSurveyFound) {
  std::map<Tier, int> count;
  for (const Opcode opcode : kAll) ++count[tierOf(opcode)];
  EXPECT_EQ(count[Tier::first1a], 25);  // 24 roots, and barrier beside bar
  EXPECT_EQ(tierOf(Opcode::shfl), Tier::first1b);
  EXPECT_EQ(tierOf(Opcode::tex), Tier::second);
  EXPECT_EQ(tierOf(Opcode::mma), Tier::third);
  EXPECT_EQ(tierOf(Opcode::tcgen05), Tier::rest);
}

TEST(Opcode, FormsSayHowManyOperands) {
  EXPECT_EQ(ruleOf(formOf(Opcode::fma)).minOperands, 4);
  EXPECT_EQ(ruleOf(formOf(Opcode::setp)).maxOperands, 4);
  EXPECT_TRUE(ruleOf(formOf(Opcode::st)).usesMemory);
  EXPECT_FALSE(ruleOf(formOf(Opcode::cvta)).usesMemory);
}

}  // namespace opcode_test
}  // namespace tilestep::ptx
