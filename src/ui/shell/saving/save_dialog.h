// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "ui/kit/context.h"

namespace tilestep::ui {

/// Opens the dialogue that copies or saves a view; closes it when it is open. It begins with a
/// picture of the view in the middle of the window.
void toggleSaveDialog(UiState& ui, const model::Snapshot& now);
/// These choose another view, another kind of file or other colours. A name that was typed keeps
/// all but its extension.
void stepSavedView(UiState& ui, const model::Snapshot& now, int by);
void chooseSavedView(UiState& ui, const model::Snapshot& now, std::string_view view);
void nextFileKind(UiState& ui, const model::Snapshot& now);
void chooseFileKind(UiState& ui, const model::Snapshot& now, SaveAs as);
void togglePrintColours(UiState& ui, const model::Snapshot& now);

/// Copies the chosen view to the clipboard as text, and says so in a notice.
void copyView(UiState& ui, model::Session& session);
/// Saves as the dialogue says: CSV, text and JSON at once, a picture or a report with the next
/// frame, all steps by going through them. The file's extension determines the kind. An existing
/// file is replaced only on the second request, and a folder never. An error is shown below the
/// field, and the dialogue stays open.
void saveView(UiState& ui, model::Session& session);

/// "tilestep-traffic-1.csv", with the first number that is free in the working folder. A folder has
/// no extension.
[[nodiscard]] std::filesystem::path freeName(const std::string& what, const std::string& extension);

/// Draws the dialogue while it is open.
void drawSaveDialog(const Context& context);

}  // namespace tilestep::ui
