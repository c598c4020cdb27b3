// SPDX-License-Identifier: Apache-2.0
// Tests which accesses of a basic block share the AddressPattern of an earlier access.
#include "simt/decode/shared_memos.h"

#include <gtest/gtest.h>

namespace tilestep::simt::shared_memos_test {

constexpr uint32_t kAddress = 1024, kOther = 2048, kData = 4096;

Instr load(uint32_t memo, uint32_t address = kAddress, uint8_t bytes = 4) {
  Instr instr;
  instr.memo = instr.site = memo;
  instr.address = address;
  instr.bytes = bytes;
  instr.elements = 1;
  instr.d = instr.target = kData + memo * kNarrowRow;
  instr.patterned = true;
  return instr;
}

Instr writes(uint32_t row) {
  Instr instr;
  instr.d = instr.target = row;
  return instr;
}

/// Treats the code as one block, and returns which of its instructions are known afterwards.
std::vector<bool> known(std::vector<Instr>& code) {
  DecodedBlock block;
  block.end = static_cast<uint32_t>(code.size());
  shareMemos(code, {block});
  std::vector<bool> result;
  for (const Instr& instr : code) result.push_back(instr.known);
  return result;
}

using Known = std::vector<bool>;

TEST(SharedMemos, AccessesWithOneAddressRowShareTheFirstPattern) {
  std::vector<Instr> code{load(0), load(1, kOther), load(2), load(3, kOther)};
  EXPECT_EQ(known(code), (Known{false, false, true, true}));
  EXPECT_EQ(code[2].memo, 0U);
  EXPECT_EQ(code[3].memo, 1U);
  EXPECT_EQ(code[2].site, 2U) << "sites are not shared";
}

TEST(SharedMemos, AWrittenAddressRowEndsTheSharing) {
  std::vector<Instr> code{load(0), writes(kAddress), load(1), writes(kOther), load(2)};
  EXPECT_EQ(known(code), (Known{false, false, false, false, true}));
  EXPECT_EQ(code[4].memo, 1U);
}

TEST(SharedMemos, ALoadMayWriteItsOwnAddress) {
  Instr chase = load(0);
  chase.d = chase.target = kAddress;
  std::vector<Instr> code{chase, load(1)};
  EXPECT_EQ(known(code), (Known{false, false}));
  Instr second = load(0, kAddress, 8);
  second.elements = 2;
  second.a = kAddress;  // Row of the second element.
  code = {second, load(1, kAddress, 8)};
  EXPECT_EQ(known(code), (Known{false, false}));
}

TEST(SharedMemos, GuardedAccessesOtherWidthsAndAtomicsDoNotShare) {
  Instr guarded = load(0);
  guarded.guard = kOther;
  Instr atomic = load(1);
  atomic.patterned = false;
  std::vector<Instr> code{guarded, atomic, load(2), load(3, kAddress, 8), guarded};
  EXPECT_EQ(known(code), (Known{false, false, false, false, false}));
}

TEST(SharedMemos, AnInstructionThatMasksItselfMayWriteAnything) {
  Instr call = writes(kOther);
  call.masksItself = true;
  std::vector<Instr> code{load(0), call, load(1)};
  EXPECT_EQ(known(code), (Known{false, false, false}));
}

TEST(SharedMemos, BlocksDoNotSharePatterns) {
  std::vector<Instr> code{load(0), load(1), load(2)};
  DecodedBlock first, second;
  first.end = 1;
  second.begin = 1;
  second.end = 2;
  shareMemos(code, {first, second});
  for (const Instr& instr : code) EXPECT_FALSE(instr.known);
}

}  // namespace tilestep::simt::shared_memos_test
