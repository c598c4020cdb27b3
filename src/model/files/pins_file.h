// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "base/result.h"
#include "model/choice/pins.h"
#include "model/notice.h"

namespace tilestep::model {

/// The file that keeps the pinned runs. It is written atomically as soon as a pin changes, so that
/// no pin is lost if the window is killed. Two windows may share it: only what has changed in this
/// one since it last read or wrote is changed in the file, so that what the other one has pinned,
/// renamed or let go meanwhile stays so. A window does not show what the other one did until its
/// next start.
class PinsFile {
 public:
  /// `path` may be empty: then nothing is read or kept.
  explicit PinsFile(std::string path) : path_(std::move(path)) {}

  /// Reads the pins; null where there are none. A damaged file is set aside, and notice() says what
  /// is wrong with it and where it is now.
  PinsPointer load();
  [[nodiscard]] const std::optional<Notice>& notice() const { return notice_; }
  /// Why the file could not be locked when it was last written (FileLock::note()); else empty.
  [[nodiscard]] const std::string& lockNote() const { return lockNote_; }
  [[nodiscard]] bool keeps() const { return !path_.empty(); }

  /// Writes the pins, unless the pointer is the one that was written last. It waits at most two
  /// seconds for another window that writes them. After an error, the next change is written again.
  Status keep(const PinsPointer& pins);

 private:
  Status write(const Pins& pins);

  std::string path_;
  PinsPointer tried_;  ///< The last argument of keep(), or the last result of load().
  /// This window's pins when it last read or wrote the file. The file may have held others then.
  Pins settled_;
  std::optional<Notice> notice_;
  std::string lockNote_;
};

}  // namespace tilestep::model
