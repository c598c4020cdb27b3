// SPDX-License-Identifier: Apache-2.0
#include "lab/run/atomic_counts.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "ptx/text/parser.h"
#include "support/results.h"
#include "trace/counters.h"

namespace tilestep::lab::atomic_counts_test {

using Names = std::vector<std::string>;

Names namesOf(const std::string& body) {
  const auto module = valueOrThrow(ptx::parse(
      ".version 7.0\n.target sm_75\n.address_size 64\n.visible .entry k(.param .u64 p)\n{\n"
      ".reg .b32 %r<4>;\n.reg .b64 %rd<4>;\n.shared .u32 s[32];\n" +
      body + "\nret;\n}\n.visible .entry other()\n{\n.reg .b32 %r<4>;\n" +
      "atom.shared.or.b32 %r1, [0], %r2;\nadd.u32 %r1, %r1, %r1;\nret;\n}\n"));
  return countsWithoutAtomics(module, {{"k", {1, 1, 1}, {32, 1, 1}}});
}

bool holds(const std::vector<std::string>& names, const std::string& name) {
  return std::ranges::binary_search(names, name);
}

TEST(AtomicCounts, AtomicsCountAsLoadsIfTheirResultIsRead) {
  struct Case {
    const char* body;
    Names left, kept;
  };
  for (const auto& [body, left, kept] : {
           Case{"atom.global.or.b32 %r1, [%rd1], 0;\nst.global.u32 [%rd2], %r1;",
                {"global_load_sectors", "global_store_sectors"},
                {"shared_load_requests"}},  // Used only by the other entry.
           Case{"atom.global.add.u32 %r1, [%rd1], 1;\nred.shared.add.u32 [s], 1;",
                {"global_store_sectors", "shared_store_requests"},
                {"global_load_sectors"}},
           Case{"atom.cas.b32 %r1, [%rd1], 0, 1;\nadd.u32 %r2, %r1, 1;",
                {"global_load_bytes", "shared_load_wavefronts"},
                {}},
       }) {
    SCOPED_TRACE(body);
    const Names names = namesOf(body);
    for (const std::string& name : left) EXPECT_TRUE(holds(names, name)) << name;
    for (const std::string& name : kept) EXPECT_FALSE(holds(names, name)) << name;
  }
  EXPECT_TRUE(namesOf("ld.global.u32 %r1, [%rd1];\nst.global.u32 [%rd1], %r1;").empty());
}

TEST(AtomicCounts, EveryNameIsACounter) {
  std::vector<std::string> known;
  for (const trace::NamedCount& count : trace::namedCounts({})) known.push_back(count.name);
  for (const std::string& name : namesOf("atom.or.b32 %r1, [%rd1], 0;\nadd.u32 %r2, %r1, 1;"))
    EXPECT_TRUE(std::ranges::count(known, name) == 1) << name;
}

}  // namespace tilestep::lab::atomic_counts_test
