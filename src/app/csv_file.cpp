// SPDX-License-Identifier: Apache-2.0
#include "app/csv_file.h"

#include <filesystem>

#include "base/files.h"

namespace tilestep::app {

Result<CsvFile> CsvFile::create(const std::string& path, const lab::SweepLine& columns) {
  std::FILE* file = path.empty() ? nullptr : std::fopen(path.c_str(), "w");
  if (!path.empty() && !file) {
    return requestError("cannot write " + path + "; name a file in a folder that exists");
  }
  CsvFile csv(file);
  csv.add(columns);
  return csv;
}

Result<CsvFile> CsvFile::goOn(const std::string& path, const lab::SweepLine& columns,
                              const lab::SweepSoFar& soFar) {
  if (soFar.bytes == 0) return create(path, columns);
  std::error_code failure;
  std::filesystem::resize_file(path, soFar.bytes, failure);
  std::FILE* file = failure ? nullptr : std::fopen(path.c_str(), "a");
  if (!file) return requestError("cannot write " + path + "; allow writing to it");
  return CsvFile(file);
}

void CsvFile::add(const lab::SweepLine& cells) {
  if (!file_) return;
  const std::string line = lab::csvLine(cells);
  const bool written = std::fwrite(line.data(), 1, line.size(), file_.get()) == line.size();
  if (!written || std::fflush(file_.get()) != 0) failed_ = true;
}

Result<std::string> textIfThere(const std::string& path) {
  std::error_code failure;
  if (!std::filesystem::exists(path, failure) && !failure) return std::string();
  return readTextFile(path);
}

}  // namespace tilestep::app
