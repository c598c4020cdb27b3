// SPDX-License-Identifier: Apache-2.0
#include "model/files/pins_file.h"

#include <chrono>
#include <filesystem>
#include <utility>

#include "base/files.h"
#include "base/process/file_lock.h"
#include "model/files/damaged_file.h"

namespace tilestep::model {
namespace {

namespace fs = std::filesystem;

constexpr size_t kLongestPins = size_t{4} << 20;

/// Another window holds the lock only while it reads or writes a file.
constexpr std::chrono::seconds kLockPatience{2};

bool isThere(const std::string& path) {
  std::error_code failed;
  return fs::exists(fs::symlink_status(path, failed));
}

Result<Pins> readPins(const std::string& path) {
  const Result<std::string> text = readTextFile(path, kLongestPins);
  if (!text) return text.error();
  return parsePins(*text, path);
}

}  // namespace

PinsPointer PinsFile::load() {
  if (path_.empty() || !isThere(path_)) return nullptr;
  Result<Pins> pins = readPins(path_);
  if (pins) {
    settled_ = *pins;
    tried_ = std::make_shared<const Pins>(std::move(*pins));
    return tried_;
  }
  Notice notice{Notice::Kind::warning, "pins file", {}, placeText(pins.error()), {}};
  notice.text = "The pinned runs cannot be read: " + pins.error().message + ". ";
  const Result<fs::path> aside = setDamagedAside(path_);
  if (aside) {
    notice.text += "None are shown; the damaged file is kept as " + aside->string() + ".";
  } else {
    notice.text += aside.error().message + ", so nothing is saved this time.";
    path_.clear();
  }
  notice_ = std::move(notice);
  return nullptr;
}

Status PinsFile::write(const Pins& pins) {
  std::error_code failed;
  fs::create_directories(fs::path(path_).parent_path(), failed);
  const Result<FileLock> lock = FileLock::take(path_, kLockPatience);
  if (!lock) return lock.error();
  lockNote_ = lock->note();
  // If the file was damaged meanwhile, it is renamed. If there is no file, all of this window's
  // pins are kept, because no other window can have removed them.
  Pins merged = pins;
  if (isThere(path_)) {
    const Result<Pins> there = readPins(path_);
    if (there)
      merged = mergedPins(settled_, pins, *there);
    else
      static_cast<void>(setDamagedAside(path_).ok());
  }
  if (merged.pins.size() > kMostPins) {
    return requestError("together with the runs that another window has pinned in " + path_ +
                        ", there are " + std::to_string(merged.pins.size()) +
                        " pinned runs, but at most " + std::to_string(kMostPins) +
                        " can be kept: unpin some in either window");
  }
  const std::string text = toToml(merged);
  // A string that cannot be parsed must not replace the file.
  if (const Result<Pins> again = parsePins(text, path_); !again) return again.error();
  if (Status written = writeFileAtomically(path_, text); !written) return written;
  settled_ = pins;
  return {};
}

Status PinsFile::keep(const PinsPointer& pins) {
  if (path_.empty() || pins == tried_) return {};
  tried_ = pins;
  return write(pins ? *pins : Pins{});
}

}  // namespace tilestep::model
