// SPDX-License-Identifier: Apache-2.0
// Pairs of warps that differ only in one index, stride or pointer, counted by classes in the
// interpreter instead of a GPU. The warps make different requests, so putting them into one class
// would give wrong counts.
#include <gtest/gtest.h>

#include <cstring>

#include "gpu/gpu_job.h"
#include "gpu/interpreted_machine.h"
#include "support/results.h"

namespace tilestep::test::nearly_alike_test {

/// Two blocks of one warp. %r1 is the lane, %r2 the block; %rd1 to %rd3 point to M, N and P.
std::string twoWarps(const std::string& body) {
  return ".version 7.5\n.target sm_75\n.address_size 64\n.shared .align 128 .b8 tile[256];\n"
         ".visible .entry pair(.param .u64 M, .param .u64 N, .param .u64 P) {\n"
         ".reg .b16 %h<8>; .reg .b32 %r<24>; .reg .b64 %rd<24>; .reg .f32 %f<8>;\n"
         ".reg .pred %p<8>;\nmov.u32 %r1, %laneid; mov.u32 %r2, %ctaid.x;\n"
         "ld.param.u64 %rd1, [M]; ld.param.u64 %rd2, [N]; ld.param.u64 %rd3, [P];\n"
         "cvta.to.global.u64 %rd1, %rd1; mov.u32 %r3, 0;\n" +
         body + "ret;\n}\n";
}

/// Loads N at the indices M[lane][0 … rounds - 1] of the block's 32 rows.
std::string gather(int rounds) {
  return twoWarps(
      "mad.lo.u32 %r4, %r2, 32, %r1; mul.lo.u32 %r4, %r4, 32; mul.wide.u32 %rd4, %r4, 4;\n"
      "add.s64 %rd4, %rd1, %rd4;\n$loop: ld.global.u32 %r5, [%rd4]; mul.wide.u32 %rd5, %r5, 4;\n"
      "add.s64 %rd6, %rd2, %rd5; ld.global.f32 %f1, [%rd6]; add.s64 %rd4, %rd4, 4;\n"
      "add.u32 %r3, %r3, 1; setp.lt.u32 %p1, %r3, " +
      std::to_string(rounds) + "; @%p1 bra $loop;\n");
}

class NearlyAlike : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { maker_ = new JobMaker; }
  static void TearDownTestSuite() { delete maker_; }

  uint32_t& index(uint32_t block, uint32_t lane, uint32_t round) {
    return numbers_[(block * 32 + lane) * 32 + round];
  }
  void expectSame(const std::string& text, uint64_t mostClasses = 2) const {
    const auto job = valueOrThrow(maker_->fromPtx(text, {"pair", {2, 1, 1}, {32, 1, 1}}, 64 * 64));
    InterpretedOperands operands(job);
    std::memcpy(operands.memory.front().data(), numbers_.data(), numbers_.size() * 4);
    expectInterpretersCounts(job, operands, mostClasses);
  }

  std::vector<uint32_t> numbers_ = std::vector<uint32_t>(64 * 32);  ///< The initial contents of M.

 private:
  static inline JobMaker* maker_ = nullptr;
};

TEST_F(NearlyAlike, OneIndexOfManyDiffers) {
  for (uint32_t lane = 0; lane < 32; ++lane)
    for (uint32_t round = 0; round < 20; ++round)
      for (uint32_t block = 0; block < 2; ++block) index(block, lane, round) = lane;
  index(1, 5, 10) = 5 + 64;
  expectSame(gather(20));
}

TEST_F(NearlyAlike, IndicesFromMemoryAreAPartOfASectorApart) {
  for (uint32_t lane = 0; lane < 32; ++lane)
    for (uint32_t round = 0; round < 3; ++round)
      for (uint32_t block = 0; block < 2; ++block) index(block, lane, round) = lane + block;
  expectSame(gather(3));
}

TEST_F(NearlyAlike, IndicesFromMemoryDivergeAfterTheFirstIteration) {
  for (uint32_t lane = 0; lane < 32; ++lane)
    for (uint32_t round = 0; round < 3; ++round)
      for (uint32_t block = 0; block < 2; ++block)
        index(block, lane, round) = lane + (8 + block) * round;
  expectSame(gather(3));
}

TEST_F(NearlyAlike, IndicesWholeSectorsApartAreInOneClass) {
  for (uint32_t lane = 0; lane < 32; ++lane)
    for (uint32_t round = 0; round < 3; ++round)
      for (uint32_t block = 0; block < 2; ++block)
        index(block, lane, round) = 5 * lane % 32 + 9 * round + 64 * block;
  expectSame(gather(3), 1);
}

TEST_F(NearlyAlike, OneLanesIndexIsAlwaysZero) {
  for (uint32_t lane = 1; lane < 8; ++lane)
    for (uint32_t block = 0; block < 2; ++block) index(block, lane, 0) = lane + 8 * block;
  expectSame(gather(1));
}

TEST_F(NearlyAlike, LanesHaveDifferentTripCounts) {
  index(0, 0, 0) = 100;
  index(0, 0, 1) = 200;
  index(0, 1, 0) = 100;
  index(1, 0, 0) = 100;
  index(1, 0, 1) = 232;
  index(1, 1, 0) = 132;
  std::string text = gather(1);
  const std::string bound = "setp.lt.u32 %p1, %r3, 1;";
  text.replace(text.find(bound), bound.size(), "setp.lt.u32 %p1, %r3, %r9;");
  const std::string loop = "$loop:";
  text.replace(text.find(loop), loop.size(),
               "setp.eq.u32 %p2, %r1, 0; selp.u32 %r9, 2, 1, %p2;\n$loop:");
  expectSame(text);
}

TEST_F(NearlyAlike, AGenericAccessIsToSharedOrGlobalMemory) {
  expectSame(twoWarps(
      "mov.u64 %rd7, tile; cvta.shared.u64 %rd7, %rd7; mul.wide.u32 %rd8, %r1, 4;\n"
      "mul.wide.u32 %rd9, %r2, 4100; add.s64 %rd10, %rd2, %rd9; add.s64 %rd4, %rd7, %rd8;\n"
      "st.f32 [%rd4], %f1;\n$loop: ld.f32 %f1, [%rd4]; add.s64 %rd4, %rd10, %rd8;\n"
      "add.u32 %r3, %r3, 1; setp.lt.u32 %p1, %r3, 3; @%p1 bra $loop;\n"));
}

TEST_F(NearlyAlike, AStrideFromMemoryIsMultipliedByTheLane) {
  numbers_[0] = 1;
  numbers_[1] = 9;
  expectSame(
      twoWarps("mul.wide.u32 %rd4, %r2, 4; add.s64 %rd4, %rd1, %rd4; ld.global.u32 %r4, [%rd4];\n"
               "$loop: mad.lo.s32 %r5, %r1, %r4, %r3; mul.wide.s32 %rd5, %r5, 4;\n"
               "add.s64 %rd6, %rd2, %rd5; ld.global.f32 %f1, [%rd6]; add.u32 %r3, %r3, 1;\n"
               "setp.lt.u32 %p1, %r3, 3; @%p1 bra $loop;\n"));
}

TEST_F(NearlyAlike, AStrideFromMemoryIsAddedOncePerLaneIndex) {
  numbers_[0] = 1;
  numbers_[1] = 9;
  expectSame(twoWarps(
      "mul.wide.u32 %rd4, %r2, 4; add.s64 %rd4, %rd1, %rd4; ld.global.u32 %r4, [%rd4];\n"
      "mov.u32 %r5, 0; and.b32 %r6, %r1, 7;\n"
      "$loop: add.s32 %r5, %r5, %r4; mul.wide.s32 %rd5, %r5, 4; add.s64 %rd6, %rd2, %rd5;\n"
      "ld.global.f32 %f1, [%rd6]; add.u32 %r3, %r3, 1; setp.lt.u32 %p1, %r3, %r6;\n"
      "@%p1 bra $loop;\nmul.wide.s32 %rd5, %r5, 4; add.s64 %rd6, %rd2, %rd5;\n"
      "ld.global.f32 %f1, [%rd6];\n"));
}

TEST_F(NearlyAlike, HalfOfTheLanesUseAnotherPointer) {
  expectSame(twoWarps(
      "mul.wide.u32 %rd4, %r2, 256; mul.wide.u32 %rd5, %r2, 320; mul.wide.u32 %rd6, %r1, 4;\n"
      "add.s64 %rd7, %rd2, %rd4; add.s64 %rd7, %rd7, %rd6; add.s64 %rd8, %rd2, %rd5;\n"
      "add.s64 %rd8, %rd8, %rd6; setp.lt.u32 %p1, %r1, 16; @%p1 bra $low;\n"
      "add.s64 %rd9, %rd7, 0; bra $join;\n$low: add.s64 %rd9, %rd8, 0;\n"
      "$join: ld.global.f32 %f1, [%rd9];\n"));
}

TEST_F(NearlyAlike, APointerIsChosenInEachIteration) {
  expectSame(twoWarps(
      "mul.wide.u32 %rd4, %r2, 256; mul.wide.u32 %rd5, %r2, 320; mul.wide.u32 %rd6, %r1, 4;\n"
      "add.s64 %rd7, %rd2, %rd4; add.s64 %rd7, %rd7, %rd6; add.s64 %rd8, %rd2, %rd5;\n"
      "add.s64 %rd8, %rd8, %rd6;\n$loop: mov.u64 %rd9, %rd7; setp.lt.u32 %p1, %r1, 16;\n"
      "@%p1 mov.u64 %rd9, %rd8;\nld.global.f32 %f1, [%rd9]; add.u32 %r3, %r3, 1;\n"
      "setp.lt.u32 %p2, %r3, 3; @%p2 bra $loop;\n"));
}

TEST_F(NearlyAlike, TheHighHalfOfANumberIsAnIndex) {
  numbers_[1] = 3;  // The high half of a 64-bit number of block 0.
  numbers_[3] = 8;
  expectSame(twoWarps(
      "mul.wide.u32 %rd4, %r2, 8; add.s64 %rd4, %rd1, %rd4; ld.global.u64 %rd5, [%rd4];\n"
      "mul.wide.u32 %rd8, %r1, 4; add.s64 %rd8, %rd8, %rd2;\n"
      "$loop: mov.b64 {%r4, %r5}, %rd5; mul.wide.u32 %rd6, %r5, 4; add.s64 %rd7, %rd8, %rd6;\n"
      "ld.global.f32 %f1, [%rd7]; add.u32 %r3, %r3, 1; setp.lt.u32 %p1, %r3, 3;\n"
      "@%p1 bra $loop;\n"));
}

// These two warps have equal counts, in one class or in two.
TEST_F(NearlyAlike, AnIndexOf16BitsWrapsAround) {
  numbers_[0] = 65520;
  numbers_[1] = 65504;
  expectSame(twoWarps(
      "mul.wide.u32 %rd4, %r2, 4; add.s64 %rd4, %rd1, %rd4; ld.global.u32 %r4, [%rd4];\n"
      "add.u32 %r4, %r4, %r1; cvt.u16.u32 %h1, %r4; mov.u16 %h3, 0;\n"
      "$loop: add.u16 %h2, %h1, %h3; mul.wide.u16 %r5, %h2, 4; and.b32 %r5, %r5, 16383;\n"
      "cvt.u64.u32 %rd5, %r5; add.s64 %rd6, %rd2, %rd5; ld.global.f32 %f1, [%rd6];\n"
      "add.u16 %h3, %h3, 1; add.u32 %r3, %r3, 1; setp.lt.u32 %p1, %r3, 3; @%p1 bra $loop;\n"));
}

TEST_F(NearlyAlike, AFloatsBitsAreAnIndex) {
  numbers_[0] = 1;
  numbers_[1] = 8;
  expectSame(
      twoWarps("mul.wide.u32 %rd4, %r2, 4; add.s64 %rd4, %rd1, %rd4;\n"
               "mul.wide.u32 %rd8, %r1, 4; add.s64 %rd8, %rd8, %rd2;\n"
               "$loop: ld.global.f32 %f1, [%rd4]; mov.b32 %r4, %f1; mul.wide.u32 %rd5, %r4, 4;\n"
               "add.s64 %rd6, %rd8, %rd5; ld.global.f32 %f2, [%rd6]; add.u32 %r3, %r3, 1;\n"
               "setp.lt.u32 %p1, %r3, 3; @%p1 bra $loop;\n"));
}

}  // namespace tilestep::test::nearly_alike_test
