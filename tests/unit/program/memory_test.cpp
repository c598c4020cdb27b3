// SPDX-License-Identifier: Apache-2.0
#include "program/memory.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>

#include "simt/machine.h"

namespace tilestep::program::memory_test {

using guest::MemoryKind;
constexpr uint64_t kMost = uint64_t{1} << 30;

TEST(ProgramMemory, PiecesAreTooFarApartFor32BitIndices) {
  Memory memory(kMost);
  uint64_t before = 0;
  for (int i = 0; i < 100; ++i) {
    const Allocation* const made = memory.allocate(1000, MemoryKind::device, nullptr);
    ASSERT_NE(made, nullptr);
    EXPECT_GE(made->address - before, uint64_t{1} << 35) << i;
    before = made->address;
  }
}

TEST(ProgramMemory, AllocationsStayWithinTheLimit) {
  Memory memory(1000);
  const Allocation* const first = memory.allocate(900, MemoryKind::device, nullptr);
  ASSERT_NE(first, nullptr);
  EXPECT_EQ(memory.allocate(101, MemoryKind::device, nullptr), nullptr);
  memory.release(first->address, 0);
  EXPECT_NE(memory.allocate(1000, MemoryKind::device, nullptr), nullptr);
  EXPECT_EQ(memory.allocate(~uint64_t{0}, MemoryKind::device, nullptr), nullptr);
}

TEST(ProgramMemory, AddressesBelongToTheNearestPieceAndBytesToLivePieces) {
  Memory memory(kMost);
  const Allocation first = *memory.allocate(100, MemoryKind::device, nullptr);
  const Allocation second = *memory.allocate(100, MemoryKind::device, nullptr);
  EXPECT_EQ(memory.at(first.address)->address, first.address);
  EXPECT_EQ(memory.at(first.address + 5000)->address, first.address);
  EXPECT_EQ(memory.at(second.address - 4)->address, second.address);
  EXPECT_NE(memory.holder(first.address, 100), nullptr);
  EXPECT_NE(memory.holder(first.address + 100, 0), nullptr);
  EXPECT_EQ(memory.holder(first.address, 101), nullptr);
  EXPECT_EQ(memory.holder(first.address + 1, 100), nullptr);
  EXPECT_EQ(memory.holder(first.address + 1, ~uint64_t{0}), nullptr);
  memory.release(first.address, 17);
  EXPECT_EQ(memory.holder(first.address, 1), nullptr);
  EXPECT_EQ(memory.at(first.address)->freed, 17U) << "the freeing call is remembered";
}

TEST(ProgramMemory, FreshMemoryIsUnsetAndSharedMemoryIsNot) {
  Memory memory(kMost);
  const Allocation* const device = memory.allocate(8, MemoryKind::device, nullptr);
  EXPECT_TRUE(std::ranges::equal(device->written, std::vector<uint8_t>(8, 0)));
  Memory::Shared shared;
  const Allocation* const managed = memory.allocate(8, MemoryKind::managed, &shared);
  ASSERT_NE(managed, nullptr);
  EXPECT_TRUE(std::ranges::equal(managed->written, std::vector<uint8_t>(8, 1)));
}

TEST(ProgramMemory, SharedMemoryIsOnePieceAndCannotBeTruncated) {
  Memory memory(kMost);
  Memory::Shared shared;
  const Allocation* const made = memory.allocate(5000, MemoryKind::pinned, &shared);
  ASSERT_NE(made, nullptr);
  ASSERT_TRUE(shared.descriptor.isOpen());
  EXPECT_GE(shared.bytes, 5000U);
  void* const there =
      mmap(nullptr, shared.bytes, PROT_READ | PROT_WRITE, MAP_SHARED, shared.descriptor.get(), 0);
  ASSERT_NE(there, MAP_FAILED);
  static_cast<uint8_t*>(there)[4999] = 42;
  EXPECT_EQ(made->host[4999], 42);
  EXPECT_NE(ftruncate(shared.descriptor.get(), 0), 0);
  munmap(there, shared.bytes);
}

}  // namespace tilestep::program::memory_test
