// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "ui/kit/context.h"

namespace tilestep::ui {

/// Opens the dialogue that copies or saves a view; closes it if it is open. Initially it offers a
/// picture of the view in the middle of the window.
void toggleSaveDialog(UiState& ui, const model::Snapshot& now);
/// These choose another view, file kind or colours. A typed name changes only in its extension.
void stepSavedView(UiState& ui, const model::Snapshot& now, int by);
void chooseSavedView(UiState& ui, const model::Snapshot& now, std::string_view view);
void nextFileKind(UiState& ui, const model::Snapshot& now);
void chooseFileKind(UiState& ui, const model::Snapshot& now, SaveAs as);
void togglePrintColours(UiState& ui, const model::Snapshot& now);

/// Copies the chosen view to the clipboard as text and confirms this in a notice.
void copyView(UiState& ui, model::Session& session);
/// Saves the dialogue's choice: CSV, text and JSON at once, a picture or a report with the next
/// frame, steps by going through all of them. The file's extension determines the kind. An existing
/// file is replaced only on the second request; an existing folder is never replaced. An error is
/// shown below the field, and the dialogue stays open.
void saveView(UiState& ui, model::Session& session);

/// A name with the first number that is unused in the working folder: "tilestep-traffic-1.csv". A
/// folder's name has no extension.
[[nodiscard]] std::filesystem::path freeName(const std::string& what, const std::string& extension);

void drawSaveDialog(const Context& context);

}  // namespace tilestep::ui
