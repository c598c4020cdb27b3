// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "base/result.h"
#include "session/notice.h"
#include "session/saved.h"
#include "ui/context.h"

namespace tilestep::ui {

/// The file that keeps what the window shows between runs (session/saved.h).
class SavedFile {
 public:
  /// `path` may be empty: then nothing is read or kept.
  explicit SavedFile(std::string path) : path_(std::move(path)) {}

  /// What was kept; nothing where there is none. A damaged file is renamed, so that it is kept and
  /// no longer in the way, and notice() says what was wrong and where it is.
  std::optional<session::Saved> load();
  [[nodiscard]] const std::optional<session::Notice>& notice() const { return notice_; }

  /// Writes it whole or not at all, where it differs from what was written last. The first failure
  /// is an Error and ends the attempts.
  Status keep(const session::Saved& saved);

 private:
  void setAside(const Error& error);

  std::string path_;
  std::optional<session::Saved> last_;
  std::optional<session::Notice> notice_;
};

/// The window's part of what is kept.
void addWindow(session::Saved& saved, const UiState& ui);
/// Its inverse, for a new window.
void restoreWindow(UiState& ui, const session::Saved& saved);

}  // namespace tilestep::ui
