// SPDX-License-Identifier: Apache-2.0
// Pinned runs: their file format, comparisons, and their commands in a session.
#include "model/choice/pins.h"

#include <gtest/gtest.h>

#include "features/pins/runs_view.h"
#include "model/export/table.h"
#include "support/results.h"
#include "unit/features/pins/pins_samples.h"
#include "unit/model/session_fixture.h"

namespace tilestep::features::pins_test {

Pins several() {
  return {{samplePin(1), countedPin(2), samplePin(0xFFFFFFFFFFFFFFFFU, 1.0 / 3)}, 2};
}

std::string errorOf(const std::string& text) {
  const Result<Pins> read = parsePins(text, "runs.toml");
  if (read) return "read without an error";
  EXPECT_TRUE(read.error().where) << read.error().message;
  if (!read.error().where) return {};
  EXPECT_EQ(read.error().where->file, "runs.toml");
  return std::to_string(read.error().where->line) + ": " + read.error().message;
}

std::string changed(std::string text, const std::string& from, const std::string& to) {
  const size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from << " is not in\n" << text;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

TEST(Pins, SurviveARoundTrip) {
  for (const Pins& pins : {Pins{}, several()}) {
    const Pins read = valueOrThrow(parsePins(toToml(pins), "runs.toml"));
    EXPECT_EQ(read, pins) << toToml(pins);
  }
}

TEST(Pins, TimeOfAnotherMachineOfThisKindIsMarked) {
  Pin base = samplePin(1, 0.25), run = samplePin(2, 0.5);
  base.origin = run.origin = PinOrigin::recorded;
  EXPECT_EQ(compareRuns(run, base).words, "100 % more time");
  run.identity.clear();
  run.machineNumber = 3;
  EXPECT_EQ(compareRuns(run, base).words, "100 % more time (on another NVIDIA H200 (no. 3))");
  EXPECT_EQ(originText(run), "recorded on NVIDIA H200 no. 3, 2026-11-21");
}

TEST(Pins, ErrorsReportTheLine) {
  const std::string text = toToml({{samplePin(1, 0.25)}, 0});
  EXPECT_TRUE(has(errorOf("version = 2\n"), "version must be 1"));
  EXPECT_EQ(errorOf("version = 1\n[[run]\n").substr(0, 2), "2:");
  EXPECT_TRUE(has(errorOf(changed(text, "colour = 1", "colour = 9")), "colour must be from"));
  EXPECT_TRUE(has(errorOf(changed(text, "colour = 1", "colour = \"red\"")), "colour"));
  EXPECT_TRUE(
      has(errorOf(changed(text, "\n    median_ms = 0.25", "\n    median_ms = -1.0")), "median_ms"));
  EXPECT_TRUE(
      has(errorOf(changed(text, "\n    median_ms = 0.25", "\n    median_ms = nan")), "median_ms"));
  EXPECT_TRUE(
      has(errorOf(changed(text, "\n    median_ms = 0.25", "\n    median_ms = 9.0")), "order"));
  EXPECT_TRUE(has(errorOf(changed(text, "occupancy = 1.0", "occupancy = 1.5")), "occupancy"));
  EXPECT_TRUE(has(errorOf(changed(text, "asked_bytes = 541065216", "asked_bytes = -1")),
                  "asked_bytes must be from"));
  EXPECT_TRUE(has(errorOf(changed(text, "origin = 'measured'", "origin = 'guessed'")),
                  "origin must be one of: measured, recorded, interpreter"));
  EXPECT_TRUE(has(errorOf(changed(text, "origin = 'measured'", "origin = 'interpreter'")),
                  "the interpreter gives no times"));
  EXPECT_TRUE(has(errorOf(changed(text, "colour = 1", "colour = 1\ncolor = 1")), "color"));
  EXPECT_TRUE(
      has(errorOf(toToml({{samplePin(5), samplePin(5)}, 0})), "another run has the same id"));
  Pins many;
  for (uint64_t id = 1; id <= kMostPins + 1; ++id) many.pins.push_back(countedPin(id));
  EXPECT_TRUE(has(errorOf(toToml(many)), "more than 64 runs"));
}

Pin named(uint64_t id, const std::string& name) {
  Pin pin = samplePin(id);
  pin.name = name;
  return pin;
}

TEST(Pins, MergeAppliesOnlyTheChangesOfEachWindow) {
  const Pins before{{named(1, "a"), named(2, "b"), named(3, "c"), named(4, "d"), named(5, "e")}, 1};
  // This window renamed 2, removed 3 and pinned 6. The other window renamed 1, removed 2 and 4, and
  // pinned 7.
  const Pins mine{{named(1, "a"), named(2, "mine"), named(4, "d"), named(5, "e"), named(6, "f")},
                  1};
  const Pins theirs{{named(1, "theirs"), named(3, "c"), named(5, "e"), named(7, "g")}, 5};
  const Pins wanted{
      {named(1, "theirs"), named(2, "mine"), named(5, "e"), named(6, "f"), named(7, "g")}, 5};
  EXPECT_EQ(mergedPins(before, mine, theirs), wanted);
}

TEST(Pins, ThisWindowsChangeWins) {
  const Pins before{{named(1, "a"), named(2, "b")}, 1};
  const Pins mine{{named(1, "mine"), named(2, "b")}, 2}, theirs{{named(1, "theirs")}, 0};
  const Pins merged = mergedPins(before, mine, theirs);
  EXPECT_EQ(merged.pins, std::vector<Pin>{named(1, "mine")});
  EXPECT_EQ(merged.base, 0U) << "the other window removed the run chosen as base";
}

TEST(Runs, NoiseIsNotADifference) {
  const Pin base = samplePin(1, 1.0);
  Pin run = samplePin(2, 1.005);
  EXPECT_TRUE(has(compareRuns(run, base).words, "no significant difference"));
  run = samplePin(2, 1.2);
  EXPECT_EQ(compareRuns(run, base).words, "20 % more time");
  EXPECT_EQ(compareRuns(run, base).verdict, metrics::TimeVerdict::slower);
  run.time->p10Ms = 1.0;  // The spread overlaps the base's.
  EXPECT_TRUE(has(compareRuns(run, base).words, "within the spread"));
  EXPECT_NEAR(*compareRuns(run, base).gflops, 1 / 1.2 - 1, 1e-12);
}

TEST(Runs, RunsOfOtherSizesCompareOnlyCounts) {
  const Pin base = samplePin(1);
  Pin run = samplePin(2);
  run.sizes["m"] = 2048;
  run.work.askedBytes *= 2;
  const RunComparison to = compareRuns(run, base);
  EXPECT_FALSE(to.time);
  EXPECT_NEAR(*to.asked, 1, 1e-12);
  EXPECT_TRUE(has(to.words, "times cannot be compared"));
  EXPECT_FALSE(compareRuns(countedPin(3), base).time);
  Pin whatIf = samplePin(4, 9);
  whatIf.deviceName = "Tesla T4";
  EXPECT_TRUE(has(compareRuns(whatIf, base).words, "another device"));
}

TEST(Runs, CommandReproducesTheRun) {
  Pin pin = samplePin(1);
  EXPECT_EQ(commandOf(pin),
            "tilestep run '/home/a b/matmul_tiled.cu' --set TILE_WIDTH=16 --m 1024 --n 1024 --k "
            "1024 --device cuda:0 --counters --hardware --thorough");
  pin = countedPin(2);
  pin.kernelFile.clear();
  EXPECT_EQ(commandOf(pin),
            "tilestep run matmul_tiled --set TILE_WIDTH=16 --m 1024 --n 1024 --k 1024 --device "
            "simt --counters");
}

class PinnedSession : public model::SessionFixture {
 protected:
  void open(const std::string& device = "auto", PinsPointer pins = nullptr) {
    SessionOptions options;
    options.device = device;
    options.pins = std::move(pins);
    SessionFixture::open(options);
    settle();
  }
  [[nodiscard]] const std::vector<Pin>& pins() const {
    static const std::vector<Pin> none;
    return session->pins() ? session->pins()->pins : none;
  }
  [[nodiscard]] bool said(const std::string& part) const {
    for (const Notice& notice : session->snapshot()->notices)
      if (notice.text.find(part) != std::string::npos) return true;
    return false;
  }
};

TEST_F(PinnedSession, RunIsPinnedWithItsFiguresAndUndone) {
  log->gpu = true;
  open();
  session->apply(command("choice.measure_size", "m", 1024));
  settle();
  session->apply(command("pins.pin"));
  ASSERT_EQ(pins().size(), 1U);
  const Pin& pin = pins()[0];
  EXPECT_EQ(pin.kernel, "matmul_tiled");
  EXPECT_EQ(pin.sizes.at("m"), 1024);
  EXPECT_EQ(pin.device, "cuda:0");
  EXPECT_EQ(pin.origin, PinOrigin::measured);
  ASSERT_TRUE(pin.time);
  EXPECT_EQ(pin.time->medianMs, 0.5);
  EXPECT_EQ(pin.work.askedBytes, 4000U);
  EXPECT_NE(pin.codeHash, 0U);
  EXPECT_EQ(parsePins(toToml(*session->pins()), "runs.toml").value(), *session->pins());
  session->undo();
  EXPECT_TRUE(pins().empty());
  settle();
  EXPECT_TRUE(said("Restored the earlier pinned runs: 0"));
  session->redo();
  EXPECT_EQ(pins().size(), 1U);
}

TEST_F(PinnedSession, RecordedRunHasADayAndAnInterpretedRunHasNoTime) {
  log->recording = true;
  open("recorded:test-gpu");
  session->apply(command("choice.measure_size", "m", 1024));
  settle();
  session->apply(command("pins.pin"));
  session->apply(command("choice.device", "simt"));
  settle();
  session->apply(command("pins.pin"));
  ASSERT_EQ(pins().size(), 2U);
  EXPECT_EQ(pins()[0].origin, PinOrigin::recorded);
  EXPECT_EQ(pins()[0].madeOn, "2026-11-21");
  EXPECT_EQ(originText(pins()[0]), "recorded on Test GPU, 2026-11-21");
  EXPECT_EQ(pins()[1].origin, PinOrigin::interpreter);
  EXPECT_FALSE(pins()[1].time);
  EXPECT_NE(pins()[0].colour, pins()[1].colour);
  EXPECT_NE(pins()[0].id, pins()[1].id);
}

TEST_F(PinnedSession, PendingFiguresCannotBePinned) {
  log->gpu = true;
  open();
  session->apply(command("tuning.set", "TILE_WIDTH", 8));
  session->poll(now += 0.01);
  session->apply(command("pins.pin"));
  session->poll(now += 0.01);
  EXPECT_TRUE(pins().empty());
  EXPECT_TRUE(said("Nothing was pinned"));
}

TEST_F(PinnedSession, PinsCanBeRenamedRecolouredAndRemoved) {
  open("auto", std::make_shared<const Pins>(several()));
  session->apply(command("pins.rename", 2, "  best\nof all "));
  EXPECT_EQ(pins()[1].name, "best of all");
  session->apply(command("pins.rename", 2, "   "));
  EXPECT_EQ(pins()[1].name, "best of all") << "an empty name is ignored";
  session->apply(command("pins.rename", 2, std::string(79, 'a') + "\xC3\xA9"));
  EXPECT_EQ(pins()[1].name, std::string(79, 'a')) << "no partial characters";
  session->endGesture();
  session->undo();
  EXPECT_EQ(pins()[1].name, countedPin(2).name) << "typing is one undo step";
  session->apply(command("pins.recolour", 2));
  EXPECT_EQ(pins()[1].colour, 3U);
  session->apply(command("pins.base", 1));
  EXPECT_EQ(session->pins()->baseOrFirst()->id, 1U);
  session->apply(command("pins.unpin", 1));
  EXPECT_EQ(pins().size(), 2U);
  EXPECT_EQ(session->pins()->base, 0U);
}

TEST_F(PinnedSession, MissingKernelOrDeviceIsReported) {
  Pin gone = samplePin(1), far = samplePin(2);
  gone.kernel = "matmul_gone";
  gone.kernelFile.clear();
  far.kernelFile.clear();
  far.codeHash = 0;
  far.device = "cuda:7";
  open("auto", std::make_shared<const Pins>(Pins{{gone, far}, 0}));
  session->apply(command("pins.go", 1));
  settle();
  EXPECT_TRUE(said("no longer exists"));
  session->apply(command("pins.go", 2));
  settle();
  EXPECT_TRUE(said("NVIDIA H200) is not available"));
  EXPECT_EQ(session->snapshot()->measureSizes.at("m"), 1024);
}

TEST_F(PinnedSession, TableContainsEveryRunAndSavedStateNone) {
  open("auto", std::make_shared<const Pins>(several()));
  const Table twin = tableOf("runs", *session->snapshot());
  ASSERT_EQ(twin.rows.size(), 3U);
  for (const auto& row : twin.rows) EXPECT_EQ(row.size(), twin.columns.size());
  EXPECT_TRUE(has(twin.title, "McGraw")) << "the rule and its source";
  EXPECT_FALSE(session->saved().choice.pins) << "pins have a separate file";
  const std::string json = jsonOf("runs", twin);
  EXPECT_TRUE(has(json, "\"schema\": 1", "\"median ms\": 0.2775", "\"tiled \\\"16\\\" · 1\"",
                  "\"median ms\": null"));
}

}  // namespace tilestep::features::pins_test
