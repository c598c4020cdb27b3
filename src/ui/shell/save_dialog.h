// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

#include "ui/kit/context.h"

namespace tilestep::ui {

/// Opens the dialogue that copies or saves a view; closes it when it is open.
void toggleSaveDialog(UiState& ui);
/// These choose another view or another kind of file. A name that was typed keeps all but its
/// extension.
void stepSavedView(UiState& ui, const model::Snapshot& now, int by);
void chooseSavedView(UiState& ui, std::string_view view);
void nextFileKind(UiState& ui);

/// Copies the chosen view to the clipboard as text, and says so in a notice.
void copyView(UiState& ui, model::Session& session);
/// Saves as the dialogue says: CSV, text and JSON at once, a picture or a report with the next
/// frame, a web page by going through the steps. The file's extension determines the kind. An
/// existing file is replaced only on the second request. An error is shown below the field, and the
/// dialogue stays open.
void saveView(UiState& ui, model::Session& session);

/// "tilestep-traffic-1.csv", with the first number that is free in the working folder.
[[nodiscard]] std::filesystem::path freeName(const std::string& what, const std::string& extension);

/// The text for a saved file's location. It is the full path only for files outside the folder that
/// the program was started in, so that screenshots reveal nothing about the machine.
[[nodiscard]] std::string savedPlace(const std::filesystem::path& path);

/// Draws the dialogue while it is open.
void drawSaveDialog(const Context& context);

}  // namespace tilestep::ui
