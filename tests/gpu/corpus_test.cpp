// SPDX-License-Identifier: Apache-2.0
// Every kernel of the corpus on the GPU and in the interpreter, from the same PTX: the outputs are
// equal to the bit, or within the case's tolerance. With TILESTEP_CORPUS_OUT=FILE what the GPU gave
// is added to FILE, for tests/corpus/expected.txt.
#include "corpus/corpus.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "base/files.h"
#include "gpu/gpu_job.h"

namespace tilestep::corpus {
namespace {

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
  const auto simt = device::openSimt(1);
  std::string missing;
  for (const Case& each : casesOf(GetParam())) {
    SCOPED_TRACE(each.key);
    const Result<Prepared> prepared = prepare(each, service(), gpu->info());
    ASSERT_TRUE(prepared.ok()) << toString(prepared.error());
    const Result<device::Outcome> real = gpu->run(prepared->job, {});
    ASSERT_TRUE(real.ok()) << toString(real.error());
    for (const device::Fault& fault : real->faults) ADD_FAILURE() << fault.message;
    EXPECT_EQ(wrongBy(*prepared, *real), "");
    record("compiler", prepared->compiler);
    record(each.key, recordOf(each, real->outputs));
    const Result<device::Outcome> mine = simt->run(prepared->job, {});
    ASSERT_TRUE(mine.ok()) << toString(mine.error());
    missing = notYet(*mine);
    if (!missing.empty()) continue;
    for (const device::Fault& fault : mine->faults) ADD_FAILURE() << fault.message;
    EXPECT_EQ(difference(each, prepared->job.operands, mine->outputs, real->outputs), "");
    if (each.tolerance > 0) {
      std::printf("%s: largest difference %.3g of at most %.3g\n", each.key.c_str(),
                  largestDifference(prepared->job.operands, mine->outputs, real->outputs),
                  each.tolerance);
    }
  }
  if (!missing.empty()) GTEST_SKIP() << "not yet: " << missing;
}

INSTANTIATE_TEST_SUITE_P(Kernels, GpuCorpus, testing::ValuesIn(kernels()),
                         [](const auto& of) { return of.param; });

}  // namespace
}  // namespace tilestep::corpus
