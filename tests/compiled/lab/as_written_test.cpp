// SPDX-License-Identifier: Apache-2.0
// Hazards depend on the source as written, not on what a compiler makes of it.
#include "lab/run/as_written.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <utility>

#include "lab/job.h"
#include "lab/lab.h"
#include "support/results.h"
#include "support/source_root.h"

namespace tilestep::lab::as_written_test {

/// Runs kernels of 64 threads that use `left`, a variable that thread 0 stores, and returns their
/// hazards.
class AsWritten : public testing::Test {
 protected:
  std::optional<size_t> hazardsOf(const std::string& use) {
    const auto result = lab.run(checked(use), {}, {});
    EXPECT_TRUE(result) << (result ? "" : toString(result.error()));
    if (!result || !result->hazards) return std::nullopt;
    return result->hazards->size();
  }
  static Experiment checked(const std::string& use) {
    Experiment experiment;
    experiment.source.path = "k.cu";
    experiment.source.text = R"(
__global__ void k(float* out, int n) {
  __shared__ int left;
  int t = threadIdx.x;
  if (t == 0) left = n - 64;
)" + use + "}\n";
    experiment.source.frontMatter = R"(
sizes = { n = 64 }
launch = { block = ["64"], grid = ["1"] }
[[operand]]
name = "out"
rows = 1
columns = "n"
direction = "out"
[[operand]]
name = "n"
kind = "scalar"
)";
    experiment.device = "simt";
    experiment.check = true;
    return experiment;
  }

  Lab lab{{support::sourceRoot(), "", 1}};
};

TEST_F(AsWritten, OnlyAVariableThatOtherThreadsReadHasAHazard) {
  EXPECT_EQ(hazardsOf("  if (t == 0 && left == 0) out[t] = 1;\n"), 0U);
  EXPECT_EQ(hazardsOf("  int x;\n  if (t == 0) x = left;\n  x = __shfl_sync(~0u, x, 0);\n"
                      "  if (t == 0) out[t] = x;\n"),
            0U);
  EXPECT_EQ(hazardsOf("  __shared__ int other;\n  out[t] = t == 0 ? left : other;\n"), 0U);
  EXPECT_EQ(hazardsOf("  if (left == 0 && t == 0) out[t] = 1;\n"), 1U);
  EXPECT_EQ(hazardsOf("  if (t == 40 && left == 0) out[t] = 1;\n"), 1U);
}

/// Two compilers assign a statement to different lines.
TEST_F(AsWritten, AWarpWithoutBarriersRacesEvenIfStatementsSpanLines) {
  EXPECT_GT(hazardsOf("  volatile __shared__ int s[64];\n"
                      "  s[t] = t;\n"
                      "  __syncthreads();\n"
                      "  if (t < 32) {\n"
                      "    s[t] +=\n"
                      "        s[t + 16];\n"
                      "    s[t] +=\n"
                      "        s[t + 8];\n"
                      "  }\n"
                      "  if (t == 0 && left == 0) out[t] = s[0];\n"),
            0U);
}

/// The interpreter's runs supplement the recorded figures.
TEST_F(AsWritten, ARecordedDeviceFindsThemToo) {
  for (const auto& [use, hazards] : {std::pair{"  if (t == 0 && left == 0) out[t] = 1;\n", 0U},
                                     std::pair{"  if (left == 0 && t == 0) out[t] = 1;\n", 1U}}) {
    Experiment experiment = checked(use);
    experiment.device = "recorded:nvidia-h200";
    const auto result = valueOrThrow(lab.run(experiment, {}, {}));
    ASSERT_TRUE(result.hazards);
    EXPECT_EQ(result.hazards->size(), hazards) << use;
  }
}

/// No hazards would be a verdict on an unchecked source.
TEST_F(AsWritten, WithoutTimeOrMemoryItIsAnError) {
  const Experiment experiment = checked("  if (t == 0 && left == 0) out[t] = 1;\n");
  KernelBuilds builds({support::sourceRoot(), "", {}, {}});
  Prepared prepared;
  prepared.spec = compile::parseKernel(experiment.source).value();
  const auto interpreter = device::openSimt(1);
  const device::DeviceInfo& info = interpreter->info();
  prepared.device = interpreter.get();
  prepared.plan = compile::plan(prepared.spec, {{"n", 64}}, {}, info.limits).value();
  prepared.compiled = builds
                          .make(KernelBuilds::requestFor(experiment, prepared.plan,
                                                         archFor(prepared.spec, info).value(), 0),
                                {})
                          .value();
  const device::Job job = makeJob(experiment, prepared.plan, *prepared.compiled).value();
  device::Outcome outcome;
  const auto look = [&](double seconds, uint64_t bytes) {
    outcome.hazards.emplace().emplace_back();
    RunMemory memory(bytes, 1);
    const device::Stop stop([] { return false; }, seconds);
    return lookAsWritten(builds, experiment, prepared, job, stop, memory, outcome);
  };
  EXPECT_TRUE(look(100, 0));
  const Status late = look(1e-9, 0);
  ASSERT_FALSE(late);
  EXPECT_EQ(late.error().kind, ErrorKind::work) << late.error().message;
  EXPECT_TRUE(fails(look(100, 64), "could not be confirmed"));
}

TEST(HazardsAsWritten, AreUsedUnlessTheirRunEndedEarly) {
  device::Outcome outcome;
  outcome.hazards.emplace().emplace_back();
  device::Outcome again;
  again.hazards.emplace();
  again.faults.emplace_back().kind = "timeout";
  takeHazards(outcome, again);
  EXPECT_EQ(outcome.hazards->size(), 1U);
  ASSERT_EQ(outcome.faults.size(), 1U) << "what was found may be none";
  EXPECT_EQ(outcome.faults.front().kind, "time-limit");
  outcome.faults.clear();
  again.faults.clear();
  takeHazards(outcome, again);
  EXPECT_EQ(outcome.hazards->size(), 0U);
}

}  // namespace tilestep::lab::as_written_test
