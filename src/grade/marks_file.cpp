// SPDX-License-Identifier: Apache-2.0
#include "grade/marks_file.h"

#include <filesystem>
#include <system_error>
#include <utility>

#include "base/files.h"
#include "grade/results_csv.h"

namespace tilestep::grade {
namespace {

/// Empty where there is no file.
Result<std::string> textAt(const std::string& path) {
  std::error_code failure;
  if (!std::filesystem::exists(path, failure) && !failure) return std::string();
  return readTextFile(path);
}

}  // namespace

Result<MarksFile> MarksFile::open(const std::string& path, std::vector<Row> rows, bool goesOn) {
  MarksFile file;
  file.path_ = path;
  file.rows_ = std::move(rows);
  if (path.empty()) return file;
  Result<std::string> text = textAt(path);
  if (!text) return text.error();
  file.text_ = std::move(*text);
  if (!goesOn || file.text_.empty()) return file;
  Result<std::vector<Record>> records = readCsv(path, file.text_, file.rows_);
  if (!records) return records.error();
  file.before_ = Ledger(std::move(*records));
  return file;
}

Status MarksFile::takeChanges(Ledger& ledger) {
  const Result<std::string> text = textAt(path_);
  if (!text) return text.error();
  if (*text == text_ || text->empty()) return {};
  const Result<std::vector<Record>> records = readCsv(path_, *text, rows_);
  if (!records)
    return requestError(
        "somebody changed the file meanwhile, so nothing is written to it until it "
        "is mended: " +
        records.error().message);
  ledger.takeByHand(Ledger(*records));
  return {};
}

Status MarksFile::write(Ledger& ledger) {
  if (path_.empty()) return {};
  if (Status taken = takeChanges(ledger); !taken) return taken;
  std::string text = toCsv(ledger.records(), rows_);
  Status written = writeFileAtomically(path_, text);
  if (written) text_ = std::move(text);
  return written;
}

}  // namespace tilestep::grade
