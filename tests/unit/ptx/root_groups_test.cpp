// SPDX-License-Identifier: Apache-2.0
#include "ptx/analysis/root_groups.h"

#include <gtest/gtest.h>

namespace tilestep::ptx::root_groups_test {

constexpr uint32_t A = 0, B = 1, C = 2, D = 3;

RootGroups group(const RootUses& uses, std::vector<bool> exact = std::vector<bool>(4)) {
  return groupRoots(std::move(exact), uses);
}

/// The group of each root, or '!' if the root is exact: "A B=A C D!".
std::string text(const RootGroups& groups) {
  std::string text;
  for (uint32_t root = 0; root < groups.groupOf.size(); ++root) {
    text += text.empty() ? "" : " ";
    text += static_cast<char>('A' + root);
    if (groups.exact[root])
      text += "!";
    else if (groups.groupOf[root] != root)
      text += std::string("=") + static_cast<char>('A' + groups.groupOf[root]);
  }
  return text;
}

TEST(RootGroups, AlternativesMayShareOtherRoots) {
  EXPECT_EQ(text(group({{{{{A, true}, {C, true}}, {{B, true}, {C, true}}}}, {}})), "A B=A C D");
}

TEST(RootGroups, AlternativesWithDifferentRootCountsAreExact) {
  EXPECT_EQ(text(group({{{{{A, true}, {C, true}}, {{B, true}}}}, {}})), "A! B! C! D");
  EXPECT_EQ(text(group({{{{{A, true}}, {}}}, {}})), "A! B C D") << "a root or a known value";
}

TEST(RootGroups, AlternativesWithFactorsOtherThanOneAreExact) {
  EXPECT_EQ(text(group({{{{{A, false}}, {{B, true}}}}, {}})), "A! B! C D");
  EXPECT_EQ(text(group({{{{{A, false}}, {{A, true}}}}, {}})), "A! B C D");
}

TEST(RootGroups, AnExactAlternativeMakesTheOthersExact) {
  EXPECT_EQ(text(group({{{{{A, true}}, {{B, true}}}}, {}}, {true, false, false, false})),
            "A! B! C D");
}

TEST(RootGroups, OneExactRootMakesItsGroupExact) {
  // One value may be A or B, another value B or a known value.
  EXPECT_EQ(text(group({{{{{A, true}}, {{B, true}}}, {{{B, true}}, {}}}, {}})), "A! B! C D");
}

TEST(RootGroups, RootsOfOneGroupInOneSumAreExact) {
  const std::vector<std::vector<RootTerms>> either{{{{A, true}}, {{B, true}}}};
  EXPECT_EQ(text(group({either, {{{{A, true}}, {{B, true}}}}})), "A! B! C D");
  EXPECT_EQ(text(group({either, {{{{A, true}}, {{C, true}}}}})), "A B=A C D");
}

}  // namespace tilestep::ptx::root_groups_test
