// SPDX-License-Identifier: Apache-2.0
#include "lab/run/atomic_counts.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "ptx/text/parser.h"
#include "trace/counters.h"

namespace tilestep::lab::atomic_counts_test {

std::vector<std::string> namesOf(const std::string& body) {
  const Result<ptx::Module> module = ptx::parse(
      ".version 7.0\n.target sm_75\n.address_size 64\n.visible .entry k(.param .u64 p)\n{\n"
      ".reg .b32 %r<4>;\n.reg .b64 %rd<4>;\n.shared .u32 s[32];\n" +
      body + "\nret;\n}\n.visible .entry other()\n{\n.reg .b32 %r<4>;\n" +
      "atom.shared.or.b32 %r1, [0], %r2;\nadd.u32 %r1, %r1, %r1;\nret;\n}\n");
  EXPECT_TRUE(module.ok()) << module.error().message;
  return countsWithoutAtomics(*module, {{"k", {1, 1, 1}, {32, 1, 1}}});
}

bool holds(const std::vector<std::string>& names, const std::string& name) {
  return std::ranges::binary_search(names, name);
}

TEST(AtomicCounts, AnAtomicOperationWhoseResultIsReadIsALoadAndAStore) {
  const auto names = namesOf("atom.global.or.b32 %r1, [%rd1], 0;\nst.global.u32 [%rd2], %r1;");
  EXPECT_TRUE(holds(names, "global_load_sectors"));
  EXPECT_TRUE(holds(names, "global_store_sectors"));
  EXPECT_FALSE(holds(names, "shared_load_requests")) << "another entry's";
}

TEST(AtomicCounts, WithoutAReaderItIsNoLoad) {
  const auto names = namesOf("atom.global.add.u32 %r1, [%rd1], 1;\nred.shared.add.u32 [s], 1;");
  EXPECT_FALSE(holds(names, "global_load_sectors"));
  EXPECT_TRUE(holds(names, "global_store_sectors"));
  EXPECT_TRUE(holds(names, "shared_store_requests"));
}

TEST(AtomicCounts, AGenericAddressMayLeadToBothMemories) {
  const auto names = namesOf("atom.cas.b32 %r1, [%rd1], 0, 1;\nadd.u32 %r2, %r1, 1;");
  EXPECT_TRUE(holds(names, "global_load_bytes"));
  EXPECT_TRUE(holds(names, "shared_load_wavefronts"));
}

TEST(AtomicCounts, LoadsAndStoresAloneLeaveNothingOut) {
  EXPECT_TRUE(namesOf("ld.global.u32 %r1, [%rd1];\nst.global.u32 [%rd2], %r1;").empty());
}

TEST(AtomicCounts, EveryNameIsThatOfACounter) {
  std::vector<std::string> known;
  for (const trace::NamedCount& count : trace::namedCounts({})) known.push_back(count.name);
  for (const std::string& name : namesOf("atom.or.b32 %r1, [%rd1], 0;\nadd.u32 %r2, %r1, 1;"))
    EXPECT_TRUE(std::ranges::count(known, name) == 1) << name;
}

}  // namespace tilestep::lab::atomic_counts_test
