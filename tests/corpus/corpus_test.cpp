// SPDX-License-Identifier: Apache-2.0
// Every kernel of the corpus in the interpreter: no fault, right by its own reference or formula,
// and equal to a GPU's result for the same PTX, in any order of blocks and warps.
#include "corpus/corpus.h"

#include <gtest/gtest.h>

#include "base/private_folder.h"
#include "support/results.h"
#include "support/source_root.h"

namespace tilestep::corpus::corpus_test {

compile::CompileService& service() {
  static const PrivateFolder cache;
  static compile::CompileService made({support::sourceRoot(), cache.path().string(), ""});
  return made;
}

class Corpus : public testing::TestWithParam<std::string> {};

TEST_P(Corpus, RunsAsOnAGpuInAnyOrder) {
  ASSERT_TRUE(service().description()) << service().description().error().message;
  static const std::map<std::string, std::string> expected = readExpected();
  const auto simt = device::openSimt(1);
  for (const Case& each : casesOf(GetParam())) {
    SCOPED_TRACE(each.key);
    auto prepared = valueOrThrow(prepare(each, service(), simt->info()));
    auto outcome = valueOrThrow(simt->run(prepared.job, {}));
    for (const device::Fault& fault : outcome.faults) ADD_FAILURE() << fault.message;
    EXPECT_EQ(wrongBy(prepared, outcome), "");
    if (racesOnPurpose(each.kernel)) outcome.hazards.reset();
    for (const device::Hazard& hazard : outcome.hazards.value_or(std::vector<device::Hazard>())) {
      ADD_FAILURE() << "a false alarm: " << hazard.kind << " in " << hazard.space
                    << " memory, line " << hazard.first.line << " and line " << hazard.second.line;
    }
    const auto found = expected.find(each.key);
    ASSERT_NE(found, expected.end())
        << "expected.txt does not have it: run test_gpu with TILESTEP_CORPUS_OUT";
    const bool samePtx = expected.at("compiler") == prepared.compiler;
    EXPECT_EQ(difference(each, samePtx, prepared.job.operands, outcome.outputs, found->second), "")
        << prepared.compiler << ", allowed: " << each.toleranceFor(samePtx);
    prepared.job.check = false;
    for (const uint64_t order : {1, 2, 3}) {
      SCOPED_TRACE("order " + std::to_string(order));
      prepared.job.order = order;
      const auto other = valueOrThrow(simt->run(prepared.job, {}));
      for (const device::Fault& fault : other.faults) ADD_FAILURE() << fault.message;
      EXPECT_EQ(difference(each.tolerance, prepared.job.operands, other.outputs, outcome.outputs),
                "");
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Kernels, Corpus, testing::ValuesIn(kernels()),
                         [](const auto& of) { return of.param; });

TEST(CorpusFiles, EachKernelHasACaseAndEachCaseAKernel) {
  const auto cases = valueOrThrow(readCases());
  std::map<std::string, int> uses;
  for (const Case& each : cases) ++uses[each.kernel];
  EXPECT_GE(uses.size(), 60U);
  for (const compile::CatalogueEntry& entry : compile::readCatalogue(folder())) {
    ASSERT_TRUE(entry.spec.has_value()) << toString(*entry.error);
    EXPECT_EQ(uses.count(entry.spec->name), 1U) << entry.spec->name << " runs nowhere";
    uses.erase(entry.spec->name);
  }
  EXPECT_TRUE(uses.empty()) << uses.begin()->first << " is no file";
}

}  // namespace tilestep::corpus::corpus_test
