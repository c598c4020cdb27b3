// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "base/result.h"
#include "model/files/saved.h"
#include "model/notice.h"
#include "ui/kit/context.h"

namespace tilestep::ui {

/// The file that keeps what the window shows between runs (model/files/saved.h).
class SavedFile {
 public:
  /// `path` may be empty: then nothing is read or kept.
  explicit SavedFile(std::string path) : path_(std::move(path)) {}

  /// What was kept; nothing where there is none. A damaged file is renamed, so that it is kept and
  /// no longer in the way, and notice() says what was wrong and where it is.
  std::optional<model::Saved> load();
  [[nodiscard]] const std::optional<model::Notice>& notice() const { return notice_; }

  /// Writes it whole or not at all, where it differs from what was written last. The first failure
  /// is an Error and ends the attempts.
  Status keep(const model::Saved& saved);

 private:
  void setAside(const Error& error);

  std::string path_;
  std::optional<model::Saved> last_;
  std::optional<model::Notice> notice_;
};

/// The window's part of what is kept.
void addWindow(model::Saved& saved, const UiState& ui);
/// Its inverse, for a new window.
void restoreWindow(UiState& ui, const model::Saved& saved);

}  // namespace tilestep::ui
