// SPDX-License-Identifier: Apache-2.0
#include "ptx/analysis/behaviour.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "ptx/text/printer.h"
#include "support.h"

namespace tilestep::ptx::behaviour_test {

/// An entry with declarations of registers, followed by `body`.
Function entryWith(const std::string& body) {
  const Module module = parsed(
      ".visible .entry e(.param .u64 p, .param .u32 n)\n{\n.reg .pred %p<9>;\n.reg .b32 %r<19>;\n"
      ".reg .b64 %rd<19>;\n.reg .f32 %f<9>;\n.shared .align 16 .b8 tile[1024];\n" +
      body + "\nret;\n}\n");
  return module.functions.empty() ? Function() : module.functions.front();
}

/// For each root, its instruction and alignment; in parentheses if the root is in a loop.
std::vector<std::string> rootsOf(const Function& entry) {
  std::vector<std::string> texts;
  for (const Behaviour::Root& root : behaviourOf(entry).roots) {
    const std::string text =
        print(entry.body[root.instruction], entry) + " " + std::to_string(root.alignment);
    texts.push_back(root.repeats ? "(" + text + ")" : text);
  }
  return texts;
}

size_t openOf(const Function& entry) {
  const Behaviour behaviour = behaviourOf(entry);
  return static_cast<size_t>(std::ranges::count(behaviour.open, true));
}

using Texts = std::vector<std::string>;

const std::string kStart =
    "ld.param.u64 %rd1, [p];\nld.param.u32 %r1, [n];\nmov.u32 %r2, %ctaid.x;\n";

TEST(Behaviour, AnIncrementedPointerHasOneRoot) {
  const Function entry =
      entryWith(kStart +
                "mul.wide.u32 %rd2, %r2, 4;\nadd.s64 %rd3, %rd1, %rd2;\nmov.u32 %r3, 0;\n"
                "L: ld.global.f32 %f1, [%rd3];\nadd.s64 %rd3, %rd3, 4;\nadd.s32 %r3, %r3, 1;\n"
                "setp.lt.s32 %p1, %r3, %r1;\n@%p1 bra L;\n");
  EXPECT_EQ(rootsOf(entry), (Texts{"add.s64 %rd3, %rd1, %rd2; 5"}));
  EXPECT_EQ(openOf(entry), 0U) << "i < n follows from the parameters";
}

TEST(Behaviour, AFactorInALoopReducesTheAlignment) {
  const Function entry =
      entryWith(kStart +
                "mad.lo.s32 %r4, %r2, %r1, 3;\nmov.u32 %r3, 0;\n"
                "L: add.s32 %r5, %r4, %r3;\nmul.wide.s32 %rd2, %r5, 4;\nadd.s64 %rd3, %rd1, %rd2;\n"
                "ld.global.f32 %f1, [%rd3];\nadd.s32 %r3, %r3, 1;\nsetp.lt.s32 %p1, %r3, %r1;\n"
                "@%p1 bra L;\n");
  EXPECT_EQ(rootsOf(entry), (Texts{"mad.lo.s32 %r4, %r2, %r1, 3; 3"}));
}

TEST(Behaviour, SharedMemoryIsAlignedTo128Bytes) {
  const Function entry = entryWith(kStart +
                                   "mov.u32 %r4, tile;\nmad.lo.s32 %r5, %r2, 4, %r4;\n"
                                   "st.shared.f32 [%r5], %f1;\n");
  EXPECT_EQ(rootsOf(entry), (Texts{"mad.lo.s32 %r5, %r2, 4, %r4; 7"}));
}

TEST(Behaviour, AlternativePointersFormAGroup) {
  const Function entry =
      entryWith(kStart +
                "mul.wide.u32 %rd2, %r2, 4;\nadd.s64 %rd3, %rd1, %rd2;\nsetp.lt.u32 %p2, %r2, 9;\n"
                "@%p2 bra M;\nadd.s64 %rd3, %rd1, %rd2;\nM: mov.u32 %r3, 0;\n"
                "L: ld.global.f32 %f1, [%rd3];\nadd.s64 %rd3, %rd3, 4;\nadd.s32 %r3, %r3, 1;\n"
                "setp.lt.s32 %p1, %r3, %r1;\n@%p1 bra L;\n");
  const std::vector<Behaviour::Root> roots = behaviourOf(entry).roots;
  ASSERT_EQ(roots.size(), 2U);
  EXPECT_EQ(roots[0].group, roots[1].group);
  EXPECT_FALSE(roots[0].exact);
  EXPECT_FALSE(roots[1].exact);
}

TEST(Behaviour, ANonlinearValueInALoopIsARootInEachIteration) {
  const Function entry = entryWith(
      kStart +
      "mov.u32 %r3, 0;\nL: add.s32 %r4, %r2, %r3;\nand.b32 %r5, %r4, 31;\n"
      "mul.wide.s32 %rd2, %r5, 4;\nadd.s64 %rd3, %rd1, %rd2;\nld.global.f32 %f1, [%rd3];\n"
      "add.s32 %r3, %r3, 1;\nsetp.lt.s32 %p1, %r3, %r1;\n@%p1 bra L;\n");
  EXPECT_EQ(rootsOf(entry), (Texts{"(and.b32 %r5, %r4, 31; 3)"}));
}

TEST(Behaviour, ADifferenceIsARoot) {
  const Function entry =
      entryWith(kStart +
                "mov.u32 %r6, %tid.x;\nmul.lo.s32 %r4, %r2, 7;\nmad.lo.s32 %r5, %r2, 7, %r6;\n"
                "mov.u32 %r3, 0;\n"
                "L: sub.s32 %r7, %r5, %r4;\nadd.s32 %r8, %r7, %r3;\nmul.wide.s32 %rd2, %r8, 4;\n"
                "add.s64 %rd3, %rd1, %rd2;\nld.global.f32 %f1, [%rd3];\nadd.s32 %r3, %r3, 1;\n"
                "setp.lt.s32 %p1, %r3, %r1;\n@%p1 bra L;\n");
  EXPECT_EQ(rootsOf(entry), (Texts{"(sub.s32 %r7, %r5, %r4; 3)"}))
      << "7 * block + thread - 7 * block is the same in all blocks";
}

TEST(Behaviour, ALoadedAddressIsARootInEachIteration) {
  const Function entry =
      entryWith(kStart +
                "mov.u32 %r3, 0;\nmov.u64 %rd4, %rd1;\nL: ld.global.u64 %rd4, [%rd4];\n"
                "add.s32 %r3, %r3, 1;\nsetp.lt.s32 %p1, %r3, %r1;\n@%p1 bra L;\n");
  EXPECT_EQ(rootsOf(entry), (Texts{"(ld.global.u64 %rd4, [%rd4]; 5)"}));
}

TEST(Behaviour, ALoopInvariantPredicateIsRecordedBeforeTheLoop) {
  const Function entry = entryWith(kStart +
                                   "setp.lt.s32 %p2, %r2, 7;\nmov.u32 %r3, 0;\n"
                                   "L: @%p2 ld.global.f32 %f1, [%rd1];\nadd.s32 %r3, %r3, 1;\n"
                                   "setp.lt.s32 %p1, %r3, %r1;\n@%p1 bra L;\n");
  const Behaviour behaviour = behaviourOf(entry);
  ASSERT_EQ(behaviour.told.size(), 1U);
  EXPECT_EQ(entry.body[behaviour.told[0].instruction].opcode, Opcode::setp);
  EXPECT_EQ(openOf(entry), 0U);
  EXPECT_TRUE(behaviour.isShort);
}

TEST(Behaviour, AFloatComparisonThatSelectsAValueIsNotRecorded) {
  const Function entry = entryWith(
      kStart +
      "ld.global.f32 %f1, [%rd1];\nsetp.lt.f32 %p2, %f1, %f2;\nselp.f32 %f3, %f1, %f2, %p2;\n"
      "st.global.f32 [%rd1], %f3;\n");
  const Behaviour behaviour = behaviourOf(entry);
  EXPECT_TRUE(behaviour.told.empty());
  EXPECT_EQ(openOf(entry), 0U);
}

TEST(Behaviour, ALoopThatDependsOnTheThreadIndexIsOfOnePlace) {
  const std::string loop =
      "mov.u32 %r3, 0;\nL: add.s32 %r5, %r4, %r3;\nsetp.lt.s32 %p2, %r5, %r1;\n"
      "@%p2 ld.global.f32 %f1, [%rd1];\nadd.s32 %r3, %r3, 1;\nsetp.lt.s32 %p1, %r3, %r1;\n"
      "@%p1 bra L;\n";
  const Function ofThread = entryWith(kStart + "mov.u32 %r4, %tid.x;\n" + loop);
  EXPECT_TRUE(behaviourOf(ofThread).ofOnePlace);
  EXPECT_EQ(openOf(ofThread), 0U);
  const Function ofBlock = entryWith(kStart + "mov.u32 %r4, %ctaid.y;\n" + loop);
  EXPECT_FALSE(behaviourOf(ofBlock).ofOnePlace);
  EXPECT_EQ(openOf(ofBlock), 1U);
}

TEST(Behaviour, AnUnknownSpaceIsOpen) {
  const Function entry = entryWith(kStart +
                                   "mul.wide.u32 %rd2, %r2, 4;\nadd.s64 %rd3, %rd1, %rd2;\n"
                                   "ld.f32 %f1, [%rd3];\nld.f32 %f2, [%rd1];\n");
  const Behaviour behaviour = behaviourOf(entry);
  EXPECT_EQ(std::ranges::count(behaviour.openSpace, true), 1);
}

}  // namespace tilestep::ptx::behaviour_test
