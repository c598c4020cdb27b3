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
/// it: the last one to write determines what is shown, and progress that the other has made in
/// lessons, labs and exercises is kept.
class SavedFile {
 public:
  /// If `path` is empty, nothing is read or kept.
  explicit SavedFile(std::string path) : path_(std::move(path)) {}

  /// Reads the saved state; nullopt if there is none. A damaged file is renamed, and notice()
  /// reports the damage and the new name.
  std::optional<model::Saved> load();
  [[nodiscard]] const std::optional<model::Notice>& notice() const { return notice_; }

  /// Writes the state atomically if it differs from the last one written. Returns the first
  /// failure, after which nothing more is written. If another window holds the lock for half a
  /// second, this write is skipped.
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
