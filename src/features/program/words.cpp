// SPDX-License-Identifier: Apache-2.0
#include "features/program/words.h"

#include <algorithm>
#include <filesystem>

#include "base/figure.h"
#include "base/sentence.h"

namespace tilestep::features {
namespace {

using lab::ProgramFinding;
using lab::ProgramStep;
using lab::ProgramStepKind;
using State = ProgramView::State;

std::string triple(const Dim3& value) {
  std::string text = std::to_string(value.x);
  if (value.y == 1 && value.z == 1) return text;
  text = "(" + text + ", " + std::to_string(value.y);
  return text + (value.z == 1 ? ")" : ", " + std::to_string(value.z) + ")");
}

std::string endedText(const ProgramView& view) {
  const lab::ProgramSummary& summary = *view.summary;
  const uint64_t faults = summary.faults();
  if (faults > 0)
    return plural(faults, "fault") + (faults == 1 ? " was" : " were") + " found." +
           (summary.ending.empty() ? "" : " " + summary.ending);
  if (!summary.ending.empty()) return summary.ending;
  return summary.verdict;
}

}  // namespace

bool isInFile(const ProgramFinding& finding, const std::string& name) {
  return finding.line != 0 &&
         (finding.file.empty() ||
          std::filesystem::path(finding.file).filename() == std::filesystem::path(name));
}

std::string verdictOf(const ProgramView& view) {
  switch (view.state) {
    case State::none:
      return {};
    case State::running:
      return (view.isCompiling ? "Compiling " : "Compiling and running ") + view.name + " …";
    case State::refused:
      return view.refusalLine > 0
                 ? "Line " + std::to_string(view.refusalLine) + ": " + asSentence(view.refusal)
                 : capitalised(asSentence(view.refusal));
    case State::stopped:
      return view.name + " was stopped.";
    case State::compiled:
      return "It compiles. Ctrl+Enter runs it.";
    case State::ended:
      return endedText(view);
  }
  return {};
}

std::vector<LineNote> lineNotesOf(const ProgramView& view) {
  std::vector<LineNote> notes;
  if (view.state == State::refused && view.refusalLine > 0)
    notes.push_back({LineNote::Kind::race, view.refusalLine, view.refusal, 0});
  if (!view.summary || view.isOld) return notes;
  for (const ProgramFinding& finding : view.summary->findings) {
    if (!finding.isFault || !isInFile(finding, view.name)) continue;
    const bool isKnown =
        std::ranges::any_of(notes, [&](const LineNote& note) { return note.line == finding.line; });
    if (!isKnown)
      notes.push_back({LineNote::Kind::race, finding.line,
                       (finding.kind.empty() ? "" : finding.kind + ": ") + finding.message, 0});
  }
  std::ranges::sort(notes, {}, &LineNote::line);
  return notes;
}

std::string shownText(std::string text) {
  constexpr std::string_view kTransposed = "ᵀ";
  for (size_t at = text.find(kTransposed); at != std::string::npos; at = text.find(kTransposed))
    text.replace(at, kTransposed.size(), "^T");
  return text;
}

std::string textOf(const ProgramStep& step) {
  std::string text = step.name;
  if (step.kind == ProgramStepKind::launch)
    text += "<<<" + triple(step.grid) + ", " + triple(step.block) + ">>>";
  else if (!step.memory.empty())
    text += " " + step.memory;
  if (step.times > 1) text += " × " + grouped(step.times);
  return text;
}

}  // namespace tilestep::features
