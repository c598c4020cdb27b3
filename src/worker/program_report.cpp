// SPDX-License-Identifier: Apache-2.0
#include "worker/program_report.h"

#include "worker/describe.h"

namespace tilestep::worker {

template <>
struct LastOf<lab::ProgramStepKind> {
  static constexpr auto value = lab::ProgramStepKind::other;
};

}  // namespace tilestep::worker

namespace tilestep::lab {

using worker::Like;

template <class A, Like<ProgramFinding> T>
void describe(A& archive, T& finding) {
  archive("isFault", finding.isFault);
  archive("kind", finding.kind);
  archive("kernel", finding.kernel);
  archive("file", finding.file);
  archive("line", finding.line);
  archive("otherLine", finding.otherLine);
  archive("message", finding.message);
  archive("times", finding.times);
  archive("launch", finding.launch);
  archive("block", finding.block);
  archive("thread", finding.thread);
  archive("epoch", finding.epoch);
  archive("order", finding.order);
}

template <class A, Like<ProgramStep> T>
void describe(A& archive, T& step) {
  archive("kind", step.kind);
  archive("name", step.name);
  archive("file", step.file);
  archive("line", step.line);
  archive("memory", step.memory);
  archive("direction", step.direction);
  archive("bytes", step.bytes);
  archive("stream", step.stream);
  archive("failed", step.failed);
  archive("note", step.note);
  archive("formula", step.formula);
  archive("result", step.result);
  archive("launch", step.launch);
  archive("ran", step.ran);
  archive("grid", step.grid);
  archive("block", step.block);
  archive("milliseconds", step.milliseconds);
  archive("times", step.times);
}

template <class A, Like<ProgramSummary> T>
void describe(A& archive, T& summary) {
  archive("ending", summary.ending);
  archive("ran", summary.ran);
  archive("verdict", summary.verdict);
  archive("findings", summary.findings);
  archive("results", summary.results);
  archive("notes", summary.notes);
  archive("steps", summary.steps);
  archive("stepsLeftOut", summary.stepsLeftOut);
  archive("launches", summary.launches);
  archive("timedOut", summary.timedOut);
}

}  // namespace tilestep::lab

namespace tilestep::worker {
namespace {

/// One of the two.
struct Report {
  std::optional<Error> error;
  std::optional<lab::ProgramSummary> summary;
};

template <class A, Like<Report> T>
void describe(A& archive, T& report) {
  archive("error", report.error);
  archive("summary", report.summary);
}

}  // namespace

std::string reportOf(const Result<lab::ProgramSummary>& summary) {
  Report report;
  if (summary)
    report.summary = *summary;
  else
    report.error = summary.error();
  // What a program is called may be no UTF-8.
  return Writer::tree(report).dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

Result<lab::ProgramSummary> readReport(std::string_view text) {
  const Json json = Json::parse(text, nullptr, false);
  if (json.is_discarded()) return workError("the program's report is no JSON");
  std::optional<Error> error;
  Reader reader(json, "report", error, true);
  Report report;
  if (!error) describe(reader, report);
  if (error) return *error;
  if (report.error) return *report.error;
  if (!report.summary) return workError("the program's report is empty");
  return std::move(*report.summary);
}

}  // namespace tilestep::worker
