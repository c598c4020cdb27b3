// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <filesystem>
#include <string>

#include "base/descriptor.h"
#include "base/result.h"

namespace tilestep {

/// An advisory lock for reading and rewriting one file, which one owner among all threads and
/// processes holds at a time. It is an flock on the file
/// "NAME.lock" beside the file itself, because writeFileAtomically() replaces the latter;
/// it ends with the object, or with the process. Only users who may write the file can hold it. For
/// one thread at a time.
class FileLock {
 public:
  /// Holds nothing.
  FileLock() = default;
  FileLock(FileLock&&) noexcept = default;
  FileLock& operator=(FileLock&& other) noexcept;
  ~FileLock();

  /// Takes the lock of `file`, and waits at most `patience` for it. A link is followed, so that two
  /// names of one file have one lock. A device, a pipe and a file in a missing folder have no lock
  /// and no note. Errors of the request: another process, which is named, still holds it;
  /// something other than an empty file is in the lock's place.
  static Result<FileLock> take(const std::filesystem::path& file,
                               std::chrono::milliseconds patience);

  [[nodiscard]] bool isHeld() const { return file_.isOpen(); }
  /// Why the file cannot be locked, for example on a file system without locks, and the
  /// consequence, in a sentence without a full stop. Otherwise empty.
  [[nodiscard]] const std::string& note() const { return note_; }

 private:
  void release();

  Descriptor file_;
  std::filesystem::path path_;
  std::string note_;
};

}  // namespace tilestep
