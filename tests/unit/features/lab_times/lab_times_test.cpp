// SPDX-License-Identifier: Apache-2.0
#include "features/lab_times/view.h"
#include "model/export/table.h"
#include "unit/features/labs/lab_home.h"
#include "unit/model/session_fixture.h"

namespace tilestep::features::lab_times_session_test {

/// The sample lab with timed kernels: a product in two tile widths.
std::string timedLab() {
  const std::string sample = kSampleLab;
  return sample.substr(0, sample.find("[[kernel]]")) +
         "[[kernel]]\nname = \"matmul_tiled\"\nlabel = \"wide 8\"\ntunables = { TILE_WIDTH = 8 }\n"
         "sizes = { m = 16, n = 16, k = 16 }\ntimed = { m = 512, n = 512, k = 512 }\n"
         "quoted = \"7 ms\"\n"
         "[[kernel]]\nname = \"matmul_tiled\"\ntunables = { TILE_WIDTH = 16 }\n"
         "timed = { m = 512, n = 512, k = 512 }\n"
         "[[kernel]]\nname = \"matmul_naive\"\n";
}

class LabTimesSession : public SessionFixture {
 protected:
  void start(bool hasGpu) {
    log->gpu = hasGpu;
    SessionOptions options;
    options.home = makeLabHome("lab_times_test", timedLab());
    open(options);
    settle();
    session->apply(command("labs.open", "branches"));
    settle();
  }
  const std::vector<LabTime>& rows() { return next().view<LabTimesView>().rows; }
};

TEST_F(LabTimesSession, MeasuresEachTimedKernelOnceAfterThePrediction) {
  start(true);
  EXPECT_TRUE(rows().empty());
  session->apply(command("labs.predict", 1.0));
  settle();
  ASSERT_EQ(rows().size(), 2U);
  EXPECT_EQ(rows()[0].tunables, "TILE_WIDTH 8");
  EXPECT_EQ(rows()[0].measuredSeconds, 0.5e-3);
  EXPECT_EQ(rows()[0].quoted, "7 ms");
  EXPECT_EQ(rows()[0].on, "Test GPU");
  EXPECT_EQ(rows()[1].tunables, "TILE_WIDTH 16");
  size_t asked = 0;
  for (const lab::Experiment& experiment : all) {
    const bool isTimed = experiment.measure && experiment.traceBlock && experiment.counters &&
                         experiment.sizes == compile::Bindings{{"m", 512}, {"n", 512}, {"k", 512}};
    asked += isTimed ? 1 : 0;
  }
  EXPECT_GE(asked, 2U);
}

TEST_F(LabTimesSession, ReportsMissingTimes) {
  start(false);
  session->apply(command("labs.predict", 1.0));
  settle();
  ASSERT_EQ(rows().size(), 2U);
  EXPECT_FALSE(rows()[0].measuredSeconds);
  EXPECT_EQ(rows()[0].gap, "No GPU or recording here gives times.");
}

TEST_F(LabTimesSession, TableHasARowForEachTimedKernel) {
  start(true);
  session->apply(command("labs.skip"));
  settle();
  const Table table = tableOf("lab-times", snapshot());
  ASSERT_EQ(table.rows.size(), 2U);
  EXPECT_EQ(table.rows[0][0], "wide 8");
  EXPECT_EQ(table.rows[0][4], "0.0005");
}

}  // namespace tilestep::features::lab_times_session_test
