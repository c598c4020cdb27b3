// SPDX-License-Identifier: Apache-2.0
#include "grade/marks_file.h"

#include <utility>

#include "base/files.h"
#include "grade/results_csv.h"

namespace tilestep::grade {

Result<MarksFile> MarksFile::open(const std::string& path, std::vector<Row> rows, bool goesOn) {
  MarksFile file;
  file.path_ = path;
  file.rows_ = std::move(rows);
  if (path.empty()) return file;
  Result<std::string> text = textIfThere(path);
  if (!text && goesOn) return text.error();
  if (text) file.text_ = std::move(*text);
  if (!goesOn || file.text_->empty()) return file;
  Result<std::vector<Record>> records = readCsv(path, *file.text_, file.rows_);
  if (!records) return records.error();
  file.before_ = Ledger(std::move(*records));
  return file;
}

Status MarksFile::write(const Ledger& ledger) {
  if (path_.empty()) return {};
  std::string text = toCsv(ledger.records(), rows_);
  const Result<std::string> now = textIfThere(path_);
  if (!now && text_) return now.error();
  if (text_ && *now != *text_ && !now->empty()) {
    const std::string other = path_ + ".graded";
    if (Status written = writeFileAtomically(other, text); !written) return written;
    return requestError(path_ +
                        " was changed by another program and is not overwritten; "
                        "the grades are in " +
                        other);
  }
  Status written = writeFileAtomically(path_, text);
  if (written) text_ = std::move(text);
  return written;
}

}  // namespace tilestep::grade
