// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "base/result.h"
#include "model/choice/pins.h"
#include "model/notice.h"

namespace tilestep::model {

/// The file that keeps the pinned runs. It is written atomically as soon as a pin changes, so that
/// no pin is lost if the window is killed. Two windows may share it. Each window writes only its
/// own changes since it last read or wrote the file, and so preserves the other's changes. A window
/// shows the other's changes only after its next start.
class PinsFile {
 public:
  /// If `path` is empty, nothing is read or kept.
  explicit PinsFile(std::string path) : path_(std::move(path)) {}

  /// Reads the pins; null if there are none. A damaged file is renamed, and notice() reports the
  /// damage and the new name.
  PinsPointer load();
  [[nodiscard]] const std::optional<Notice>& notice() const { return notice_; }
  /// The reason why the file could not be locked when it was last written (FileLock::note()); empty
  /// if it could.
  [[nodiscard]] const std::string& lockNote() const { return lockNote_; }
  [[nodiscard]] bool keeps() const { return !path_.empty(); }

  /// Writes the pins, unless the pointer is the last one written. Waits at most two seconds for
  /// another window to finish writing. After an error, the next change is written again.
  Status keep(const PinsPointer& pins);

 private:
  Status write(const Pins& pins);

  std::string path_;
  PinsPointer tried_;  ///< The last argument of keep(), or the last result of load().
  /// This window's pins when it last read or wrote the file. The file may have contained others.
  Pins settled_;
  std::optional<Notice> notice_;
  std::string lockNote_;
};

}  // namespace tilestep::model
