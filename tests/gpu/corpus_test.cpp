// SPDX-License-Identifier: Apache-2.0
// Every kernel of the corpus on the GPU and in the interpreter, from the same PTX. The outputs are
// equal to the bit, or within the case's tolerance. TILESTEP_CORPUS_OUT=FILE appends the GPU's
// results to FILE, for tests/corpus/expected.txt.
#include "corpus/corpus.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "gpu/gpu_job.h"
#include "support/results.h"

namespace tilestep::corpus::corpus_test {

compile::CompileService& service() {
  static compile::CompileService made({test::homeFolder(), "", ""});
  return made;
}

void record(const std::string& key, const std::string& value) {
  const char* path = std::getenv("TILESTEP_CORPUS_OUT");
  if (path) std::ofstream(path, std::ios::app) << key << ": " << value << "\n";
}

class GpuCorpus : public testing::TestWithParam<std::string> {};

TEST_P(GpuCorpus, EqualsTheInterpreter) {
  const auto gpu = test::openFirstGpu();
  TILESTEP_NEED_GPU(gpu);
  ASSERT_TRUE(service().description()) << service().description().error().message;
  const auto simt = device::openSimt(1);
  for (const Case& each : casesOf(GetParam())) {
    SCOPED_TRACE(each.key);
    const Prepared prepared = valueOrThrow(prepare(each, service(), gpu->info()));
    const device::Outcome real = valueOrThrow(gpu->run(prepared.job, {}));
    for (const device::Fault& fault : real.faults) ADD_FAILURE() << fault.message;
    EXPECT_EQ(wrongBy(prepared, real), "");
    record("compiler", prepared.compiler);
    record(each.key, recordOf(each, real.outputs));
    const device::Outcome mine = valueOrThrow(simt->run(prepared.job, {}));
    // Includes instructions that the interpreter rejects: no kernel of the corpus needs them.
    for (const device::Fault& fault : mine.faults)
      ADD_FAILURE() << fault.kind << ": " << fault.message;
    EXPECT_EQ(difference(each.tolerance, prepared.job.operands, mine.outputs, real.outputs), "");
    if (each.tolerance > 0) {
      std::printf("%s: largest difference %.3g of at most %.3g\n", each.key.c_str(),
                  largestDifference(prepared.job.operands, mine.outputs, real.outputs),
                  each.tolerance);
    }
  }
}

/// Launches with more than a grid and a block, and parameters of more than 8 bytes, also if the
/// kernel is timed, counted or traced.
TEST(GpuCorpusJobs, AreMeasuredCountedAndTraced) {
  const auto gpu = test::openFirstGpu();
  TILESTEP_NEED_GPU(gpu);
  for (const std::string kernel : {"groups_grid", "struct_parameters", "struct_array"}) {
    SCOPED_TRACE(kernel);
    Case each;
    each.kernel = each.key = kernel;
    each.sizes["n"] = 1000;
    Prepared prepared = valueOrThrow(prepare(each, service(), gpu->info()));
    const device::Outcome plain = valueOrThrow(gpu->run(prepared.job, {}));
    device::Job job = prepared.job;
    job.measure = true;
    const device::Outcome measured = valueOrThrow(gpu->run(job, {}));
    ASSERT_TRUE(measured.measurement.has_value());
    EXPECT_GT(measured.measurement->medianMs, 0);
    EXPECT_EQ(measured.outputs, plain.outputs);
    const auto probes = valueOrThrow(test::JobMaker().probe("count", true));
    job = prepared.job;
    job.probes = probes->module;
    job.counters = true;
    job.traceBlock = Dim3{0, 0, 0};
    const device::Outcome counted = valueOrThrow(gpu->run(job, {}));
    EXPECT_TRUE(counted.counters.has_value());
    EXPECT_EQ(counted.outputs, plain.outputs);
  }
}

TEST(GpuCorpusJobs, ACooperativeGridThatIsTooLargeIsRefused) {
  const auto gpu = test::openFirstGpu();
  TILESTEP_NEED_GPU(gpu);
  Case each;
  each.kernel = each.key = "groups_grid";
  each.sizes["n"] = 3000000;
  const Prepared prepared = valueOrThrow(prepare(each, service(), gpu->info()));
  const Result<device::Outcome> refused = gpu->run(prepared.job, {});
  ASSERT_FALSE(refused.ok());
  std::printf("%s\n", toString(refused.error()).c_str());
  EXPECT_TRUE(has(toString(refused.error()), "can be resident at once"));
}

INSTANTIATE_TEST_SUITE_P(Kernels, GpuCorpus, testing::ValuesIn(kernels()),
                         [](const auto& of) { return of.param; });

}  // namespace tilestep::corpus::corpus_test
