// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <string>

#include "features/names.h"
#include "features/program/view.h"
#include "ui/kit/code_editor.h"
#include "ui/kit/context.h"

namespace tilestep::features {

/// State of an open program's view, kept between frames.
struct ProgramLook {
  CodeEditor editor;
  std::string path;                         ///< The program to which this state belongs.
  std::string arguments;                    ///< As typed.
  std::string input;                        ///< The line of input that the user is typing.
  std::map<std::string, gfx::Box> sliders;  ///< The sliders' boxes, including names and hints.
  ImVec2 takeFixAt{0, 0};    ///< The centre of the button that applies the offered change.
  ImVec2 stepThereAt{0, 0};  ///< The centre of the button that goes to the finding.
  ImVec2 launchAt{0, 0};     ///< The centre of the first launch among the lanes.
  float findingsHeight = 0;  ///< The height of the findings in the last frame.
  std::string saveAs;        ///< The path in the field of "Save as".
  std::string mark;          ///< The name in the field for a new version.
  std::string wanted;        ///< The string to search.
  size_t foundAt = std::string::npos;  ///< Byte offset of the last match; npos if there is none.
};

/// Null until a program is shown.
[[nodiscard]] inline ProgramLook* programLook(const UiState& ui) {
  const auto* look = ui.looks.find<std::shared_ptr<ProgramLook>>();
  return look == nullptr ? nullptr : look->get();
}

/// The stage: the open program's text on the left; its findings, steps and output on the right. If
/// no program is open, explains how to open one.
void drawProgram(const Context& context);

/// The findings, with details of the selected one.
void drawFindings(const Context& context, const ProgramView& view);
/// The program's calls and launches, from top to bottom: the host on the left, a lane for each
/// stream, and an arrow for each copy. Fills the rest of the window's content.
void drawLanes(const Context& context, const ProgramView& view);
/// The program's output, and a line for its input.
void drawConsole(const Context& context, const ProgramView& view);

void goToLine(const Context& context, uint32_t line);

}  // namespace tilestep::features
