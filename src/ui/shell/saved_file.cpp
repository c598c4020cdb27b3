// SPDX-License-Identifier: Apache-2.0
#include "ui/shell/saved_file.h"

#include <chrono>
#include <filesystem>
#include <map>
#include <string>
#include <utility>

#include "base/files.h"
#include "base/process/file_lock.h"
#include "model/files/damaged_file.h"
#include "ui/shell/appearances.h"

namespace tilestep::ui {
namespace {

namespace fs = std::filesystem;

constexpr size_t kLongest = size_t{1} << 20;
/// Other windows hold the lock only while they read and write the file.
constexpr std::chrono::milliseconds kLockPatience{500};

std::optional<model::SavedCamera> cameraOf(const CameraState& view) {
  if (!view.cameraMoved) return std::nullopt;
  return model::SavedCamera{view.camera.zoom(), view.camera.origin().x, view.camera.origin().y};
}

CameraState viewOf(const std::optional<model::SavedCamera>& saved) {
  CameraState view;
  if (!saved) return view;
  view.camera.zoomAt({0, 0}, saved->zoom);
  view.camera.pan(saved->x, saved->y);
  view.cameraMoved = true;
  return view;
}

bool isThere(const std::string& path) {
  std::error_code failed;
  return fs::exists(fs::symlink_status(path, failed));
}

/// If both windows changed a number, this window's value is kept.
void combine(double& /*ours*/, double /*before*/, double /*there*/) {}

/// An exercise that was passed in either window stays passed.
void combine(bool& ours, bool /*before*/, bool there) {
  ours = ours || there;
}

void combine(model::LessonProgress& ours, const model::LessonProgress& before,
             const model::LessonProgress& there);

/// Takes entries from `there` that `ours` has not changed since `before`, and combines those that
/// both changed.
template <class Value>
void takeOthers(std::map<std::string, Value>& ours, const std::map<std::string, Value>& before,
                const std::map<std::string, Value>& there) {
  const auto valueIn = [](const auto& map, const std::string& name) {
    const auto at = map.find(name);
    return at == map.end() ? nullptr : &at->second;
  };
  for (const auto& [name, value] : there) {
    const Value *now = valueIn(ours, name), *old = valueIn(before, name);
    const bool isUnchanged = now == nullptr || old == nullptr ? now == old : *now == *old;
    if (isUnchanged)
      ours.insert_or_assign(name, value);
    else if (now != nullptr)
      combine(ours.at(name), old == nullptr ? Value{} : *old, value);
  }
}

/// The step is this window's; a lesson finished in either window stays finished.
void combine(model::LessonProgress& ours, const model::LessonProgress& before,
             const model::LessonProgress& there) {
  ours.finished = ours.finished || there.finished;
  for (const auto& [step, right] : there.answers)
    if (!before.answers.contains(step)) ours.answers.try_emplace(step, right);
}

/// This window's state with the progress of all windows.
model::Saved withOthersProgress(model::Saved ours, const model::Place& before,
                                const model::Place& there) {
  takeOthers(ours.place.lessons, before.lessons, there.lessons);
  takeOthers(ours.place.predictions, before.predictions, there.predictions);
  takeOthers(ours.place.exercises, before.exercises, there.exercises);
  return ours;
}

/// The state as text that can be read back. If that is impossible, for example because a lesson or
/// a command line requested unbounded sizes, only the appearance and the progress are kept. Empty
/// if these cannot be read back either.
std::string readableText(const model::Saved& saved, const std::string& path) {
  std::string text = model::toToml(saved);
  if (model::parseSaved(text, path)) return text;
  model::Saved progress;
  progress.choice.looks = saved.choice.looks;
  progress.presenting = saved.presenting;
  progress.width = saved.width;
  progress.height = saved.height;
  progress.place.lessons = saved.place.lessons;
  progress.place.predictions = saved.place.predictions;
  progress.place.exercises = saved.place.exercises;
  text = model::toToml(progress);
  return model::parseSaved(text, path) ? text : std::string();
}

Error tooMuch(const std::string& path) {
  return workError(
      "what this window shows and the progress in lessons are no longer kept, because " + path +
      " would become too large: remove from it the lessons that you no longer need");
}

}  // namespace

std::optional<model::Saved> SavedFile::load() {
  if (path_.empty() || !isThere(path_)) return std::nullopt;
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
  notice.text = "The window's saved state cannot be read: " + error.message +
                ". The window opens with its defaults; ";
  if (aside) {
    notice.text += "the damaged file is kept as " + aside->string() + ".";
  } else {
    notice.text += aside.error().message + ", so nothing is saved this time.";
    path_.clear();
  }
  notice_ = std::move(notice);
}

Status SavedFile::keep(const model::Saved& saved) {
  if (path_.empty() || saved == last_) return {};
  std::error_code failed;
  fs::create_directories(fs::path(path_).parent_path(), failed);  // For the lock file.
  const Result<FileLock> lock = FileLock::take(path_, kLockPatience);
  if (!lock) return {};
  const std::string text = merged(saved);
  const Status written = text.empty() ? Status(tooMuch(path_)) : writeFileAtomically(path_, text);
  last_ = saved;
  if (!written) path_.clear();
  return written;
}

std::string SavedFile::merged(const model::Saved& saved) const {
  if (!isThere(path_)) return readableText(saved, path_);
  const Result<std::string> there = readTextFile(path_, kLongest);
  const Result<model::Saved> others =
      there ? model::parseSaved(*there, path_) : Result<model::Saved>(there.error());
  if (!others) {
    // The file was damaged meanwhile.
    static_cast<void>(model::setDamagedAside(path_).ok());
    return readableText(saved, path_);
  }
  const model::Place before = last_ ? last_->place : model::Place{};
  return readableText(withOthersProgress(saved, before, others->place), path_);
}

void addWindow(model::Saved& saved, const UiState& ui) {
  saved.choice.looks = looksOf(ui);
  saved.presenting = ui.presenting;
  saved.deskCamera = cameraOf(ui.presenting ? ui.otherCamera : ui);
  saved.presentationCamera = cameraOf(ui.presenting ? ui : ui.otherCamera);
}

void restoreWindow(UiState& ui, const model::Saved& saved) {
  ui.presenting = saved.presenting;
  setLooks(ui, saved.choice.looks);
  static_cast<CameraState&>(ui) =
      viewOf(ui.presenting ? saved.presentationCamera : saved.deskCamera);
  ui.otherCamera = viewOf(ui.presenting ? saved.deskCamera : saved.presentationCamera);
}

}  // namespace tilestep::ui
