// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compile/kernel.h"
#include "features/names.h"
#include "features/program/fixes.h"
#include "lab/program/program_summary.h"
#include "model/choice/legality.h"
#include "model/view.h"

namespace tilestep::features {

/// A whole program that the user opened: its text, its last run and its findings.
struct ProgramView : View {
  static constexpr std::string_view kFeature = "program";

  enum class State : uint8_t {
    none,      ///< No program is open.
    running,   ///< The program is being compiled or is running.
    refused,   ///< The program could not be compiled or started; see `refusal` and `refusalLine`.
    stopped,   ///< The user stopped the program.
    compiled,  ///< The changed text compiles but was not run.
    ended,
  };
  State state = State::none;
  std::string path;                         ///< The file's full path; empty if no program is open.
  std::string name;                         ///< "hw1.cu"
  std::string arguments;                    ///< The program's arguments, as typed.
  std::shared_ptr<const std::string> text;  ///< The edited text; null if no program is open.
  uint64_t openings = 0;                    ///< Incremented when the user opens a program.
  /// Problems at lines of the text; never null while a program is open.
  std::shared_ptr<const std::vector<LineNote>> textNotes;
  uint64_t textNumber = 0;   ///< Incremented when the text is replaced other than by typing.
  bool isSaved = true;       ///< The file contains this text.
  bool isCompiling = false;  ///< The text is only compiled, not run.
  double startedAt = 0;      ///< Start of the run in seconds, as in Context::now.
  std::shared_ptr<const std::string> output;  ///< The program's output; never null.
  std::string refusal;
  uint32_t refusalLine = 0;  ///< 0 if the refusal has no line.
  /// The outcome of the last completed run; null if there is none.
  std::shared_ptr<const lab::ProgramSummary> summary;
  bool isOld = false;   ///< The summary belongs to an earlier text or to different arguments.
  std::string verdict;  ///< The program's state in one sentence.
  size_t finding = 0;   ///< The selected finding.
  std::optional<CodeFix> fix;  ///< The change offered for the selected finding.
  /// The outcome with the change; empty while unknown.
  std::string fixOutcome;
  bool fixIsTried = false;
  bool onlyHints = false;   ///< A teacher has chosen hints instead of changes.
  bool givesHints = false;  ///< Hints are given, by choice or in a lesson.
  std::string hint;         ///< The hint for the selected finding; may be empty.
  uint64_t launch = 0;      ///< The launch whose steps are shown; 0 if there is none.
  uint64_t coming = 0;      ///< The launch whose steps are being recorded; 0 if there is none.
  std::string launchNote;   ///< The reason why a launch's steps cannot be shown; empty if they can.
  /// The numbers in the text that determine its launches. Values known to fail are marked.
  std::vector<compile::TunableSpec> sliders;
  compile::Bindings values;
  std::vector<TunableLegality> tried;
  std::string trying;     ///< The slider whose values are all being tried; empty if there is none.
  size_t trialsLeft = 0;  ///< Number of values still to try.
  std::vector<std::string> marks;   ///< Names of the kept versions, newest last.
  std::vector<std::string> recent;  ///< Programs that were opened before, newest first.

  void addTo(Shown& to) const override {
    to.program = !path.empty();
    to.onlyHints = onlyHints;
    to.recentPrograms = recent;
  }
  [[nodiscard]] const lab::ProgramFinding* chosenFinding() const {
    return summary && finding < summary->findings.size() ? &summary->findings[finding] : nullptr;
  }
};

}  // namespace tilestep::features
