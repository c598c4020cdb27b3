// SPDX-License-Identifier: Apache-2.0
// The device heap: the checks of accesses to it, and when freed memory is reused.
#include <gtest/gtest.h>

#include "checked.h"
#include "simt/run/device_heap.h"

namespace tilestep::simt::heap_test {

/// %rd2 is the address of `bytes` bytes from malloc. CALL_FREE frees it.
Machine withHeap(const std::string& bytes, const std::string& body, uint32_t threads = 1) {
  std::string text = "{ .param .b64 a; .param .b64 back; st.param.b64 [a], " + bytes +
                     "; call (back), malloc, (a); ld.param.b64 %rd2, [back]; }\n" + body;
  const std::string word = "CALL_FREE";
  for (size_t at = text.find(word); at != std::string::npos; at = text.find(word)) {
    text.replace(at, word.size(), "{ .param .b64 a; st.param.b64 [a], %rd2; call free, (a); }\n");
  }
  return checked(text, threads,
                 ".extern .func (.param .b64 back) malloc (.param .b64 a);\n"
                 ".extern .func free (.param .b64 a);\n");
}

/// The kind and message of the only fault, without the position.
std::string messageOf(Machine machine) {
  const GridResult result = machine.run();
  EXPECT_EQ(result.faults.size(), 1u);
  if (result.faults.empty()) return {};
  const std::string& message = result.faults[0].message;
  return result.faults[0].kind + ": " + message.substr(0, message.find(" ("));
}

TEST(CheckedHeap, UnwrittenReadsAreFound) {
  EXPECT_EQ(
      messageOf(withHeap("24",
                         "st.u32 [%rd2], 1; ld.u32 %r2, [%rd2+8];"
                         "st.u32 [%rd2+4], %r2;")),
      "uninitialised-read: A read of 4 bytes finds memory that was never written: byte 8 of an "
      "allocation of 24 bytes");
  EXPECT_EQ(findings(withHeap("24", "st.u32 [%rd2+8], 1; ld.u32 %r2, [%rd2+8]; CALL_FREE", 64)),
            "");
}

TEST(CheckedHeap, StoringAnUnsetValueIsAUse) {
  const std::string half = line(4) + "ld.shared.u32 %r2, [tile]; st.shared.u16 [other], 1;\n" +
                           "ld.shared.u32 %r3, [other];\n";
  EXPECT_EQ(findings(withHeap("24", half + "st.u32 [%rd2+4], %r2;")), "uninitialised-read 4");
  EXPECT_EQ(findings(withHeap("24", half + "st.u16 [%rd2+4], %r3;")), "");
  EXPECT_EQ(findings(withHeap("24", half + "st.u32 [%rd2+4], %r3;")), "uninitialised-copy 4");
}

TEST(CheckedHeap, AccessesOutsideOfAnAllocationAreFound) {
  EXPECT_EQ(messageOf(withHeap("24", "st.u32 [%rd2+24], 1;")),
            "out-of-bounds: A write of 4 bytes ends 4 bytes past the end of an allocation of 24 "
            "bytes");
  EXPECT_EQ(messageOf(withHeap("22", "st.u32 [%rd2+20], 1;")),
            "out-of-bounds: A write of 4 bytes ends 2 bytes past the end of an allocation of 22 "
            "bytes");
  const std::string second =
      "{ .param .b64 a; .param .b64 back; st.param.b64 [a], 64;\n"
      "call (back), malloc, (a); ld.param.b64 %rd3, [back]; }\n";
  EXPECT_EQ(messageOf(withHeap("16", second + "red.add.u32 [%rd3+-4], 1;")),
            "out-of-bounds: An atomic access of 4 bytes begins 4 bytes before the start of an "
            "allocation of 64 bytes");
}

TEST(CheckedHeap, UseOfFreedMemoryIsFound) {
  EXPECT_EQ(messageOf(withHeap("24", "st.u32 [%rd2+4], 1; CALL_FREE ld.u32 %r2, [%rd2+4];")),
            "out-of-bounds: A read of 4 bytes lies at byte 4 of an allocation of 24 bytes that was "
            "freed");
  EXPECT_EQ(messageOf(withHeap("24", "CALL_FREE CALL_FREE")),
            "out-of-bounds: free is given a pointer that was already freed");
  EXPECT_EQ(messageOf(withHeap("24", "add.s64 %rd2, %rd2, 8; CALL_FREE")),
            "out-of-bounds: free is given a pointer that malloc did not return");
}

TEST(CheckedHeap, ReusedMemoryIsUnwritten) {
  // A million bytes for each of 32 blocks, one after the other, fit only if freed memory is reused.
  const auto blocks = [](const std::string& body) {
    Machine machine = withHeap("1000000", body);
    machine.grid(32);
    return findings(std::move(machine));
  };
  EXPECT_EQ(blocks("st.u32 [%rd2], %r30; CALL_FREE"), "");
  EXPECT_EQ(blocks("setp.ne.u32 %p1, %r30, 0; @%p1 bra $read; st.u32 [%rd2], %r30;\n"
                   "$read:" +
                   line(7) + "ld.u32 %r2, [%rd2]; st.u32 [%rd2+4], %r2; CALL_FREE"),
            "uninitialised-read 7");
}

TEST(DeviceHeap, ReusesFreedMemoryAsLateAsPossible) {
  DeviceHeap heap;
  heap.open(1 << 20, true);
  const uint64_t first = heap.allocate(DeviceHeap::kBytes / 4).address;
  EXPECT_EQ(heap.release(first), DeviceHeap::Release::done);
  EXPECT_EQ(heap.release(first), DeviceHeap::Release::freedBefore);
  const DeviceHeap::Allocation second = heap.allocate(DeviceHeap::kBytes / 4);
  EXPECT_NE(second.address, first);
  EXPECT_FALSE(second.isUsed);
  EXPECT_NE(heap.allocate(DeviceHeap::kBytes / 4).address, 0u);
  const DeviceHeap::Allocation third = heap.allocate(DeviceHeap::kBytes / 4);
  EXPECT_EQ(third.address, first);
  EXPECT_TRUE(third.isUsed);
  EXPECT_EQ(heap.allocate(DeviceHeap::kBytes / 2).address, 0u);
  EXPECT_EQ(heap.release(first), DeviceHeap::Release::done);
  EXPECT_EQ(heap.release(first + 16), DeviceHeap::Release::notGiven);
}

}  // namespace tilestep::simt::heap_test
