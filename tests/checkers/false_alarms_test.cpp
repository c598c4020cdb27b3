// SPDX-License-Identifier: Apache-2.0
// Every kernel over its tunables and odd sizes: no hazard, no fault, and the right result.
#include <gtest/gtest.h>

#include "checkers/kernel_runs.h"

namespace tilestep::checkers {
namespace {

TEST(FalseAlarms, NoneOverTheKernels) {
  lab::Lab lab({TILESTEP_SOURCE_DIR, "", 0});
  size_t ran = 0;
  for (const compile::CatalogueEntry& entry :
       compile::readCatalogue(TILESTEP_SOURCE_DIR "/kernels")) {
    ASSERT_TRUE(entry.spec) << entry.source.path;
    for (const Point& point : pointsOf(*entry.spec, false)) {
      const auto result = runChecked(lab, entry.source, point);
      if (!result && result.error().kind == ErrorKind::request) continue;  // A rule forbids it.
      ASSERT_TRUE(result) << toString(result.error());
      ++ran;
      for (const std::string& wrong : wrongsOf(*result)) {
        ADD_FAILURE() << entry.spec->name << " " << toText(point) << "\n" << wrong;
      }
    }
  }
  EXPECT_GT(ran, 100u);
}

}  // namespace
}  // namespace tilestep::checkers
