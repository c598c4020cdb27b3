// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <filesystem>
#include <string>

#include "base/descriptor.h"
#include "base/result.h"

namespace tilestep {

/// The right to read one file and to write it again, which one owner among all threads and
/// processes has at a time. Only those who ask for it are kept away. It is a lock of the system on
/// the file "NAME.lock" beside the file itself, because writeFileAtomically() replaces the latter;
/// it ends with the object, or with the process. Only who may write the file can hold it. For one
/// thread at a time.
class FileLock {
 public:
  /// Holds nothing.
  FileLock() = default;
  FileLock(FileLock&&) noexcept = default;
  FileLock& operator=(FileLock&& other) noexcept;
  ~FileLock();

  /// Takes the lock of `file`, and waits at most `patience` for it. A link is followed, so that two
  /// names of one file have one lock. Nothing is held, and nothing said, for a device or a pipe,
  /// and where the file's folder is not there. Errors of the request: somebody else still has it,
  /// who is named; something that is no empty file lies in the lock's place.
  static Result<FileLock> take(const std::filesystem::path& file,
                               std::chrono::milliseconds patience);

  [[nodiscard]] bool isHeld() const { return file_.isOpen(); }
  /// Why the file cannot be locked, and what may come of it, in a sentence without a full stop:
  /// where the file system has no locks, for example, the owner goes on without. Else empty.
  [[nodiscard]] const std::string& note() const { return note_; }

 private:
  void release();

  Descriptor file_;
  std::filesystem::path path_;
  std::string note_;
};

}  // namespace tilestep
