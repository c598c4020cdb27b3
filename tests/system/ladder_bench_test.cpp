// SPDX-License-Identifier: Apache-2.0
// The output of `bench ladder` for measurements of a made-up device.
#include <gtest/gtest.h>

#include <algorithm>

#include "base/hash.h"
#include "base/library_product.h"
#include "lab/recording/recording.h"
#include "lab/sweep_file.h"
#include "support/ladder_run.h"
#include "support/ladder_table.h"
#include "support/results.h"

namespace tilestep::bench::ladder_bench_test {

Rung rungOf(const std::string& name, const std::string& reference = "matmul") {
  Rung rung;
  rung.spec.name = rung.source.path = name;
  rung.spec.reference = reference;
  return rung;
}

/// Runs with known times. References take longer from one measurement to the next.
class MadeUp : public testing::Test {
 protected:
  Result<lab::RunResult> run(const lab::Experiment& experiment) {
    const std::string& name = experiment.source.path;
    lab::RunResult result;
    result.plan.tunables = experiment.tunables;
    result.registers = 42;
    result.outputHash = hashes.contains(name) ? hashes[name] : 1;
    if (experiment.check) {
      ++compared;
      result.check = lab::Check{"float64", 1e-8, 2e-8, 0, !wrong.contains(name), 0};
    }
    if (experiment.measure) {
      result.measurement.emplace();
      result.measurement->repetitions = 20;
      result.measurement->clockMhz = name == "cublas:tf32" ? 1442 : 1980;
      result.measurement->medianMs = name.starts_with("cublas:") ? ++referenceMs[name] : ms[name];
    }
    if (faulty.contains(name)) result.faults.push_back({"out-of-bounds", {}, 0, 1, "it fell off"});
    return result;
  }

  std::vector<LadderRow> rowsAt(const ProductSize& size) {
    if (!ladder) {
      LadderPlan plan;
      plan.rungs = rungs;
      for (const std::string_view name : kLibraryProducts)
        plan.references.push_back(
            rungOf(std::string(name), name == kCublasTf32 ? "matmul_tf32" : "matmul"));
      ladder.emplace(plan, LadderTools{[this](const auto& e) { return run(e); },
                                       [](const Rung&, const ProductSize&) {
                                         return Tuned{{{"TILE", 8}}, "default"};
                                       },
                                       [](const std::string&) {}});
    }
    return ladder->at(size);
  }
  static const LadderRow& find(const std::vector<LadderRow>& rows, std::string_view name) {
    for (const LadderRow& row : rows) {
      if (row.kernel == name) return row;
    }
    ADD_FAILURE() << "no row of " << name;
    return rows.front();
  }

  std::vector<Rung> rungs{rungOf("a"), rungOf("a2"), rungOf("a3"), rungOf("b"), rungOf("c")};
  std::map<std::string, double> ms{{"a", 10}, {"a2", 9}, {"a3", 8}, {"b", 5}, {"c", 4}},
      referenceMs;
  std::map<std::string, uint64_t> hashes;
  std::set<std::string> wrong, faulty;
  int compared = 0;
  std::optional<LadderRun> ladder;
};

TEST_F(MadeUp, SharesUseTheReferencesMeasuredNextToEachRung) {
  for (const char* name : {"d", "e", "f"}) {
    rungs.push_back(rungOf(name));
    ms[name] = 4;
  }
  const auto rows = rowsAt({100, 100, 100});
  // FP32 was measured before a (1 ms), after the seventh rung (2 ms) and after f (3 ms).
  EXPECT_DOUBLE_EQ(*find(rows, "a").shareOfReference(), 1.5 / 10);
  EXPECT_DOUBLE_EQ(*find(rows, "e").shareOfReference(), 1.5 / 4);
  EXPECT_DOUBLE_EQ(*find(rows, "f").shareOfReference(), 2.5 / 4);
  EXPECT_DOUBLE_EQ(*find(rows, "a").tflops(), 2e6 / 10e-3 / 1e12);
  EXPECT_DOUBLE_EQ(*find(rows, "a").shareOfCeiling(1e9), 0.2);
  const LadderRow& reference = find(rows, "cublas:fp32");
  EXPECT_DOUBLE_EQ(reference.measurement->medianMs, 2);
  EXPECT_TRUE(has(reference.note, "3 measurements"));
  EXPECT_FALSE(reference.shareOfReference());
}

TEST_F(MadeUp, ATf32RungHasItsOwnReferenceAndNoFp32Ceiling) {
  rungs.push_back(rungOf("t", "matmul_tf32"));
  ms["t"] = 0.5;
  const auto rows = rowsAt({100, 100, 100});
  const LadderRow& row = find(rows, "t");
  EXPECT_EQ(row.reference, "cublas:tf32");
  EXPECT_FALSE(row.shareOfCeiling(1e12));
  // The references were measured directly before (1 ms) and after (2 ms).
  EXPECT_DOUBLE_EQ(*row.shareOfReference(), 1.5 / 0.5);
  EXPECT_TRUE(row.isUnevenClock());
  EXPECT_FALSE(find(rows, "c").isUnevenClock());
  LadderRecord record;
  record.fp32FlopPerSecond = 1e12;
  record.rows = rows;
  const std::string text = toTables(record, TableStyle::text);
  const size_t apart = text.find("Another precision"), rung = text.find("\n  t ");
  ASSERT_NE(apart, std::string::npos) << text;
  ASSERT_NE(rung, std::string::npos) << text;
  EXPECT_LT(apart, rung);
  EXPECT_LT(text.find("\n  c "), apart);
  EXPECT_TRUE(has(text, "t: its share compares unlike clocks, 1980 MHz with 1442"));
}

TEST_F(MadeUp, AWrongRungHasNoFigures) {
  wrong = {"b"};
  hashes["b"] = 2;
  const auto rows = rowsAt({100, 100, 100});
  EXPECT_TRUE(find(rows, "b").wrong);
  EXPECT_FALSE(find(rows, "b").tflops());
  EXPECT_FALSE(find(rows, "b").shareOfReference());
  EXPECT_TRUE(has(find(rows, "b").note, "scaled error"));
  EXPECT_FALSE(find(rows, "a").wrong);
  LadderRecord record;
  record.rows = rows;
  EXPECT_TRUE(has(toTables(record, TableStyle::markdown), "| WRONG |"));
  EXPECT_TRUE(has(toJson(record), "\"wrong\": true"));
}

TEST_F(MadeUp, EachLineOfTheRecordNamesDeviceDriverDayAndCode) {
  rungs[0].source.text = "int a;";
  LadderRecord record;
  record.device = "Some GPU";
  record.driver = "1.2.3";
  record.date = "2026-11-21";
  record.identity = "0123456789abcdef";
  record.rows = rowsAt({100, 100, 100});
  const auto lines = lab::parseCsv(toCsv(record)).lines;
  ASSERT_EQ(lines.size(), record.rows.size() + 1);
  const auto column = [&](const char* name) {
    return static_cast<size_t>(std::ranges::find(lines[0], name) - lines[0].begin());
  };
  ASSERT_LT(column("code"), lines[0].size());
  std::map<std::string, std::string> codes;
  for (size_t i = 1; i < lines.size(); ++i) {
    ASSERT_EQ(lines[i].size(), lines[0].size());
    EXPECT_EQ(lines[i][column("device")], "Some GPU");
    EXPECT_EQ(lines[i][column("driver")], "1.2.3");
    EXPECT_EQ(lines[i][column("date")], "2026-11-21");
    EXPECT_EQ(lines[i][column("gpu")], "0123456789abcdef");
    codes[lines[i][column("kernel")]] = lines[i][column("code")];
  }
  EXPECT_EQ(codes["a"], hex64(lab::codeHashOf(rungs[0].source)));
  EXPECT_NE(codes["a"], codes["b"]) << "another program";
  EXPECT_EQ(codes["cublas:fp32"], "");
}

TEST(LadderSize, HasOneOrThreeNumbers) {
  EXPECT_EQ(*parseSize("64"), (ProductSize{64, 64, 64}));
  EXPECT_EQ(*parseSize("1x20x3"), (ProductSize{1, 20, 3}));
  EXPECT_EQ(toText(*parseSize("1x20x3")), "1x20x3");
  EXPECT_EQ(toText(*parseSize("7x7x7")), "7");
  for (const char* text : {"", "0", "-3", "4x5", "4x5x6x7", "4x", "a", "4.5", "1x2x"})
    EXPECT_FALSE(parseSize(text)) << text;
}

}  // namespace tilestep::bench::ladder_bench_test
