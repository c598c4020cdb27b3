// SPDX-License-Identifier: Apache-2.0
#include "app/csv_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <utility>

#include "app/environment.h"
#include "base/cannot_write.h"
#include "base/files.h"

namespace tilestep::app {
namespace {

namespace fs = std::filesystem;

Error noFile(const std::string& path) {
  return requestError(path + " is a folder, a pipe or a socket; name a file");
}

/// Accepts a device, such as /dev/null, instead of a file. A pipe is rejected, because opening it
/// would wait for its other end.
bool canHold(fs::file_type type) {
  return type == fs::file_type::regular || type == fs::file_type::character ||
         type == fs::file_type::not_found || type == fs::file_type::none;
}

/// False if the file was replaced, as spreadsheets and editors do when they save it.
bool isStillAt(const std::string& path, int file) {
  struct stat opened {
  }, there{};
  return ::fstat(file, &opened) == 0 && ::stat(path.c_str(), &there) == 0 &&
         opened.st_dev == there.st_dev && opened.st_ino == there.st_ino;
}

}  // namespace

Result<CsvFile> CsvFile::read(const CsvWish& wish, const lab::SweepLine& columns,
                              const Check& check) {
  CsvFile csv(wish.path, columns);
  if (!wish.resume) return csv;
  Result<std::string> text = textIfThere(wish.path);
  if (!text) return text.error();
  csv.found_ = std::move(*text);
  Result<std::vector<lab::SweepLine>> lines = lab::readSweepLines(wish.path, csv.found_, columns);
  if (!lines) return lines.error();
  if (const Status checked = check(*lines); !checked) return checked.error();
  csv.lines_ = std::move(*lines);
  return csv;
}

Status CsvFile::begin() {
  const std::string found = std::exchange(found_, {});
  if (lines_.empty()) {
    if (const Status opened = open(O_TRUNC); !opened) return opened;
    append(columns_);
    return {};
  }
  if (text() == found) return open(O_APPEND);
  rewrite();
  return written_;
}

Status CsvFile::open(int mode) {
  if (path_.empty()) return {};
  // Opening a pipe without a reader fails here instead of waiting.
  const int opened =
      ::open(path_.c_str(), O_WRONLY | O_CREAT | O_NONBLOCK | O_CLOEXEC | mode, 0666);
  if (opened < 0) {
    if (errno == ENXIO) return noFile(path_);
    Error error = cannotWrite(path_, errno);
    if (error.kind == ErrorKind::request)
      error.message += "; name a writable file in a folder that exists";
    return error;
  }
  struct stat about {};
  const bool isKnown = ::fstat(opened, &about) == 0;
  if (!isKnown || !(S_ISREG(about.st_mode) || S_ISCHR(about.st_mode))) {
    ::close(opened);
    return noFile(path_);
  }
  file_.reset(::fdopen(opened, mode == O_APPEND ? "a" : "w"));
  if (file_) return {};
  ::close(opened);
  return workError(path_ + " cannot be opened");
}

std::string CsvFile::text() const {
  std::string text = lab::sweepLineText(columns_);
  for (const lab::SweepLine& line : lines_) text += lab::sweepLineText(line);
  return text;
}

void CsvFile::put(size_t index, lab::SweepLine line) {
  if (index < lines_.size()) {
    lines_[index] = std::move(line);
    return rewrite();
  }
  lines_.push_back(std::move(line));
  append(lines_.back());
}

void CsvFile::append(const lab::SweepLine& line) {
  if (!file_ || !written_) return;
  if (!isStillAt(path_, fileno(file_.get()))) {
    written_ =
        workError(path_ +
                  " was removed or replaced by another program, so nothing more is written to it; "
                  "--resume continues with its present contents");
    return;
  }
  const std::string text = lab::sweepLineText(line);
  const bool whole = std::fwrite(text.data(), 1, text.size(), file_.get()) == text.size();
  if (!whole || std::fflush(file_.get()) != 0)
    written_ = workError(path_ + " cannot be written: " + std::strerror(errno));
}

void CsvFile::rewrite() {
  if (path_.empty() || !written_) return;
  file_.reset();
  written_ = writeFileAtomically(path_, text());
  if (written_) written_ = open(O_APPEND);
}

Status checkCsv(const CsvWish& wish) {
  if (wish.path.empty()) {
    if (wish.resume) return requestError("--resume continues a file: name it with --csv FILE");
    if (wish.force) return requestError("--force overwrites a file: name it with --csv FILE");
    return {};
  }
  std::error_code ignored;
  const fs::file_type type = fs::status(wish.path, ignored).type();
  if (!canHold(type)) return noFile(wish.path);
  if (wish.resume || wish.force || type != fs::file_type::regular) return {};
  return requestError(wish.path +
                      " already exists: continue it with --resume, overwrite it with --force, or "
                      "name another file");
}

Result<FileLock> claimCsv(const CsvWish& wish) {
  if (wish.path.empty()) return FileLock();
  Result<FileLock> lock = FileLock::take(wish.path, std::chrono::milliseconds(0));
  if (!lock) return lock;
  if (const Status may = checkCsv(wish); !may) return may.error();
  if (!lock->note().empty()) say("tilestep: " + lock->note());
  return lock;
}

}  // namespace tilestep::app
