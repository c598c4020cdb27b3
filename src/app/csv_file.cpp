// SPDX-License-Identifier: Apache-2.0
#include "app/csv_file.h"

#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>

#include "app/environment.h"
#include "base/cannot_write.h"
#include "base/files.h"

namespace tilestep::app {

Result<CsvFile> CsvFile::create(const std::string& path, const lab::SweepLine& columns) {
  CsvFile csv(path, columns);
  if (const Status opened = csv.open("w"); !opened) return opened.error();
  csv.add(columns);
  return csv;
}

Result<CsvFile> CsvFile::goOn(const std::string& path, const lab::SweepLine& columns,
                              const std::vector<lab::SweepLine>& lines, std::string_view text) {
  if (lines.empty()) return create(path, columns);
  CsvFile csv(path, columns);
  if (csv.textOf(lines) != text) {
    csv.replace(lines);
    if (!csv.written()) return csv.written().error();
    return csv;
  }
  if (const Status opened = csv.open("a"); !opened) return opened.error();
  return csv;
}

Status CsvFile::open(const char* mode) {
  if (path_.empty()) return {};
  file_.reset(std::fopen(path_.c_str(), mode));
  if (file_) return {};
  Error error = cannotWrite(path_, errno);
  if (error.kind == ErrorKind::request)
    error.message += "; name a writable file in a folder that exists";
  return error;
}

std::string CsvFile::textOf(const std::vector<lab::SweepLine>& lines) const {
  std::string text = lab::csvLine(columns_);
  for (const lab::SweepLine& line : lines) text += lab::csvLine(line);
  return text;
}

void CsvFile::add(const lab::SweepLine& cells) {
  if (!file_ || !written_) return;
  const std::string line = lab::csvLine(cells);
  const bool whole = std::fwrite(line.data(), 1, line.size(), file_.get()) == line.size();
  if (!whole || std::fflush(file_.get()) != 0)
    written_ = workError(path_ + " cannot be written: " + std::strerror(errno));
}

void CsvFile::replace(const std::vector<lab::SweepLine>& lines) {
  if (path_.empty() || !written_) return;
  file_.reset();
  written_ = writeFileAtomically(path_, textOf(lines));
  if (written_) written_ = open("a");
}

Status checkCsv(const CsvWish& wish) {
  if (wish.path.empty()) {
    if (wish.resume) return requestError("--resume continues a file: name it with --csv FILE");
    if (wish.force) return requestError("--force overwrites a file: name it with --csv FILE");
    return {};
  }
  std::error_code ignored;
  if (wish.resume || wish.force || !std::filesystem::is_regular_file(wish.path, ignored)) return {};
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

Result<std::string> textIfThere(const std::string& path) {
  std::error_code failure;
  if (!std::filesystem::exists(path, failure) && !failure) return std::string();
  return readTextFile(path);
}

}  // namespace tilestep::app
