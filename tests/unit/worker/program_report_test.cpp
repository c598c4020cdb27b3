// SPDX-License-Identifier: Apache-2.0
#include "worker/program_report.h"

#include <gtest/gtest.h>

#include "support/results.h"

namespace tilestep::worker::program_report_test {

lab::ProgramSummary summary() {
  lab::ProgramSummary made;
  made.ran = "1 launch of add on the SIMT interpreter, as an NVIDIA H200";
  made.notes = {"The results of add were not judged, because the intended ones are unknown."};
  lab::ProgramFinding& finding = made.findings.emplace_back();
  finding.kind = "out-of-bounds";
  finding.kernel = "add";
  finding.line = 12;
  finding.message = "A read of 4 bytes ends 4 bytes past the end of d_A";
  finding.times = 3;
  finding.launch = 1;
  finding.block = Dim3{3, 0, 0};
  finding.thread = Dim3{232, 0, 0};
  lab::ProgramStep& step = made.steps.emplace_back();
  step.kind = lab::ProgramStepKind::launch;
  step.name = "add";
  step.launch = 1;
  step.ran = step.failed = true;
  step.grid = {4, 1, 1};
  step.block = {256, 1, 1};
  step.milliseconds = 0.5;
  made.launches = 1;
  return made;
}

TEST(ProgramReport, RoundTrips) {
  const auto read = valueOrThrow(readReport(reportOf(summary())));
  EXPECT_EQ(reportOf(read), reportOf(summary()));
  EXPECT_EQ(read.findings.front().thread, (Dim3{232, 0, 0}));
  EXPECT_EQ(read.steps.front().milliseconds, 0.5);
  EXPECT_EQ(read.faults(), 1U);
}

TEST(ProgramReport, CarriesCompileErrors) {
  Error error = requestError("use of undeclared identifier 'M'");
  error.where = TextLocation{"hw1.cu", 7, 3};
  const Result<lab::ProgramSummary> read = readReport(reportOf(error));
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().message, "use of undeclared identifier 'M'");
  ASSERT_TRUE(read.error().where);
  EXPECT_EQ(read.error().where->line, 7);
}

TEST(ProgramReport, NamesTheInvalidField) {
  EXPECT_EQ(readReport("{").error().message, "the program's report is not JSON");
  std::string report = reportOf(summary());
  const size_t at = report.find("\"times\":3");
  ASSERT_NE(at, std::string::npos);
  report.replace(at, 9, "\"times\":-3");
  EXPECT_TRUE(fails(readReport(report), "times"));
}

TEST(ProgramReport, FindingsHaveLocations) {
  lab::ProgramFinding finding = summary().findings.front();
  EXPECT_EQ(textOf(finding),
            "in add: out-of-bounds: A read of 4 bytes ends 4 bytes past the end of d_A");
  finding.kernel.clear();
  finding.file = "/home/me/hw1.cu";
  EXPECT_EQ(textOf(finding),
            "hw1.cu:12: out-of-bounds: A read of 4 bytes ends 4 bytes past the end of d_A");
}

}  // namespace tilestep::worker::program_report_test
