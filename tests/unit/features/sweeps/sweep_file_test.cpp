// SPDX-License-Identifier: Apache-2.0
// CSV files of sweeps.
#include <unistd.h>

#include <filesystem>
#include <random>

#include "base/files.h"
#include "base/hash.h"
#include "features/sweeps/sweep_import.h"
#include "features/sweeps/view.h"
#include "lab/sweep.h"
#include "support/results.h"
#include "support/source_root.h"
#include "unit/features/sweeps/sweep_rows.h"
#include "unit/model/session_fixture.h"

namespace tilestep::features::sweep_file_test {

namespace fs = std::filesystem;

TEST(SweepFiles, ReadsAFileOfAnEarlierVersion) {
  const auto file = valueOrThrow(parseSweepFile("a.csv", keptCsv()));
  EXPECT_TRUE(file.kept);
  EXPECT_FALSE(file.cutOff);
  ASSERT_EQ(file.rows.size(), 3U);
  const SweepFileRow& row = file.rows[1];
  EXPECT_EQ(row.values,
            (compile::Bindings{{"TILE_WIDTH", 16}, {"k", 1024}, {"m", 1024}, {"n", 1024}}));
  EXPECT_EQ(row.code, 0x0123456789abcdefULL);
  EXPECT_EQ(row.deviceName, "NVIDIA H200");
  EXPECT_EQ(row.sample.time->p90Ms, 0.0345);
  EXPECT_EQ(row.sample.counts, someCounts());
  EXPECT_EQ(row.sample.by, "nvrtc 13.0, driver 580");
  EXPECT_EQ(file.rows[2].sample.reason, "it ended, with a comma");
}

TEST(SweepFiles, AnIncompleteLastLineIsOmitted) {
  const std::string text = keptCsv();
  const auto file = valueOrThrow(parseSweepFile("a.csv", text.substr(0, text.size() - 5)));
  EXPECT_TRUE(file.cutOff);
  EXPECT_EQ(file.rows.size(), 2U);
}

TEST(SweepFiles, DamagedTextIsRejectedOrValid) {
  const std::string good = keptCsv();
  std::mt19937 random(1);
  for (int i = 0; i < 5000; ++i) {
    std::string text = good;
    const size_t at = random() % text.size();
    if (random() % 2 == 0)
      text[at] = static_cast<char>(random());
    else
      text.erase(at, 1 + random() % 20);
    const auto file = parseSweepFile("a.csv", text);
    if (!file) {
      EXPECT_EQ(file.error().message.rfind("a.csv, line ", 0), 0U) << file.error().message;
      continue;
    }
    for (const SweepFileRow& one : file->rows)
      EXPECT_TRUE(!one.sample.time || one.sample.time->medianMs <= one.sample.time->p90Ms);
  }
}

TEST(SweepFiles, ErrorsNameTheLineAndTheReason) {
  std::string text = keptCsv();
  text[text.find("1024,1024,1024,16")] = 'x';
  const auto file = parseSweepFile("points.csv", text);
  ASSERT_FALSE(file);
  EXPECT_EQ(file.error().message, "points.csv, line 3: m is not a whole number: 'x024'");
  EXPECT_EQ(file.error().where->line, 3);
  EXPECT_FALSE(parseSweepFile("x", ""));
  EXPECT_FALSE(parseSweepFile("x", "a,b\n1,2\n"));
}

TEST(SweepFiles, ReadsAFileOfTheCommandLine) {
  const auto source =
      compile::findKernel(support::sourceRoot() + "/kernels", "matmul_tiled").value();
  const compile::KernelSpec spec = compile::parseKernel(source).value();
  const auto columns = lab::sweepColumns(spec, true);
  std::string text = lab::csvLine(columns);
  lab::Experiment experiment;
  experiment.source = source;
  experiment.sizes = {{"m", 512}, {"n", 512}, {"k", 512}};
  experiment.device = "cuda:0";
  for (const int64_t width : {8, 16}) {
    experiment.tunables = {{"TILE_WIDTH", width}};
    lab::RunResult result = toyResult(experiment);
    result.counters->total.sharedLoad.requests = 7;
    text += lab::csvLine(lab::sweepCells(columns, lab::rowOf("matmul_tiled", experiment, result)));
  }
  text += lab::csvLine(
      lab::sweepCells(columns, lab::rowOf("matmul_tiled", experiment, requestError("too wide"))));
  const auto file = valueOrThrow(parseSweepFile("cli.csv", text));
  EXPECT_FALSE(file.kept);
  ASSERT_EQ(file.rows.size(), 3U);
  EXPECT_EQ(file.rows[0].values.at("TILE_WIDTH"), 8);
  EXPECT_EQ(file.rows[0].sample.time->medianMs, 0.5);
  EXPECT_EQ(file.rows[1].sample.counts->globalLoad.bytes, 4000U);
  EXPECT_EQ(file.rows[1].sample.counts->sharedLoad.requests, 7U);
  EXPECT_EQ(file.rows[2].sample.reason, "too wide");
}

TEST(SweepFiles, ATimeOutOfRangeIsRejected) {
  const auto source =
      compile::findKernel(support::sourceRoot() + "/kernels", "matmul_tiled").value();
  const compile::KernelSpec spec = compile::parseKernel(source).value();
  const auto columns = lab::sweepColumns(spec, true);
  lab::Experiment experiment;
  experiment.source = source;
  experiment.sizes = {{"m", 512}, {"n", 512}, {"k", 512}};
  experiment.tunables = {{"TILE_WIDTH", 8}};
  for (const double ms : {5e-324, 1e300}) {
    lab::RunResult result = toyResult(experiment);
    device::Measurement& m = *result.measurement;
    m.medianMs = m.minMs = m.p10Ms = m.p90Ms = ms;
    EXPECT_TRUE(fails(parseSweepFile("cli.csv", lab::csvLine(columns) +
                                                    lab::csvLine(lab::sweepCells(
                                                        columns, lab::rowOf("matmul_tiled",
                                                                            experiment, result)))),
                      "is not a time"));
  }
}

// --- In the session ----------------------------------------------------------------------------

class OpenedSweep : public SessionFixture {
 protected:
  OpenedSweep()
      : folder(fs::path(::testing::TempDir()) / ("opened_sweep-" + std::to_string(getpid()))),
        path(folder / "opened_sweep.csv") {
    fs::create_directories(folder);
  }
  ~OpenedSweep() override { fs::remove_all(folder); }
  fs::path folder, path;
};

TEST_F(OpenedSweep, IsShownAgainAfterItWasClosed) {
  ASSERT_TRUE(writeFileAtomically(path, keptCsv()));
  open();
  settle();
  for (int i = 0; i < 2; ++i) {
    session->apply(command("sweeps.open", path.string()));
    session->apply(command("sweeps.look", session->looks().switches.sweep));
    next();
    ASSERT_TRUE(kept->view<SweepsView>().picture);
    EXPECT_EQ(kept->view<SweepsView>().picture->plan->source, SweepSource::file) << i;
    session->apply(command("sweeps.close"));
    next();
    EXPECT_NE(kept->view<SweepsView>().picture->plan->source, SweepSource::file) << i;
  }
}

/// A file of `tilestep sweep` has a hash of the kernel's source.
TEST_F(OpenedSweep, ADifferentVersionOfTheKernelIsRefused) {
  open();
  settle();
  ASSERT_EQ(snapshot().entry()->spec->name, "matmul_tiled");
  const uint64_t text = lab::textHashOf(snapshot().entry()->source);
  for (const bool same : {false, true}) {
    ASSERT_TRUE(writeFileAtomically(
        path,
        "kernel,device,m,n,k,TILE_WIDTH,status,median_ms,min_ms,p10_ms,p90_ms,repetitions,code\n"
        "matmul_tiled,cuda:0,64,64,64,8,ok,1,1,1,1,3," +
            hex64(same ? text : text + 1) + "\n"));
    session->apply(command("sweeps.open", path.string()));
    settle();
    EXPECT_EQ(session->looks().switches.stage == Stage::sweeps, same);
    bool refused = false;
    for (const Notice& notice : snapshot().notices)
      refused |= notice.text.find("a different version of matmul_tiled") != std::string::npos;
    EXPECT_EQ(refused, !same);
  }
}

}  // namespace tilestep::features::sweep_file_test
