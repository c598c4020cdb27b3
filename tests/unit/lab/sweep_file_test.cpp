// SPDX-License-Identifier: Apache-2.0
#include "lab/sweep_file.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "lab/sweep.h"
#include "support/results.h"

namespace tilestep::lab::sweep_file_test {

TEST(SweepCsv, LinesAreQuotedAndReadBack) {
  EXPECT_EQ(csvLine({"a", "b,c", "say \"x\"", ""}), "a,\"b,c\",\"say \"\"x\"\"\",\n");
  const std::vector<SweepLine> lines{
      {"a", "b"}, {"", ""}, {"b,c", "\""}, {"\"\"", ","}, {"two\nlines", "\"quoted\""},
      {"x", "\r"}};
  std::string text;
  for (const SweepLine& line : lines) text += csvLine(line);
  const CsvText csv = parseCsv(text);
  EXPECT_EQ(csv.lines, lines);
  EXPECT_EQ(csv.numbers, (std::vector<size_t>{1, 2, 3, 4, 5, 7, 8}));
  EXPECT_EQ(csv.bytes, text.size());
}

class SweepFile : public testing::Test {
 protected:
  SweepFile() {
    spec.name = "k";
    spec.sizes = {{"m", 8}};
    spec.tunables.push_back({.name = "T", .defaultValue = 4});
    spec.tunables.push_back({.name = "U", .defaultValue = 1});
    columns = sweepColumns(spec, false);
    for (const int64_t t : {1, 2, 33, 4}) {
      Experiment experiment;
      experiment.tunables["T"] = t;
      experiments.push_back(experiment);
    }
  }
  std::string lineOf(size_t point) const {
    RunResult result;
    result.device.id = "simt";
    result.plan.sizes = {{"m", 8}};
    result.plan.tunables = {{"T", experiments[point].tunables.at("T")}, {"U", 1}};
    const bool illegal = result.plan.tunables["T"] > 32;
    Result<RunResult> outcome = result;
    if (illegal) outcome = requestError("T is 33; \"at most\" 32,\nor so");
    return csvLine(sweepCells(columns, rowOf("k", experiments[point], outcome)));
  }
  std::string file(size_t points) const {
    std::string text = csvLine(columns);
    for (size_t i = 0; i < points; ++i) text += lineOf(i);
    return text;
  }
  Result<std::vector<SweepLine>> read(const std::string& text) const {
    auto lines = readSweepLines("x.csv", text, columns);
    if (!lines) return lines;
    const Status checked = checkSweep("x.csv", columns, *lines, spec, experiments);
    return checked ? lines : checked.error();
  }
  std::string refusalOf(const std::string& text) const {
    const auto lines = read(text);
    if (lines) return "";
    EXPECT_EQ(lines.error().kind, ErrorKind::request);
    EXPECT_TRUE(lines.error().message.starts_with("x.csv holds another sweep: "));
    return lines.error().message;
  }
  static std::string changed(std::string text, const std::string& from, const std::string& to) {
    const size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return text.replace(at, from.size(), to);
  }

  compile::KernelSpec spec;
  std::vector<std::string> columns;
  std::vector<Experiment> experiments;
};

TEST_F(SweepFile, CompletePointsOfATruncatedFileAreKept) {
  const std::string whole = file(4);
  for (size_t length = 0; length <= whole.size(); ++length) {
    const auto lines = valueOrThrow(read(whole.substr(0, length)));
    size_t points = 0;
    while (points < 4 && file(points + 1).size() <= length) ++points;
    ASSERT_EQ(lines.size(), points) << length;
  }
}

TEST_F(SweepFile, PointsThatDidNotRunAreAccepted) {
  SweepRow lost = rowOf("k", experiments[1], workError("the worker ended by signal 9"));
  const std::string text = file(1) + csvLine(sweepCells(columns, lost)) + lineOf(2) + lineOf(3);
  EXPECT_EQ(valueOrThrow(read(text)).size(), 4U);
}

TEST_F(SweepFile, LineEndingsOfASpreadsheetAreAccepted) {
  std::string text;
  for (const char c : file(2)) text += c == '\n' ? std::string("\r\n") : std::string(1, c);
  EXPECT_EQ(valueOrThrow(read(text)), *read(file(2)));
}

TEST_F(SweepFile, ErrorsNameTheDifferenceToAnotherSweep) {
  EXPECT_TRUE(has(refusalOf("some notes"), "first line"));
  EXPECT_TRUE(has(refusalOf("some\nnotes\n"), "columns differ"));
  EXPECT_TRUE(has(refusalOf(changed(file(2), "reason", "why")), "columns differ"));
  EXPECT_TRUE(has(refusalOf(changed(file(2), "k,simt,8,2", "k,simt,8,3")), "point 2 has T = 3"));
  EXPECT_TRUE(has(refusalOf(changed(file(2), "k,simt,8,2", "j,simt,8,2")), "kernel = j"));
  EXPECT_TRUE(has(refusalOf(changed(file(2), "k,simt,8,2", "k,simt,9,2")), "m = 9"));
  EXPECT_TRUE(has(refusalOf(changed(file(2), "k,simt,8,2", "k,simt,8")), "cells"));
  EXPECT_TRUE(has(refusalOf(file(4) + lineOf(3)), "5 points"));
}

TEST_F(SweepFile, PointsMustHaveTheSameSourceSeedCheckAndDevice) {
  for (const std::string& column : askedColumns()) columns.push_back(column);
  EXPECT_TRUE(read(file(4)).ok()) << "one of the points did not run";
  const std::string text = file(2);
  for (Experiment& experiment : experiments) experiment.check = true;
  EXPECT_TRUE(has(refusalOf(text), "point 1 has checked = no, and this sweep has yes"));
  for (Experiment& experiment : experiments) experiment.check = false, experiment.seed = 7;
  EXPECT_TRUE(has(refusalOf(text), "point 1 has seed = 1, and this sweep has 7"));
  for (Experiment& experiment : experiments)
    experiment.seed = 1, experiment.source.text = "__global__ void k() {}";
  EXPECT_TRUE(has(refusalOf(text), "point 1 belongs to a different version of the kernel"));
  for (Experiment& experiment : experiments)
    experiment.source.text.clear(), experiment.source.frontMatter = "expect = 2";
  EXPECT_TRUE(has(refusalOf(text), "point 1 belongs to a different version of the kernel"));
  for (Experiment& experiment : experiments) experiment.device = "cuda:0";
  EXPECT_TRUE(has(refusalOf(file(1)), "device = simt, and this sweep has cuda:0"));
}

TEST_F(SweepFile, ErrorsLocateInvalidFigures) {
  // kernel,device,m,T,U,status,median_ms,min_ms,p10_ms,p90_ms,repetitions,gflops,...
  const auto refusal = [&](const std::string& device, const std::string& figures) {
    const auto lines = read(csvLine(columns) + "k," + device + ",8,1,1," + figures + "\n");
    return lines ? std::string() : lines.error().message;
  };
  const std::string good = "ok,0.5,0.4,0.45,0.6,20,12.5,3,32,0,";
  EXPECT_EQ(refusal("cuda:0", good), "");
  EXPECT_EQ(refusal("simt", "ok,,,,,,,,32,0,"), "");
  EXPECT_EQ(
      refusal("simt", good),
      "x.csv, line 2, column 7: median_ms is not measured by simt: '0.5'; not a valid sweep row; "
      "fix it, or overwrite the file with --force");
  const std::vector<std::pair<std::string, std::string>> bad{
      {"banana,0.5,0.4,0.45,0.6,20,12.5,3,32,0,", "line 2, column 6: status is not ok, wrong"},
      {"ok,nan,0.4,0.45,0.6,20,12.5,3,32,0,", "column 7: median_ms is not a time: 'nan'"},
      {"ok,0.5,-inf,0.45,0.6,20,12.5,3,32,0,", "column 8: min_ms is not a time"},
      {"ok,0.5,0.4,1e999,0.6,20,12.5,3,32,0,", "column 9: p10_ms is not a time"},
      {"ok,0.5,0.4,0.45,x,20,12.5,3,32,0,", "column 10: p90_ms is not a time"},
      {"ok,0.5,0.4,0.45,0.4,20,12.5,3,32,0,", "column 7: median_ms contradicts"},
      {"ok,0.5,0.4,0.45,0.6,-9,12.5,3,32,0,", "column 11: repetitions is not a count"},
      {"ok,0.5,0.4,0.45,0.6,20,inf,3,32,0,", "column 12: gflops is not a rate"},
      {"ok,,,,,,12.5,,32,0,", "column 12: gflops has no median_ms"},
      {"ok,0.5,0.4,0.45,0.6,20,12.5,3,many,0,", "column 14: registers is not a count"},
      {"skipped,0.5,0.4,0.45,0.6,20,12.5,3,32,0,no",
       "point 1, column 7: median_ms of a point that did"}};
  for (const auto& [figures, says] : bad)
    EXPECT_TRUE(has(refusal("cuda:0", figures), says))
        << figures << ": " << refusal("cuda:0", figures);
}

TEST(SweepCsv, FormulasAreEscapedForSpreadsheets) {
  EXPECT_EQ(sweepLineText({"=1+1", "+1", "-1+1", "@a", "'a", "-5", "-0.5", "a=b", ""}),
            "'=1+1,'+1,'-1+1,'@a,''a,-5,-0.5,a=b,\n");
  for (const char* text : {"=1+1", "'=1+1", "''", "'", "-5", "-x", "a"})
    EXPECT_EQ(spreadsheetText(spreadsheetCell(text)), text);
}

TEST_F(SweepFile, AKernelNameThatBeginsLikeAFormulaIsReadBack) {
  spec.name = "=1+1";
  const std::string text =
      sweepLineText(columns) +
      sweepLineText({"=1+1", "simt", "8", "1", "1", "ok", "", "", "", "", "", "", "", "", "0", ""});
  EXPECT_TRUE(has(text, "\n'=1+1,"));
  EXPECT_EQ(valueOrThrow(read(text))[0][0], "=1+1");
}

}  // namespace tilestep::lab::sweep_file_test
