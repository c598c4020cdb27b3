// SPDX-License-Identifier: Apache-2.0
#include "ui/shell/saved_file.h"

#include <filesystem>
#include <utility>

#include "base/files.h"
#include "model/files/damaged_file.h"
#include "ui/shell/appearances.h"

namespace tilestep::ui {
namespace {

namespace fs = std::filesystem;

constexpr size_t kLongest = size_t{1} << 20;
std::optional<model::SavedCamera> cameraOf(const View& view) {
  if (!view.cameraMoved) return std::nullopt;
  return model::SavedCamera{view.camera.zoom(), view.camera.origin().x, view.camera.origin().y};
}

View viewOf(const std::optional<model::SavedCamera>& saved) {
  View view;
  if (!saved) return view;
  view.camera.zoomAt({0, 0}, saved->zoom);
  view.camera.pan(saved->x, saved->y);
  view.cameraMoved = true;
  return view;
}

}  // namespace

std::optional<model::Saved> SavedFile::load() {
  std::error_code failed;
  if (path_.empty() || !fs::exists(fs::symlink_status(path_, failed))) return std::nullopt;
  const Result<std::string> text = readTextFile(path_, kLongest);
  if (!text) {
    setAside(text.error());
    return std::nullopt;
  }
  Result<model::Saved> saved = model::parseSaved(*text, path_);
  if (!saved) {
    setAside(saved.error());
    return std::nullopt;
  }
  last_ = *saved;
  return std::move(*saved);
}

void SavedFile::setAside(const Error& error) {
  const Result<fs::path> aside = model::setDamagedAside(path_);
  model::Notice notice{model::Notice::Kind::warning, "saved", {}, model::placeText(error), {}};
  notice.text = "What the window showed last cannot be read: " + error.message +
                ". The window opens as if it were new; ";
  if (aside) {
    notice.text += "the damaged file is kept as " + aside->string() + ".";
  } else {
    notice.text += aside.error().message + ", so nothing is kept this time.";
    path_.clear();
  }
  notice_ = std::move(notice);
}

Status SavedFile::keep(const model::Saved& saved) {
  if (path_.empty() || saved == last_) return {};
  last_ = saved;
  const Status written = writeFileAtomically(path_, model::toToml(saved));
  if (!written) path_.clear();
  return written;
}

void addWindow(model::Saved& saved, const UiState& ui) {
  saved.choice.looks = looksOf(ui);
  saved.presenting = ui.presenting;
  saved.deskCamera = cameraOf(ui.presenting ? ui.otherView : ui);
  saved.presentationCamera = cameraOf(ui.presenting ? ui : ui.otherView);
}

void restoreWindow(UiState& ui, const model::Saved& saved) {
  ui.presenting = saved.presenting;
  setLooks(ui, saved.choice.looks);
  static_cast<View&>(ui) = viewOf(ui.presenting ? saved.presentationCamera : saved.deskCamera);
  ui.otherView = viewOf(ui.presenting ? saved.deskCamera : saved.presentationCamera);
}

}  // namespace tilestep::ui
