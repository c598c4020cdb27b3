// SPDX-License-Identifier: Apache-2.0
// Files of sweeps: round trips, damage, full disks, and those of the command line.
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <random>
#include <thread>

#include "base/files.h"
#include "base/hash.h"
#include "base/process/file_lock.h"
#include "features/sweeps/sweep_store.h"
#include "features/sweeps/view.h"
#include "lab/sweep.h"
#include "support/source_root.h"
#include "unit/model/session_fixture.h"

namespace tilestep::model {
namespace sweep_file_test {

namespace fs = std::filesystem;

const std::vector<std::string> kNames{"m", "n", "k", "TILE_WIDTH"};

SweepFileRow row(int64_t width) {
  SweepFileRow one;
  one.kernel = "matmul_tiled";
  one.device = "cuda:0";
  one.deviceName = "NVIDIA H200";
  one.values = {{"m", 1024}, {"n", 1024}, {"k", 1024}, {"TILE_WIDTH", width}};
  one.code = 0x0123456789abcdefULL;
  one.launch = 42 + static_cast<uint64_t>(width);
  one.sample.time = SweepTime{0.1 / 3, 0.03, 0.0331, 0.0345, 20};
  one.sample.when = "2026-11-21";
  one.sample.by = "nvrtc 13.0, driver \"580\", CUDA 13.0";
  return one;
}

std::vector<SweepFileRow> rows() {
  std::vector<SweepFileRow> all{row(8), row(16), row(32)};
  all[1].sample.counts = SweepCounts{1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
  all[2].sample.time.reset();
  all[2].sample.reason = "it ended, with a comma";
  return all;
}

std::string textOf(const std::vector<SweepFileRow>& all) {
  std::string text = sweepFileHeader(kNames);
  for (const SweepFileRow& one : all) text += sweepFileLine(kNames, one);
  return text;
}

TEST(SweepFiles, GiveBackWhatWasWritten) {
  const auto file = parseSweepFile("a.csv", textOf(rows()));
  ASSERT_TRUE(file) << file.error().message;
  EXPECT_TRUE(file->kept);
  EXPECT_FALSE(file->cutOff);
  EXPECT_EQ(file->rows, rows());
}

TEST(SweepFiles, ALastLineThatIsNotWholeIsLeftOut) {
  std::string text = textOf(rows());
  text.resize(text.size() - 5);
  const auto file = parseSweepFile("a.csv", text);
  ASSERT_TRUE(file) << file.error().message;
  EXPECT_TRUE(file->cutOff);
  EXPECT_EQ(file->rows.size(), 2U);
}

TEST(SweepFiles, NoChangedByteIsBelieved) {
  const std::string good = textOf(rows());
  const std::vector<SweepFileRow> before = rows();
  std::mt19937 random(1);
  size_t refused = 0;
  for (int i = 0; i < 20000; ++i) {
    std::string text = good;
    const int changes = 1 + static_cast<int>(random() % 3);
    for (int c = 0; c < changes; ++c) {
      const size_t at = random() % text.size();
      switch (random() % 3) {
        case 0:
          text[at] = static_cast<char>(random());
          break;
        case 1:
          text.erase(at, 1 + random() % 20);
          break;
        default:
          text.insert(at, 1 + random() % 4, static_cast<char>(random()));
      }
    }
    const auto file = parseSweepFile("a.csv", text);
    if (!file) {
      ++refused;
      EXPECT_EQ(file.error().message.rfind("a.csv, line ", 0), 0U) << file.error().message;
      continue;
    }
    // What is left is whole lines, or a file that no longer claims to be the window's.
    if (!file->kept) continue;
    for (const SweepFileRow& one : file->rows)
      EXPECT_NE(std::ranges::find(before, one), before.end());
  }
  EXPECT_GT(refused, 15000U);
}

TEST(SweepFiles, NameTheLineAndTheReason) {
  std::string text = textOf(rows());
  const size_t at = text.find("1024,1024,1024,16");
  text[at] = '2';
  const auto file = parseSweepFile("points.csv", text);
  ASSERT_FALSE(file);
  EXPECT_EQ(file.error().message,
            "points.csv, line 3: its check does not fit: the line was changed");
  EXPECT_EQ(file.error().where->line, 3);
  EXPECT_FALSE(parseSweepFile("x", ""));
  EXPECT_FALSE(parseSweepFile("x", "a,b\n1,2\n"));
}

TEST(SweepFiles, AnotherFormatIsRefusedByNumber) {
  SweepFileRow one = row(8);
  std::string line = sweepFileLine(kNames, one);
  // A newer program's line has a check that fits.
  std::string header = sweepFileHeader(kNames);
  const std::string own = ",1,NVIDIA H200,";
  const size_t at = line.find(own);
  ASSERT_NE(at, std::string::npos);
  line.replace(at, own.size(), ",2,NVIDIA H200,");
  const auto changed = parseSweepFile("x", header + line);
  ASSERT_FALSE(changed);
  EXPECT_NE(changed.error().message.find("check"), std::string::npos);
}

TEST(SweepFiles, ThoseOfTheCommandLineAreRead) {
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
  const auto file = parseSweepFile("cli.csv", text);
  ASSERT_TRUE(file) << file.error().message;
  EXPECT_FALSE(file->kept);
  ASSERT_EQ(file->rows.size(), 3U);
  EXPECT_EQ(file->rows[0].values.at("TILE_WIDTH"), 8);
  EXPECT_EQ(file->rows[0].sample.time->medianMs, 0.5);
  EXPECT_EQ(file->rows[1].sample.counts->loadBytes, 4000U);
  EXPECT_EQ(file->rows[1].sample.counts->sharedLoadRequests, 7U);
  EXPECT_EQ(file->rows[2].sample.reason, "too wide");
}

TEST(SweepFiles, ATimeThatNobodyCanMeasureIsRefused) {
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
    const auto file = parseSweepFile(
        "cli.csv",
        lab::csvLine(columns) +
            lab::csvLine(lab::sweepCells(columns, lab::rowOf("matmul_tiled", experiment, result))));
    ASSERT_FALSE(file) << ms;
    EXPECT_NE(file.error().message.find("is not a time"), std::string::npos)
        << file.error().message;
  }
}

/// A store in a folder of its own.
class SweepStores : public ::testing::Test {
 protected:
  SweepStores()
      : folder(fs::path(::testing::TempDir()) /
               ::testing::UnitTest::GetInstance()->current_test_info()->name()) {
    fs::remove_all(folder);
    owner = {"matmul_tiled", 0x0123456789abcdefULL, "cuda:0", "NVIDIA H200", kNames};
  }
  ~SweepStores() override { fs::remove_all(folder); }
  static SweepPoint point(int64_t width) {
    SweepPoint one;
    one.sizes = {{"m", 1024}, {"n", 1024}, {"k", 1024}};
    one.tunables = {{"TILE_WIDTH", width}};
    one.launch = 7;
    one.key = sweepKey(0x0123456789abcdefULL, one.launch, valuesOf(one));
    return one;
  }

  fs::path folder;
  SweepOwner owner;
};

TEST_F(SweepStores, KeepPointsForTheNextRun) {
  {
    SweepStore store(folder);
    for (const int64_t width : {8, 16, 32})
      EXPECT_TRUE(store.put(owner, point(width), row(width).sample));
  }
  SweepStore store(folder);
  ASSERT_NE(store.find(owner, point(16).key), nullptr);
  EXPECT_EQ(*store.find(owner, point(16).key), row(16).sample);
  EXPECT_EQ(store.find(owner, point(24).key), nullptr);
  SweepOwner other = owner;
  other.code = 1;  // Another text of the kernel.
  EXPECT_EQ(store.find(other, point(16).key), nullptr);
  EXPECT_TRUE(store.drop(owner, {point(16).key}));
  SweepStore again(folder);
  EXPECT_EQ(again.find(owner, point(16).key), nullptr);
  EXPECT_NE(again.find(owner, point(8).key), nullptr);
  EXPECT_TRUE(again.takeTrouble().empty());
}

TEST_F(SweepStores, TimesAndCountsOfAPointComeTogether) {
  SweepStore store(folder);
  SweepSample counted;
  counted.counts = SweepCounts{1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
  ASSERT_TRUE(store.put(owner, point(8), row(8).sample));
  ASSERT_TRUE(store.put(owner, point(8), counted));
  SweepStore again(folder);
  EXPECT_TRUE(again.find(owner, point(8).key)->time);
  EXPECT_TRUE(again.find(owner, point(8).key)->counts);
}

TEST_F(SweepStores, RunningAgainInOneWindowKeepsWhatAnotherOneAdds) {
  SweepStore first(folder), second(folder);
  ASSERT_TRUE(first.put(owner, point(8), row(8).sample));
  ASSERT_TRUE(first.put(owner, point(16), row(16).sample));
  ASSERT_NE(second.find(owner, point(8).key), nullptr);
  ASSERT_TRUE(second.put(owner, point(24), row(24).sample));
  ASSERT_TRUE(first.drop(owner, {point(8).key}));
  ASSERT_TRUE(second.put(owner, point(32), row(32).sample));
  EXPECT_NE(first.find(owner, point(24).key), nullptr) << "read when the points were dropped";
  ASSERT_TRUE(second.drop(owner, {point(16).key}));
  SweepStore later(folder);
  EXPECT_EQ(later.find(owner, point(8).key), nullptr);
  EXPECT_EQ(later.find(owner, point(16).key), nullptr);
  EXPECT_NE(later.find(owner, point(24).key), nullptr);
  EXPECT_NE(later.find(owner, point(32).key), nullptr);
  EXPECT_TRUE(later.takeTrouble().empty());
}

TEST_F(SweepStores, TwoWindowsThatBeginTheSameFileKeepBothPoints) {
  SweepStore first(folder), second(folder);
  EXPECT_EQ(first.find(owner, point(8).key), nullptr);
  EXPECT_EQ(second.find(owner, point(8).key), nullptr);
  SweepSample counted;
  counted.counts = SweepCounts{1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
  ASSERT_TRUE(first.put(owner, point(8), row(8).sample));
  ASSERT_TRUE(second.put(owner, point(8), counted));
  SweepStore later(folder);
  ASSERT_NE(later.find(owner, point(8).key), nullptr);
  EXPECT_TRUE(later.find(owner, point(8).key)->time) << "the first window's";
  EXPECT_TRUE(later.find(owner, point(8).key)->counts) << "the second one's";
}

/// Opening a pipe that nobody reads would block for ever.
TEST_F(SweepStores, APipeInTheFilesPlaceIsSaidAndNotOpened) {
  SweepStore store(folder);
  ASSERT_TRUE(store.put(owner, point(8), row(8).sample));
  const fs::path file = folder / owner.fileName();
  fs::remove(file);
  ASSERT_EQ(::mkfifo(file.c_str(), 0600), 0);
  const Status kept = store.put(owner, point(16), row(16).sample);
  ASSERT_FALSE(kept);
  EXPECT_NE(kept.error().message.find("it is a pipe"), std::string::npos) << kept.error().message;
  EXPECT_NE(store.find(owner, point(16).key), nullptr) << "it is still shown";
}

TEST_F(SweepStores, TenThatAddAndRunAgainAtOnceLoseNothing) {
  constexpr int64_t kWriters = 10, kPoints = 12;
  std::vector<std::thread> writers;
  std::atomic<int> failed{0};
  for (int64_t writer = 0; writer < kWriters; ++writer) {
    writers.emplace_back([&, writer] {
      SweepStore store(folder);
      for (int64_t i = 0; i < kPoints; ++i) {
        const SweepPoint added = point(1 + writer * kPoints + i);
        if (!store.put(owner, added, row(8).sample)) ++failed;
        if (i % 3 != 0) continue;  // Again.
        if (!store.drop(owner, {added.key})) ++failed;
        if (!store.put(owner, added, row(8).sample)) ++failed;
      }
      // What another one's lock kept out of the file comes with the next point.
      while (!store.put(owner, point(1 + writer * kPoints), row(8).sample)) continue;
    });
  }
  for (std::thread& writer : writers) writer.join();
  SweepStore later(folder);
  for (int64_t i = 0; i < kWriters * kPoints; ++i)
    EXPECT_NE(later.find(owner, point(1 + i).key), nullptr) << i << ", " << failed << " failed";
  EXPECT_TRUE(later.takeTrouble().empty());
}

TEST_F(SweepStores, AFileThatAnotherProgramKeepsLockedGetsThePointsLater) {
  SweepStore store(folder);
  ASSERT_TRUE(store.put(owner, point(8), row(8).sample));
  {
    const auto lock = FileLock::take(folder / owner.fileName(), std::chrono::seconds(0));
    ASSERT_TRUE(lock && lock->isHeld());
    const Status kept = store.put(owner, point(16), row(16).sample);
    ASSERT_FALSE(kept);
    EXPECT_NE(kept.error().message.find("not kept yet"), std::string::npos) << kept.error().message;
    EXPECT_NE(store.find(owner, point(16).key), nullptr);
  }
  ASSERT_TRUE(store.put(owner, point(32), row(32).sample));
  SweepStore later(folder);
  EXPECT_NE(later.find(owner, point(16).key), nullptr);
  EXPECT_NE(later.find(owner, point(32).key), nullptr);
}

TEST_F(SweepStores, AFileThatWasRemovedIsBegunAgainWithItsHeader) {
  SweepStore store(folder);
  ASSERT_TRUE(store.put(owner, point(8), row(8).sample));
  fs::remove(folder / owner.fileName());
  ASSERT_TRUE(store.put(owner, point(16), row(16).sample));
  SweepStore later(folder);
  EXPECT_NE(later.find(owner, point(16).key), nullptr);
  EXPECT_TRUE(later.takeTrouble().empty());
}

TEST_F(SweepStores, ADamagedFileIsSetAsideAndSaidOnce) {
  {
    SweepStore store(folder);
    for (const int64_t width : {8, 16})
      ASSERT_TRUE(store.put(owner, point(width), row(width).sample));
  }
  const fs::path path = folder / owner.fileName();
  std::string text = readTextFile(path).value();
  text[text.size() - 60] ^= 1;
  ASSERT_TRUE(writeFileAtomically(path, text));
  SweepStore store(folder);
  EXPECT_EQ(store.find(owner, point(8).key), nullptr);
  const std::vector<Error> trouble = store.takeTrouble();
  ASSERT_EQ(trouble.size(), 1U);
  EXPECT_NE(trouble[0].message.find("line 3"), std::string::npos) << trouble[0].message;
  EXPECT_NE(trouble[0].message.find("damaged-1"), std::string::npos);
  EXPECT_TRUE(store.takeTrouble().empty());
  ASSERT_TRUE(store.put(owner, point(8), row(8).sample));
  EXPECT_TRUE(fs::exists(path));
  size_t files = 0;
  for (const auto& entry : fs::directory_iterator(folder)) files += entry.is_regular_file() ? 1 : 0;
  EXPECT_EQ(files, 2U);  // The damaged one is kept.
}

TEST_F(SweepStores, ALineThatWasCutOffIsWrittenAnew) {
  {
    SweepStore store(folder);
    for (const int64_t width : {8, 16})
      ASSERT_TRUE(store.put(owner, point(width), row(width).sample));
  }
  const fs::path path = folder / owner.fileName();
  fs::resize_file(path, fs::file_size(path) - 9);
  {
    SweepStore store(folder);
    EXPECT_NE(store.find(owner, point(8).key), nullptr);
    EXPECT_EQ(store.find(owner, point(16).key), nullptr);
    ASSERT_TRUE(store.put(owner, point(32), row(32).sample));
  }
  SweepStore store(folder);
  EXPECT_NE(store.find(owner, point(8).key), nullptr);
  EXPECT_NE(store.find(owner, point(32).key), nullptr);
  EXPECT_TRUE(store.takeTrouble().empty());
}

TEST_F(SweepStores, AnUnwritableFolderIsReportedOnceAndKeepsThePoints) {
  fs::create_directories(folder);
  fs::create_symlink("/dev/full", folder / owner.fileName());  // A disk with no room.
  SweepStore store(folder / "not-a-folder");
  ASSERT_TRUE(writeFileAtomically(folder / "not-a-folder", "a file"));
  const Status first = store.put(owner, point(8), row(8).sample);
  ASSERT_FALSE(first);
  EXPECT_NE(first.error().message.find("no longer kept"), std::string::npos);
  EXPECT_TRUE(store.put(owner, point(16), row(16).sample));
  EXPECT_NE(store.find(owner, point(8).key), nullptr);
}

TEST_F(SweepStores, AFullDiskIsSaidInOneSentence) {
  ASSERT_TRUE(fs::exists("/dev/full"));
  SweepStore store(folder);
  ASSERT_TRUE(store.put(owner, point(8), row(8).sample));
  fs::remove(folder / owner.fileName());
  fs::create_symlink("/dev/full", folder / owner.fileName());
  const Status full = store.put(owner, point(16), row(16).sample);
  ASSERT_FALSE(full);
  EXPECT_NE(full.error().message.find("No space left"), std::string::npos) << full.error().message;
  EXPECT_TRUE(store.put(owner, point(32), row(32).sample));  // In memory, and not said again.
}

/// Front matter may gain or lose a tunable while the code stays the same.
TEST_F(SweepStores, EachSetOfTunablesHasAFileOfItsOwn) {
  SweepOwner more = owner;
  more.names.emplace_back("PAD");
  SweepPoint padded = point(8);
  padded.tunables["PAD"] = 1;
  padded.key = sweepKey(more.code, padded.launch, valuesOf(padded));
  for (int run = 0; run < 2; ++run) {
    SweepStore store(folder);
    ASSERT_TRUE(store.put(owner, point(8 + run), row(8).sample));
    ASSERT_TRUE(store.put(more, padded, row(8).sample));
  }
  SweepStore later(folder);
  EXPECT_NE(later.find(owner, point(8).key), nullptr);
  EXPECT_NE(later.find(owner, point(9).key), nullptr);
  EXPECT_NE(later.find(more, padded.key), nullptr);
  EXPECT_TRUE(later.takeTrouble().empty());
}

TEST_F(SweepStores, TheFileOfAnEarlierVersionIsReadWhereItsColumnsFit) {
  {
    SweepStore store(folder);
    ASSERT_TRUE(store.put(owner, point(8), row(8).sample));
  }
  const fs::path earlier = folder / owner.earlierFileName();
  fs::rename(folder / owner.fileName(), earlier);
  const std::string text = readTextFile(earlier).value();
  SweepOwner more = owner;
  more.names.emplace_back("PAD");
  for (const int64_t width : {16, 32}) {
    SweepStore store(folder);
    EXPECT_EQ(store.find(more, point(8).key), nullptr);
    EXPECT_NE(store.find(owner, point(8).key), nullptr);
    ASSERT_TRUE(store.put(owner, point(width), row(8).sample));
    EXPECT_TRUE(store.takeTrouble().empty());
  }
  EXPECT_EQ(readTextFile(earlier).value(), text);
  SweepStore later(folder);
  ASSERT_TRUE(later.drop(owner, {point(8).key}));
  SweepStore again(folder);
  EXPECT_EQ(again.find(owner, point(8).key), nullptr);
  EXPECT_NE(again.find(owner, point(16).key), nullptr);
}

/// Compilers make other accesses of one text, and so does another architecture.
TEST_F(SweepStores, EachCompilerAndArchitectureHasAFileOfItsOwn) {
  owner.compiler = "nvrtc 13.0";
  SweepOwner clang = owner, newer = owner;
  clang.compiler = "clang 14.0.6";
  newer.arch = "compute_80";
  SweepStore store(folder);
  ASSERT_TRUE(store.put(owner, point(8), row(8).sample));
  EXPECT_EQ(store.find(clang, point(8).key), nullptr);
  EXPECT_EQ(store.find(newer, point(8).key), nullptr);
  ASSERT_TRUE(store.put(clang, point(8), row(8).sample));
  SweepStore later(folder);
  EXPECT_NE(later.find(owner, point(8).key), nullptr);
  EXPECT_NE(later.find(clang, point(8).key), nullptr);
  EXPECT_EQ(later.find(newer, point(8).key), nullptr);
}

TEST_F(SweepStores, OfAnEarlierVersionsFileOnlyWhatThisCompilerMadeIsTaken) {
  SweepSample ofClang = row(8).sample;
  ofClang.by = "clang 14.0.6";
  SweepSample ofNvrtc = row(16).sample;
  ofNvrtc.by = "nvrtc 13.0, driver 580";
  {
    SweepStore store(folder);
    ASSERT_TRUE(store.put(owner, point(8), ofClang));
    ASSERT_TRUE(store.put(owner, point(16), ofNvrtc));
  }
  fs::rename(folder / owner.fileName(), folder / owner.earlierFileName());
  owner.compiler = "nvrtc 13.0";
  SweepStore store(folder);
  EXPECT_EQ(store.find(owner, point(8).key), nullptr);
  EXPECT_NE(store.find(owner, point(16).key), nullptr);
}

TEST_F(SweepStores, AFileWithOtherColumnsInItsPlaceIsSetAsideNotOverwritten) {
  SweepOwner more = owner;
  more.names.emplace_back("PAD");
  {
    SweepStore store(folder);
    ASSERT_TRUE(store.put(owner, point(8), row(8).sample));
  }
  fs::rename(folder / owner.fileName(), folder / more.fileName());
  SweepStore store(folder);
  EXPECT_EQ(store.find(more, point(8).key), nullptr);
  const std::vector<Error> trouble = store.takeTrouble();
  ASSERT_EQ(trouble.size(), 1U);
  EXPECT_NE(trouble[0].message.find("damaged-1"), std::string::npos) << trouble[0].message;
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
  ASSERT_TRUE(writeFileAtomically(path, textOf(rows())));
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

/// A file of `tilestep sweep` names the kernel's text.
TEST_F(OpenedSweep, OfAnotherTextIsRefused) {
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
      refused |= notice.text.find("another text of matmul_tiled") != std::string::npos;
    EXPECT_EQ(refused, !same);
  }
}

TEST_F(OpenedSweep, IsShownInItsKernelsPictureWithItsSource) {
  ASSERT_TRUE(writeFileAtomically(path, textOf(rows())));
  open();
  settle();
  session->apply(command("sweeps.open", path.string()));
  EXPECT_EQ(session->looks().switches.stage, Stage::sweeps);
  session->apply(command("sweeps.look", session->looks().switches.sweep));
  settle();
  ASSERT_TRUE(snapshot().view<SweepsView>().picture);
  const SweepView& view = *snapshot().view<SweepsView>().picture;
  EXPECT_EQ(view.plan->source, SweepSource::file);
  EXPECT_EQ(view.origin, "from the file opened_sweep.csv, which names NVIDIA H200");
  EXPECT_EQ(view.plan->x.name, "TILE_WIDTH");
  EXPECT_EQ(view.done, 2U);
  EXPECT_EQ(view.waiting, 0U);
  EXPECT_EQ(view.missing, 30U);
  EXPECT_NE(view.cells[31].hover.find("it ended, with a comma"), std::string::npos);
  EXPECT_NE(view.cells[0].hover.find("not in the file"), std::string::npos);
  session->apply(command("sweeps.run", false));
  settle();
  EXPECT_FALSE(snapshot().view<SweepsView>().progress.running);
  session->apply(command("sweeps.close"));
  settle();
  EXPECT_EQ(snapshot().view<SweepsView>().picture->plan->source, SweepSource::interpreter);
}

TEST_F(OpenedSweep, AFileThatIsNoSweepIsRefused) {
  open();
  settle();
  session->apply(command("sweeps.open", "/nowhere/at/all.csv"));
  next();
  ASSERT_NE(notice("sweep"), nullptr);
  ASSERT_TRUE(writeFileAtomically(path, "a,b\n1,2\n"));
  session->apply(command("sweeps.open", path.string()));
  next();
  ASSERT_NE(notice("sweep"), nullptr);
  EXPECT_NE(notice("sweep")->text.find("line 1"), std::string::npos) << notice("sweep")->text;
  EXPECT_EQ(session->looks().switches.stage, Stage::scene);
}

}  // namespace sweep_file_test
}  // namespace tilestep::model
