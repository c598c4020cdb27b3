// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "base/result.h"
#include "model/files/saved.h"
#include "model/notice.h"
#include "ui/kit/context.h"

namespace tilestep::ui {

/// The file that keeps the window's state between runs (model/files/saved.h). Two windows may share
/// it: of what they show, that which is written last holds; the progress in lessons, labs and
/// exercises that the other one has made meanwhile is kept.
class SavedFile {
 public:
  /// `path` may be empty: then nothing is read or kept.
  explicit SavedFile(std::string path) : path_(std::move(path)) {}

  /// Reads the saved state; nothing where there is none. A damaged file is renamed, and notice()
  /// says what is wrong with it and where it is now.
  std::optional<model::Saved> load();
  [[nodiscard]] const std::optional<model::Notice>& notice() const { return notice_; }

  /// Writes the state atomically if it differs from the one written last. The first failure is
  /// returned; after it, nothing more is written. If another window keeps the file locked for half
  /// a second, nothing is written this time.
  Status keep(const model::Saved& saved);

 private:
  void setAside(const Error& error);
  [[nodiscard]] std::string merged(const model::Saved& saved) const;

  std::string path_;
  std::optional<model::Saved> last_;
  std::optional<model::Notice> notice_;
};

/// Adds the window's part of the saved state.
void addWindow(model::Saved& saved, const UiState& ui);
/// Its inverse, for a new window.
void restoreWindow(UiState& ui, const model::Saved& saved);

}  // namespace tilestep::ui
