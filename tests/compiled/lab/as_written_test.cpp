// SPDX-License-Identifier: Apache-2.0
// Hazards are those of the text, whatever compilers make of it.
#include "lab/run/as_written.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <utility>

#include "lab/job.h"
#include "lab/lab.h"
#include "support/source_root.h"

namespace tilestep::lab {
namespace as_written_test {

/// A kernel of 64 threads around `left`, which thread 0 stores, and the names of the
/// hazards that are found.
class AsWritten : public testing::Test {
 protected:
  std::optional<size_t> hazardsOf(const std::string& use, const std::string& before = {}) {
    const auto result = lab.run(
        checked(use, before), [] { return false; }, nullptr);
    EXPECT_TRUE(result) << (result ? "" : toString(result.error()));
    if (!result || !result->hazards) return std::nullopt;
    return result->hazards->size();
  }
  static Experiment checked(const std::string& use, const std::string& before = {}) {
    Experiment experiment;
    experiment.source.path = "k.cu";
    experiment.source.text = before + R"(
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

TEST_F(AsWritten, OneThreadsStoreAndReadAreNoHazard) {
  EXPECT_EQ(hazardsOf("  if (t == 0 && left == 0) out[t] = 1;\n"), 0U);
  EXPECT_EQ(hazardsOf("  int x;\n  if (t == 0) x = left;\n  x = __shfl_sync(~0u, x, 0);\n"
                      "  if (t == 0) out[t] = x;\n"),
            0U);
}

TEST_F(AsWritten, AnotherThreadsReadIsAHazard) {
  EXPECT_EQ(hazardsOf("  if (left == 0 && t == 0) out[t] = 1;\n"), 1U);
  EXPECT_EQ(hazardsOf("  if (t == 40 && left == 0) out[t] = 1;\n"), 1U);
}

/// Two compilers name different lines of a statement.
TEST_F(AsWritten, AWarpWithoutBarriersRacesThoughItsStatementsSpanLines) {
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

TEST_F(AsWritten, ATextThatTellsCompilersApartIsJudgedAsItWasCompiled) {
  const std::string asks = "#ifdef __NO_INLINE__\n#define WHO 0\n#else\n#define WHO 40\n#endif\n";
  EXPECT_EQ(hazardsOf("  if (t == WHO && left == 0) out[t] = 1;\n", asks), 1U)
      << "not optimised, thread 0 reads what it stored itself";
}

/// Its runs are the interpreter's, beside the recorded figures.
TEST_F(AsWritten, ARecordedDeviceLooksToo) {
  for (const auto& [use, hazards] : {std::pair{"  if (t == 0 && left == 0) out[t] = 1;\n", 0U},
                                     std::pair{"  if (left == 0 && t == 0) out[t] = 1;\n", 1U}}) {
    Experiment experiment = checked(use);
    experiment.device = "recorded:nvidia-h200";
    const auto result = lab.run(
        experiment, [] { return false; }, nullptr);
    ASSERT_TRUE(result) << toString(result.error());
    ASSERT_TRUE(result->hazards);
    EXPECT_EQ(result->hazards->size(), hazards) << use;
  }
}

/// Silence would judge by a text that nobody looked at.
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
  outcome.hazards.emplace();
  outcome.hasLateLoads = true;
  const auto look = [&](double seconds, uint64_t bytes) {
    RunMemory memory(bytes, 1);
    const device::Stop stop([] { return false; }, seconds);
    return lookAsWritten(builds, experiment, prepared, job, stop, memory, outcome);
  };
  EXPECT_TRUE(look(100, 0));
  const Status late = look(1e-9, 0);
  ASSERT_FALSE(late);
  EXPECT_EQ(late.error().kind, ErrorKind::work) << late.error().message;
  const Status tight = look(100, 64);
  ASSERT_FALSE(tight);
  EXPECT_NE(tight.error().message.find("hazards were not looked for"), std::string::npos)
      << tight.error().message;
}

TEST(HazardsAsWritten, AreTakenUnlessTheirRunEndedEarly) {
  device::Job job;
  job.check = true;
  device::Outcome outcome;
  EXPECT_FALSE(needsLookAsWritten(job, outcome)) << "none are looked for";
  outcome.hazards.emplace();
  EXPECT_FALSE(needsLookAsWritten(job, outcome));
  outcome.hasLateLoads = true;
  EXPECT_TRUE(needsLookAsWritten(job, outcome));
  outcome.hasLateLoads = false;
  outcome.hazards->emplace_back();
  EXPECT_TRUE(needsLookAsWritten(job, outcome));
  device::Outcome again;
  again.hazards.emplace();
  again.faults.emplace_back().kind = "timeout";
  takeHazards(outcome, again);
  EXPECT_EQ(outcome.hazards->size(), 1U);
  ASSERT_EQ(outcome.faults.size(), 1U) << "what was found may be none";
  EXPECT_EQ(outcome.faults.front().kind, "time-limit");
  outcome.faults.clear();
  again.faults.clear();
  again.barriersPassed = 1;
  takeHazards(outcome, again);
  EXPECT_EQ(outcome.hazards->size(), 1U) << "it is another program";
  outcome.barriersPassed = 1;
  takeHazards(outcome, again);
  EXPECT_EQ(outcome.hazards->size(), 0U);
}

TEST(HazardsAsWritten, OfFlagsAreTheFirstRunsToo) {
  const auto hazard = [](const char* space, uint32_t line, bool arePlain) {
    device::Hazard made;
    made.space = space;
    made.first.line = line;
    made.arePlain = arePlain;
    return made;
  };
  device::Outcome outcome, again;
  outcome.hazards = {{hazard("shared", 3, false), hazard("global", 1, true)}};
  again.hazards = {
      {hazard("shared", 9, false), hazard("global", 4, false), hazard("global", 6, true)}};
  takeHazards(outcome, again);
  ASSERT_EQ(outcome.hazards->size(), 2U);
  EXPECT_EQ(outcome.hazards->front().first.line, 9U);
  EXPECT_EQ(outcome.hazards->back().first.line, 6U);
}

}  // namespace as_written_test
}  // namespace tilestep::lab
