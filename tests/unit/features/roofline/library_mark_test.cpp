// SPDX-License-Identifier: Apache-2.0
// cuBLAS as a mark on the roofline: when it is requested, and what the mark shows.
#include <gtest/gtest.h>

#include <algorithm>

#include "features/roofline/roofline_view.h"
#include "support/results.h"
#include "unit/model/session_fixture.h"

namespace tilestep::features::library_mark_test {

class LibraryMark : public SessionFixture {
 protected:
  void openOn(const std::string& device) {
    log->gpu = device == "cuda:0";
    log->recording = true;
    SessionOptions options;
    options.device = device;
    open(options);
    settle();
  }
  long asked() const {
    return std::ranges::count_if(all, [](const lab::Experiment& experiment) {
      return experiment.source.path == "cublas:fp32";
    });
  }
  const ReferenceMark* mark() {
    for (const ReferenceMark& one : snapshot().view<RooflineView>().marks)
      if (one.name == "cuBLAS, pedantic FP32") return &one;
    return nullptr;
  }
};

TEST_F(LibraryMark, IsOnTheRooflineOfTheSameWork) {
  openOn("cuda:0");
  ASSERT_NE(mark(), nullptr);
  const lab::RunResult& main = *snapshot().figuresMain;
  EXPECT_DOUBLE_EQ(mark()->flopPerSecond, main.plan.operations / 0.5e-3);  // The toy's median.
  EXPECT_TRUE(has(mark()->origin, "measured on Test GPU"));
  for (const lab::Experiment& experiment : all) {
    if (experiment.source.path != "cublas:fp32") continue;
    EXPECT_EQ(experiment.sizes, snapshot().measureSizes);
    EXPECT_TRUE(experiment.measure && !experiment.counters && !experiment.traceBlock);
  }
}

TEST_F(LibraryMark, IsRequestedOncePerSize) {
  openOn("cuda:0");
  EXPECT_EQ(asked(), 1);
  session->apply(command("tuning.set", "TILE_WIDTH", 8));
  settle();
  EXPECT_EQ(asked(), 1);  // The same product.
  session->apply(command("choice.measure_size", "m", 512));
  settle();
  EXPECT_EQ(asked(), 2);
  EXPECT_NE(mark(), nullptr);
}

TEST_F(LibraryMark, IsNotRequestedFromTheInterpreterOrForOtherKernels) {
  openOn("simt");
  EXPECT_EQ(asked(), 0);
  session->apply(command("choice.device", "recorded:test-gpu"));
  session->apply(command("choice.kernel", "transpose"));
  settle();
  const long before = asked();
  session->apply(command("choice.measure_size", "m", 512));
  settle();
  EXPECT_EQ(asked(), before);
  EXPECT_EQ(mark(), nullptr);
}

TEST_F(LibraryMark, MissingLibraryIsNotReportedOrRequestedAgain) {
  log->gpu = true;
  log->library = false;
  open();
  settle();
  EXPECT_EQ(mark(), nullptr);
  EXPECT_EQ(asked(), 1);
  for (const Notice& one : snapshot().notices) EXPECT_NE(one.about, "library") << one.text;
  session->apply(command("choice.measure_size", "m", 512));
  settle();
  EXPECT_EQ(asked(), 1);
}

}  // namespace tilestep::features::library_mark_test
