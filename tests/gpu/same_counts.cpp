// SPDX-License-Identifier: Apache-2.0
#include "gpu/same_counts.h"

#include <gtest/gtest.h>

namespace tilestep::test {
namespace {

using device::Outcome;
using trace::Counters;

/// Removes counts that a GPU cannot provide.
trace::GridCounters comparable(trace::GridCounters counters) {
  const auto strip = [](Counters& c) {
    c.warpInstructions.reset();
    c.branches.reset();
    c.divergentBranches.reset();
  };
  strip(counters.total);
  for (Counters& c : counters.epochs) strip(c);
  return counters;
}

std::string show(const Counters& c) {
  const auto global = [](const trace::GlobalCounts& g) {
    return "threads " + std::to_string(g.threads) + " requests " + std::to_string(g.requests) +
           " sectors " + std::to_string(g.sectors) + " bytes " + std::to_string(g.bytes) +
           " distinct " + std::to_string(g.distinctBytes);
  };
  const auto shared = [](const trace::SharedCounts& s) {
    return "requests " + std::to_string(s.requests) + " wavefronts " +
           std::to_string(s.wavefronts) + " conflicts " + std::to_string(s.bankConflicts);
  };
  return "load: " + global(c.globalLoad) + "; store: " + global(c.globalStore) +
         "; shared load: " + shared(c.sharedLoad) + "; shared store: " + shared(c.sharedStore) +
         "; barriers " + std::to_string(c.barriers) + " ffma " + std::to_string(c.ffma) + " fadd " +
         std::to_string(c.fadd) + " fmul " + std::to_string(c.fmul) + " instructions " +
         std::to_string(c.threadInstructions);
}

}  // namespace

void compareCounts(const trace::GridCounters& gpu, const trace::GridCounters& simt) {
  const trace::GridCounters a = comparable(gpu), b = comparable(simt);
  EXPECT_TRUE(a.total == b.total) << "GPU  " << show(a.total) << "\nsimt " << show(b.total);
  EXPECT_EQ(a.epochsTruncated, b.epochsTruncated);
  ASSERT_EQ(a.epochs.size(), b.epochs.size());
  for (size_t e = 0; e < a.epochs.size(); ++e) {
    ASSERT_TRUE(a.epochs[e] == b.epochs[e])
        << "epoch " << e << "\nGPU  " << show(a.epochs[e]) << "\nsimt " << show(b.epochs[e]);
  }
}

void expectSameCounts(device::Device& gpu, device::Job job, bool sameBits) {
  const Result<Outcome> plain = gpu.run(job, {});
  ASSERT_TRUE(plain.ok()) << toString(plain.error());
  job.counters = true;
  job.check = true;  // Compares the counting run's results with the plain run's.
  const Result<Outcome> counted = gpu.run(job, {});
  ASSERT_TRUE(counted.ok()) << toString(counted.error());
  EXPECT_TRUE(counted->faults.empty()) << counted->faults[0].message;
  const auto simt = device::openSimt();
  const Result<Outcome> stepped = simt->run(job, {});
  ASSERT_TRUE(stepped.ok()) << toString(stepped.error());
  EXPECT_TRUE(stepped->faults.empty());
  EXPECT_TRUE(counted->outputs == plain->outputs) << "counting changed the result";
  if (sameBits) {
    EXPECT_TRUE(stepped->outputs == plain->outputs) << "the interpreter gives another result";
  }
  EXPECT_EQ(counted->unwritten, std::optional<uint64_t>(0));
  compareCounts(*counted->counters, *stepped->counters);
}

}  // namespace tilestep::test
