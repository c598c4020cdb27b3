// SPDX-License-Identifier: Apache-2.0
#include "worker/program_report.h"

#include "base/tree_archive.h"
#include "lab/describe.h"

namespace tilestep::lab {

void describe(Archive& io, ProgramFinding& finding) {
  io("isFault", finding.isFault);
  io("kind", finding.kind);
  io("kernel", finding.kernel);
  io("file", finding.file);
  io("line", finding.line);
  io("otherLine", finding.otherLine);
  io.block("message", finding.message);
  io("times", finding.times);
  io("launch", finding.launch);
  io("block", finding.block);
  io("thread", finding.thread);
  io("epoch", finding.epoch);
  io("order", finding.order);
}

void describe(Archive& io, ProgramStep& step) {
  io("kind", step.kind, ProgramStepKind::other);
  io("name", step.name);
  io("file", step.file);
  io("line", step.line);
  io("memory", step.memory);
  io("direction", step.direction);
  io("bytes", step.bytes);
  io("stream", step.stream);
  io("failed", step.failed);
  io("note", step.note);
  io("formula", step.formula);
  io("result", step.result);
  io("launch", step.launch);
  io("ran", step.ran);
  io("grid", step.grid);
  io("block", step.block);
  io("milliseconds", step.milliseconds);
  io("times", step.times);
}

void describe(Archive& io, ProgramSummary& summary) {
  io("ending", summary.ending);
  io("ran", summary.ran);
  io("verdict", summary.verdict);
  io("findings", summary.findings);
  io("results", summary.results);
  io("notes", summary.notes);
  io("steps", summary.steps);
  io("stepsLeftOut", summary.stepsLeftOut);
  io("launches", summary.launches);
  io("timedOut", summary.timedOut);
}

}  // namespace tilestep::lab

namespace tilestep::worker {
namespace {

/// Has either an error or a summary.
struct Report {
  std::optional<Error> error;
  std::optional<lab::ProgramSummary> summary;
};

void describe(Archive& io, Report& report) {
  io("error", report.error);
  io("summary", report.summary);
}

}  // namespace

std::string reportOf(const Result<lab::ProgramSummary>& summary) {
  Report report;
  if (summary)
    report.summary = *summary;
  else
    report.error = summary.error();
  return toJsonText([&](Archive& io) { describe(io, report); }) + "\n";
}

Result<lab::ProgramSummary> readReport(std::string_view text) {
  Report report;
  const Status read = readJsonText(text, "the program's report", Trust::stranger,
                                   [&](Archive& io) { describe(io, report); });
  if (!read) return read.error();
  if (report.error) return *report.error;
  if (!report.summary) return workError("the program's report is empty");
  return std::move(*report.summary);
}

}  // namespace tilestep::worker
