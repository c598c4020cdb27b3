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
  std::string path;                         ///< Identifies the program to which this belongs.
  std::string arguments;                    ///< As typed.
  std::string input;                        ///< The line of input that is being typed.
  std::map<std::string, gfx::Box> sliders;  ///< The sliders' boxes, with their names and hints.
  ImVec2 takeFixAt{0, 0};    ///< The centre of the button that accepts the offered change.
  ImVec2 stepThereAt{0, 0};  ///< The centre of the button that steps to the finding.
  ImVec2 launchAt{0, 0};     ///< The centre of the first launch among the lanes.
  float findingsHeight = 0;  ///< The height of the findings in the last frame.
  std::string saveAs;        ///< The path for "Save as".
  std::string mark;          ///< A name for the present text.
  std::string wanted;        ///< The searched string.
  size_t foundAt = std::string::npos;  ///< Byte offset of the last match; npos: none.
};

/// Null before a program was shown.
[[nodiscard]] inline ProgramLook* programLook(const UiState& ui) {
  const auto* look = ui.looks.find<std::shared_ptr<ProgramLook>>();
  return look == nullptr ? nullptr : look->get();
}

/// The stage: the open program's text on the left; its findings, steps and output on the right.
/// Without a program, it explains how to open one.
void drawProgram(const Context& context);

/// The findings; the selected one in full.
void drawFindings(const Context& context, const ProgramView& view);
/// The program's calls and launches, from the top down: the host at the left, a lane for each
/// stream, and an arrow for each copy. Fills the rest of the window's content.
void drawLanes(const Context& context, const ProgramView& view);
/// The program's output, and a line for its input.
void drawConsole(const Context& context, const ProgramView& view);

/// Goes to a line of the program's text.
void goToLine(const Context& context, uint32_t line);

}  // namespace tilestep::features
