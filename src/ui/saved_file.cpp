// SPDX-License-Identifier: Apache-2.0
#include "ui/saved_file.h"

#include <filesystem>
#include <utility>

#include "base/files.h"
#include "ui/looks.h"

namespace tilestep::ui {
namespace {

namespace fs = std::filesystem;

constexpr size_t kLongest = size_t{1} << 20;
constexpr int kMostDamaged = 99;

/// "window.damaged-1.toml", the first number that is free.
fs::path nameAside(const fs::path& path) {
  for (int i = 1; i < kMostDamaged; ++i) {
    fs::path aside = path;
    aside.replace_filename(path.stem().string() + ".damaged-" + std::to_string(i) +
                           path.extension().string());
    std::error_code failed;
    if (!fs::exists(fs::symlink_status(aside, failed))) return aside;
  }
  return path.string() + ".damaged";
}

std::optional<session::SavedCamera> cameraOf(const View& view) {
  if (!view.cameraMoved) return std::nullopt;
  return session::SavedCamera{view.camera.zoom(), view.camera.origin().x, view.camera.origin().y};
}

View viewOf(const std::optional<session::SavedCamera>& saved) {
  View view;
  if (!saved) return view;
  view.camera.zoomAt({0, 0}, saved->zoom);
  view.camera.pan(saved->x, saved->y);
  view.cameraMoved = true;
  return view;
}

}  // namespace

std::optional<session::Saved> SavedFile::load() {
  std::error_code failed;
  if (path_.empty() || !fs::exists(fs::symlink_status(path_, failed))) return std::nullopt;
  const tilestep::Result<std::string> text = readTextFile(path_, kLongest);
  if (!text) {
    setAside(text.error());
    return std::nullopt;
  }
  tilestep::Result<session::Saved> saved = session::parseSaved(*text, path_);
  if (!saved) {
    setAside(saved.error());
    return std::nullopt;
  }
  last_ = *saved;
  return std::move(*saved);
}

void SavedFile::setAside(const Error& error) {
  const fs::path aside = nameAside(path_);
  std::error_code failed;
  fs::rename(path_, aside, failed);
  session::Notice notice{session::Notice::Kind::warning, "saved", {}, {}, {}};
  notice.text = "What the window showed last cannot be read: " + error.message +
                ". The window opens as if it were new; ";
  if (failed) {
    notice.text +=
        path_ + " cannot be set aside (" + failed.message() + "), so nothing is kept this time.";
    path_.clear();
  } else {
    notice.text += "the damaged file is kept as " + aside.string() + ".";
  }
  if (error.where)
    notice.source = error.where->file + ":" + std::to_string(error.where->line) +
                    (error.sourceLine.empty() ? "" : "\n" + error.sourceLine);
  notice_ = std::move(notice);
}

Status SavedFile::keep(const session::Saved& saved) {
  if (path_.empty() || saved == last_) return {};
  last_ = saved;
  const Status written = writeFileAtomically(path_, session::toToml(saved));
  if (!written) path_.clear();
  return written;
}

void addWindow(session::Saved& saved, const UiState& ui) {
  saved.choice.looks = looksOf(ui);
  saved.presenting = ui.presenting;
  saved.deskCamera = cameraOf(ui.presenting ? ui.otherView : ui);
  saved.presentationCamera = cameraOf(ui.presenting ? ui : ui.otherView);
}

void restoreWindow(UiState& ui, const session::Saved& saved) {
  ui.presenting = saved.presenting;
  setLooks(ui, saved.choice.looks);
  static_cast<View&>(ui) = viewOf(ui.presenting ? saved.presentationCamera : saved.deskCamera);
  ui.otherView = viewOf(ui.presenting ? saved.deskCamera : saved.presentationCamera);
}

}  // namespace tilestep::ui
