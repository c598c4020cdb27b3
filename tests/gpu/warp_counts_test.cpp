// SPDX-License-Identifier: Apache-2.0
// A kernel could have overwritten the logs of exemplars. Whatever they contain, counting ends and
// reports the error.
#include "device/cuda/counting/warp_counts.h"

#include <gtest/gtest.h>

#include <random>

#include "ptx/text/parser.h"
#include "support/results.h"

namespace tilestep::cuda::warp_counts_test {

/// A loop that loads as long as a predicate is true, then a store.
ptx::Module looping() {
  const Result<ptx::Module> module = ptx::parse(
      ".version 7.0\n.target sm_75\n.address_size 64\n.visible .entry e(.param .u64 p)\n{\n"
      ".reg .pred %p<3>;\n.reg .b64 %rd<3>;\n.reg .f32 %f<3>;\n"
      "L: ld.global.f32 %f1, [%rd1+4];\nadd.rn.f32 %f2, %f2, %f1;\n@%p1 bra L;\n"
      "st.global.f32 [%rd2], %f2;\nret;\n}\n");
  EXPECT_TRUE(module) << (module ? "" : toString(module.error()));
  return module ? *module : ptx::Module();
}

class WarpCountsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    const ptx::TraceLog made =
        valueOrThrow(ptx::traceLogOf(module_, *module_.find("e"), 32, ptx::LogContent::addresses));
    log_ = made;
  }
  /// The log of lanes with these trip counts, at addresses `apart` bytes apart.
  [[nodiscard]] WarpLog logOf(const std::vector<uint32_t>& rounds, uint64_t apart) const {
    WarpLog own;
    own.lanes = static_cast<uint32_t>(rounds.size());
    std::vector<std::vector<uint32_t>> lanes;
    for (uint32_t lane = 0; lane < rounds.size(); ++lane) {
      std::vector<uint32_t>& words = lanes.emplace_back();
      const auto address = static_cast<uint32_t>(0x1000 + apart * lane);
      for (uint32_t round = 1; round <= rounds[lane]; ++round) {
        const bool again = round < rounds[lane];
        words.insert(words.end(), {ptx::logMark(0), address, 0, again ? 1U : 0U});
      }
      words.insert(words.end(), {ptx::logMark(3), address, 0});
      own.wanted[lane] = words.size();
      own.room = std::max<uint64_t>(own.room, words.size());
    }
    own.words.resize(own.room * 32);
    for (uint32_t lane = 0; lane < lanes.size(); ++lane)
      for (size_t word = 0; word < lanes[lane].size(); ++word)
        own.words[word * 32 + lane] = lanes[lane][word];
    return own;
  }
  Result<std::vector<trace::Counters>> count(const WarpLog& own) {
    return WarpCounter(*module_.find("e"), log_).count(own);
  }

  const ptx::Module module_ = looping();
  ptx::TraceLog log_;
};

TEST_F(WarpCountsTest, LanesWithLongerLoopsMakeSeparateRequests) {
  const auto counts = valueOrThrow(count(logOf({2, 2, 3, 2}, 4)));
  ASSERT_EQ(counts.size(), 1U);
  const trace::Counters& c = counts.front();
  EXPECT_EQ(c.globalLoad.requests, 3U);
  EXPECT_EQ(c.globalLoad.threads, 9U);
  EXPECT_EQ(c.globalLoad.sectors, 3U);
  EXPECT_EQ(c.globalLoad.distinctBytes, 36U);
  EXPECT_EQ(c.globalStore.requests, 1U) << "all meet behind the loop";
  EXPECT_EQ(c.globalStore.sectors, 1U);
  EXPECT_EQ(c.fadd, 9U);
  EXPECT_EQ(c.threadInstructions, 9U * 3 + 4 * 2);
}

TEST_F(WarpCountsTest, SectorsAndDistinctBytesFollowTheAddresses) {
  const auto far = valueOrThrow(count(logOf({1, 1, 1, 1}, 32)));
  EXPECT_EQ(far.front().globalLoad.sectors, 4U);
  const auto same = valueOrThrow(count(logOf({1, 1, 1, 1}, 0)));
  EXPECT_EQ(same.front().globalLoad.sectors, 1U);
  EXPECT_EQ(same.front().globalLoad.distinctBytes, 4U);
  EXPECT_EQ(same.front().globalLoad.bytes, 16U);
}

TEST_F(WarpCountsTest, ATruncatedOrTooLongLogIsAnError) {
  WarpLog cut = logOf({3, 3}, 4);
  cut.room -= 3;
  EXPECT_FALSE(count(cut));
  WarpLog longer = logOf({1, 1}, 4);
  longer.wanted[1] += 1;
  EXPECT_FALSE(count(longer));
}

TEST_F(WarpCountsTest, DamagedLogsAreErrorsOrCounts) {
  std::mt19937 generator(11);
  const WarpLog good = logOf({3, 1, 4, 1, 5, 9, 2, 6}, 12);
  for (int i = 0; i < 20000; ++i) {
    WarpLog bad = good;
    for (int changes = static_cast<int>(generator() % 3); changes >= 0; --changes) {
      const uint32_t lane = generator() % bad.lanes;
      switch (generator() % 3) {
        case 0:
          bad.words[generator() % bad.words.size()] = generator() % 2 == 0 ? generator() : 1;
          break;
        case 1:
          bad.wanted[lane] = generator() % 64;
          break;
        default:
          bad.words[generator() % bad.words.size()] = ptx::logMark(generator() % 6);
      }
    }
    const auto counts = count(bad);
    if (counts) {
      EXPECT_LE(counts->size(), 2U);
    }
  }
}

}  // namespace tilestep::cuda::warp_counts_test
