// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <filesystem>
#include <string>

#include "base/descriptor.h"
#include "base/result.h"

namespace tilestep {

/// An advisory lock for reading and rewriting one file. At most one owner among all threads and
/// processes holds it at a time. It is an flock on "NAME.lock" beside the file, because
/// writeFileAtomically() replaces the file itself. The lock ends with the object or the process.
/// Only users who may write the file can hold the lock. Not thread-safe.
class FileLock {
 public:
  /// Holds nothing.
  FileLock() = default;
  FileLock(FileLock&&) noexcept = default;
  FileLock& operator=(FileLock&& other) noexcept;
  ~FileLock();

  /// Takes the lock of `file`, and waits at most `patience` for it. Symbolic links are followed, so
  /// that a file and a link to it have the same lock. For a device, a pipe or a file in a missing
  /// folder, returns a FileLock that holds nothing and has no note. Fails with a request error if
  /// another process holds the lock (the error names it), or if "NAME.lock" is not an empty file.
  static Result<FileLock> take(const std::filesystem::path& file,
                               std::chrono::milliseconds patience);

  [[nodiscard]] bool isHeld() const { return file_.isOpen(); }
  /// If the file cannot be locked, for example on a file system without locks, a sentence without a
  /// full stop that gives the reason and the consequence. Otherwise empty.
  [[nodiscard]] const std::string& note() const { return note_; }

 private:
  void release();

  Descriptor file_;
  std::filesystem::path path_;
  std::string note_;
};

}  // namespace tilestep
