// SPDX-License-Identifier: Apache-2.0
// Every kernel over its tunables and odd sizes, and every kernel of the corpus over its sizes and
// several orders of blocks and warps, has no hazard, no fault, and the right result.
#include <gtest/gtest.h>

#include <set>

#include "base/private_folder.h"
#include "checkers/kernel_runs.h"
#include "corpus/corpus.h"
#include "support/source_root.h"
#include "support/toolkit.h"

namespace tilestep::checkers::false_alarms_test {

/// In seconds; a busy machine may need long.
constexpr double kPatience = 120;

TEST(FalseAlarms, NoneOverTheKernels) {
  lab::Lab lab({support::sourceRoot(), "", 0});
  size_t ran = 0;
  for (const compile::CatalogueEntry& entry :
       compile::readCatalogue(support::sourceRoot() + "/kernels")) {
    ASSERT_TRUE(entry.spec) << entry.source.path;
    for (const Point& point : pointsOf(*entry.spec, false)) {
      const auto result = runChecked(lab, entry.source, point, kPatience);
      if (!result && result.error().kind == ErrorKind::request) continue;  // A rule forbids it.
      ASSERT_TRUE(result) << toString(result.error());
      ++ran;
      for (const std::string& wrong : wrongsOf(*result)) {
        ADD_FAILURE() << entry.spec->name << " " << toText(point) << "\n" << wrong;
      }
    }
  }
  EXPECT_GT(ran, 100u);
  RecordProperty("runs", static_cast<int>(ran));
}

void expectNothing(const corpus::Prepared& prepared, const device::Outcome& outcome) {
  for (const device::Fault& fault : outcome.faults) ADD_FAILURE() << fault.message;
  EXPECT_EQ(corpus::wrongBy(prepared, outcome), "");
  if (!outcome.hazards) return;
  for (const device::Hazard& hazard : *outcome.hazards) {
    ADD_FAILURE() << hazard.kind << " in " << hazard.space << " memory: " << hazard.message;
  }
}

/// Over every case that this compiler can compile.
void expectNoneOverTheCorpus(const std::string& compiler, int atLeast) {
  const PrivateFolder cache;
  compile::CompileService service({support::sourceRoot(), cache.path().string(), compiler});
  if (const auto opened = service.description(); !opened) {
    const std::string skip = support::skipWithout(compiler);
    ASSERT_NE(skip, "") << opened.error().message;
    GTEST_SKIP() << skip;
  }
  const auto simt = device::openSimt(2);
  const auto cases = corpus::readCases();
  ASSERT_TRUE(cases) << toString(cases.error());
  int ran = 0;
  std::set<std::string> kernels;
  for (const corpus::Case& each : *cases) {
    if (corpus::racesOnPurpose(each.kernel)) continue;
    auto prepared = corpus::prepare(each, service, simt->info());
    if (!prepared) continue;  // Some need the CUDA Toolkit; test_kernels reports which.
    kernels.insert(each.kernel);
    for (const uint64_t order : {0, 1, 2}) {
      SCOPED_TRACE(each.key + ", order " + std::to_string(order));
      prepared->job.order = order;
      const auto outcome = simt->run(prepared->job, {});
      ASSERT_TRUE(outcome) << toString(outcome.error());
      ASSERT_TRUE(outcome->hazards);
      expectNothing(*prepared, *outcome);
      ++ran;
    }
  }
  EXPECT_GT(ran, atLeast);
  testing::Test::RecordProperty("runs", ran);
  testing::Test::RecordProperty("kernels", static_cast<int>(kernels.size()));
}

TEST(FalseAlarms, NoneOverTheCorpusFromNvrtc) {
  expectNoneOverTheCorpus("nvrtc", 500);
}

TEST(FalseAlarms, NoneOverTheCorpusFromClang) {
  expectNoneOverTheCorpus("clang", 250);
}

}  // namespace tilestep::checkers::false_alarms_test
