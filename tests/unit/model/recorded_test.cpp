// SPDX-License-Identifier: Apache-2.0
// A recording as the device: its requests, its badge, and missing points.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>

#include "features/gains/view.h"
#include "features/lessons/view.h"
#include "features/roofline/roofline_view.h"
#include "lab/recording/recording.h"
#include "support/results.h"
#include "support/service.h"
#include "unit/model/session_fixture.h"

namespace tilestep::model::recorded_test {

class RecordedSession : public SessionFixture {
 protected:
  void open(const std::string& device) {
    log->recording = true;
    SessionOptions options;
    options.device = device;
    SessionFixture::open(options);
    settle();
  }
};

TEST_F(RecordedSession, TheBadgeHasTheNumberOfMachines) {
  log->machine = 2;
  open("recorded:test-gpu");
  EXPECT_EQ(snapshot().badge.text, "recorded on Test GPU, 2 machines")
      << "other views show figures of a different machine";
  EXPECT_TRUE(has(snapshot().badge.hover,
                  "those of the chosen launch are from Test GPU no. 2, recorded 2026-11-22."));
  // This size is not recorded, so the badge names the recording.
  session->apply(command("choice.measure_size", "m", 1000));
  settle();
  EXPECT_EQ(snapshot().badge.text, "recorded on Test GPU, 2026-11-21");
}

TEST_F(RecordedSession, APointIsComparedWithItsMachinesRoofs) {
  log->machine = 2;
  open("recorded:test-gpu");
  EXPECT_EQ(snapshot().view<features::RooflineView>().origin, "measured on machine 2");
  EXPECT_EQ(snapshot().view<features::RooflineView>().peakFlopPerSecond, 2e13);
}

TEST_F(RecordedSession, TheFastestRunOfADifferentMachineIsNotTheFastestHere) {
  log->machine = 1;
  open("recorded:test-gpu");
  const auto fastest = [&] {
    for (const ReferenceMark& mark : snapshot().view<features::RooflineView>().marks)
      if (mark.name.starts_with("fastest")) return mark.name + ". " + mark.origin;
    return std::string();
  };
  EXPECT_TRUE(fastest().starts_with("fastest here: ")) << fastest();
  log->machine = 2;  // Takes equally long, so the first machine's run stays the fastest.
  session->apply(command("tuning.set", "TILE_WIDTH", 8));
  settle();
  EXPECT_TRUE(fastest().starts_with("fastest known: ")) << fastest();
  EXPECT_TRUE(has(fastest(), ", on another GPU. ", "another Test GPU (no. 1)"));
}

void waitFor(BestKnown& best) {
  EXPECT_TRUE(support::becomesTrue(100, [&] { return best.arrived(), !best.reading(); }));
}

TEST(BestKnownRuns, RecordedOnesKnowTheirMachine) {
  const std::string id = "recorded:nvidia-h200";
  BestKnown best;
  best.read(support::sourceRoot(), id);
  EXPECT_TRUE(best.isReading(id));
  waitFor(best);
  ASSERT_TRUE(best.recording(id));
  const auto run = best.fastest({{"m", 1024}, {"n", 1024}, {"k", 1024}}, "NVIDIA H200",
                                [](const TimedRun& one) { return one.kernel == "rung13_top"; });
  ASSERT_TRUE(run);
  EXPECT_EQ(run->machine.device, id);
  EXPECT_NE(run->machine.identity, "");
  EXPECT_LE(run->machine.number, run->machine.machines);
}

TEST(BestKnownRuns, ADamagedRecordingDoesNotHideTheOthers) {
  const std::string recording = support::sourceRoot() + "/assets/recordings/nvidia-h200.tsrec";
  const support::TemporaryFolder folder("recordings");
  std::ifstream from(recording, std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(from), {}};
  bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 1);
  folder.write("damaged.tsrec", bytes);
  BestKnown best;
  const std::string damaged = "recorded:" + folder.path("damaged.tsrec");
  best.read({}, damaged);
  best.read(support::sourceRoot(), "recorded:nvidia-h200");
  waitFor(best);
  EXPECT_EQ(best.recording(damaged), nullptr);
  ASSERT_FALSE(best.recorded().empty());
  for (const RecordedCode& one : best.recorded()) EXPECT_EQ(one.device, "recorded:nvidia-h200");
}

TEST_F(RecordedSession, MissingRatiosOfTwoMachinesTimesAreExplained) {
  log->answer = [](const lab::Experiment& experiment) {
    const bool naive = experiment.source.path.find("naive") != std::string::npos;
    return toyResult(experiment, naive && experiment.tunables.at("BLOCK_X") == 8 ? 1 : 2);
  };
  open("recorded:test-gpu");
  ASSERT_TRUE(snapshot().view<features::GainsView>().ratios.time.value());
  EXPECT_EQ(snapshot().view<features::GainsView>().note, "");
  session->apply(command("tuning.set", "TILE_WIDTH", 8));
  settle();
  EXPECT_FALSE(snapshot().view<features::GainsView>().ratios.time.value());
  EXPECT_TRUE(has(snapshot().view<features::GainsView>().note, "two machines took the times"));
}

TEST_F(RecordedSession, ASeparateFileIsOpenedBeforeItIsReportedMissing) {
  open("recorded:./mine.tsrec");
  // The recording is requested once, so that the worker opens it. This worker still does not list
  // it.
  EXPECT_EQ(std::ranges::count(log->ceilingsOf, "recorded:./mine.tsrec"), 1);
  ASSERT_NE(notice("device"), nullptr);
  EXPECT_TRUE(has(notice("device")->text, "recorded:./mine.tsrec"));
  EXPECT_EQ(snapshot().badge.kind, Badge::Kind::interpreter);
}

TEST_F(RecordedSession, ALessonThatNeedsTimesUsesTheRecordingAndRestoresTheDevice) {
  open("auto");
  const auto lessons = snapshot().view<features::LessonsView>().lessons;
  const auto buys = std::ranges::find(lessons, "What it buys", &features::LessonEntry::title);
  ASSERT_NE(buys, lessons.end());
  session->apply(command("lessons.open", buys->file));
  settle();
  EXPECT_EQ(snapshot().device, "simt");
  EXPECT_EQ(snapshot().choice.roofDevice, "geforce-8800-gtx");
  session->apply(command("lessons.step", 2));
  settle();
  EXPECT_EQ(snapshot().device, "recorded:test-gpu");
  EXPECT_EQ(snapshot().measureSizes.at("k"), 1024);
  session->apply(command("lessons.step", 1));
  settle();
  EXPECT_EQ(snapshot().device, "simt");
}

device::DeviceInfo deviceOf(const char* id, bool measures, const char* recordedOn) {
  device::DeviceInfo device;
  device.id = id;
  device.measures = measures;
  device.recordedOn = recordedOn;
  return device;
}

std::string inUse(const std::string& kernel, const std::string& chosen, bool gpu,
                  const std::string& code = "recorded") {
  Devices devices{deviceOf("simt", false, ""), deviceOf("recorded:h", true, "2026-11-21")};
  if (gpu) devices.push_back(deviceOf("cuda:0", true, ""));
  Choice choice;
  choice.kernel = kernel;
  choice.device = chosen;
  const compile::KernelSource source{kernel + ".cu", code};
  const RecordedKernels recorded{
      {"recorded:h", "matmul_tiled", lab::codeHashOf({"matmul_tiled.cu", "recorded"})}};
  auto catalogue = std::make_shared<Catalogue>();
  catalogue->push_back({source, {}, {}});
  return resolve(choice, catalogue, std::make_shared<Devices>(devices),
                 std::make_shared<KnownDevices>(), recorded)
      ->device->id;
}

TEST(AutomaticDevice, WithoutAGpuIsTheRecordingOfTheKernel) {
  EXPECT_EQ(inUse("matmul_tiled", "auto", false), "recorded:h");
  EXPECT_EQ(inUse("my_kernel", "auto", false), "simt");
  EXPECT_EQ(inUse("matmul_tiled", "simt", false), "simt");
  EXPECT_EQ(inUse("matmul_tiled", "auto", false, "changed"), "simt")
      << "its times belong to a different kernel";
  EXPECT_EQ(inUse("matmul_tiled", "auto", true), "cuda:0");
  EXPECT_EQ(inUse("matmul_tiled", "cuda:7", false), "simt") << "the chosen device no longer exists";
}

}  // namespace tilestep::model::recorded_test
