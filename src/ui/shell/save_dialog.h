// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

#include "ui/kit/context.h"

namespace tilestep::ui {

/// Opens the dialogue that copies or saves a view; closes it when it is open.
void toggleSaveDialog(UiState& ui);
/// Another view or kind of file; a name that was typed stays.
void stepSavedView(UiState& ui, const model::Snapshot& now, int by);
void chooseSavedView(UiState& ui, std::string_view view);
void nextFileKind(UiState& ui);

/// Copies the view chosen last as text to the clipboard and says so.
void copyView(UiState& ui, model::Session& session);
/// Writes what the dialogue says: CSV or text at once, a picture with the next frame. The kind is
/// told by the name's end. A file that is there is replaced only when asked for twice. What goes
/// wrong is written below the field and the dialogue stays.
void saveView(UiState& ui, model::Session& session);

/// "tilestep-traffic-1.csv", the first number that is free in the working folder.
[[nodiscard]] std::filesystem::path freeName(const std::string& what, const std::string& extension);

/// Where a file was saved, for a sentence of the window: its whole path only where it lies outside
/// the folder that the program was started in, so that pictures of the window tell nothing of the
/// machine.
[[nodiscard]] std::string savedPlace(const std::filesystem::path& path);

/// Draws the dialogue while it is open.
void drawSaveDialog(const Context& context);

}  // namespace tilestep::ui
