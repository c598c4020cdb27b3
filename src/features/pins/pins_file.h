// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "model/choice/pins.h"
#include "model/notice.h"

namespace tilestep::model {

/// The file that keeps the pinned runs. It is written whole or not at all, at once when a pin
/// changes, so that a window that is killed at any moment loses nothing that was pinned. Two
/// windows may share it: what the other pinned meanwhile is kept.
class PinsFile {
 public:
  /// `path` may be empty: then nothing is read or kept.
  explicit PinsFile(std::string path) : path_(std::move(path)) {}

  /// What was kept; null where there is none. A damaged file is set aside, and notice() says what
  /// was wrong and where it is.
  PinsPointer load();
  [[nodiscard]] const std::optional<Notice>& notice() const { return notice_; }
  [[nodiscard]] bool keeps() const { return !path_.empty(); }

  /// Nothing to do where the pointer is the one that was kept last. After an Error the next change
  /// is tried again.
  Status keep(const PinsPointer& pins);

 private:
  Status write(const Pins& pins);

  std::string path_;
  PinsPointer last_;
  std::vector<uint64_t> known_;  ///< Of all pins that this window ever had.
  std::optional<Notice> notice_;
};

}  // namespace tilestep::model
