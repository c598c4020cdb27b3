// SPDX-License-Identifier: Apache-2.0
#include "app/best/best_book.h"

#include <algorithm>

#include "base/hash.h"
#include "base/number_text.h"

namespace tilestep::app {

Result<BestBook> BestBook::open(const CsvWish& wish, const Owner& owner) {
  std::vector<std::string> columns = lab::sweepColumns(owner.spec, false);
  for (const char* name : {"local_bytes", "stage", "device_name", "code"})
    columns.emplace_back(name);
  const auto indexOf = [&](const std::string& name) {
    return static_cast<size_t>(std::ranges::find(columns, name) - columns.begin());
  };
  lab::SweepLine same(columns.size());
  same[indexOf("kernel")] = owner.spec.name;
  same[indexOf("device_name")] = owner.deviceName;
  same[indexOf("code")] = hex64(owner.code);
  Result<CsvFile> file =
      CsvFile::read(wish, columns, [&](std::vector<lab::SweepLine>& lines) -> Status {
        for (size_t i = 0; i < lines.size(); ++i)
          if (const Status of = lab::checkLine(wish.path, i, columns, lines[i], same); !of)
            return of;
        // Failed steps, such as those whose worker was lost, are repeated.
        std::erase_if(lines, [&](const auto& line) { return line[indexOf("status")] == "failed"; });
        return {};
      });
  if (!file) return file.error();
  if (const Status begun = file->begin(); !begun) return begun.error();
  BestBook book(std::move(*file), std::move(columns), std::move(same));
  for (const auto& [name, value] : owner.spec.sizes) book.names_.push_back(name);
  for (const auto& tunable : owner.spec.tunables) book.names_.push_back(tunable.name);
  for (size_t i = 0; i < book.file_.lines().size(); ++i)
    book.indices_.insert_or_assign(book.keyOf(book.file_.lines()[i]), i);
  return book;
}

std::string BestBook::cell(const lab::SweepLine& line, const std::string& column) const {
  const auto at = std::ranges::find(columns_, column);
  return at == columns_.end() ? std::string() : line[static_cast<size_t>(at - columns_.begin())];
}

std::string BestBook::keyOf(const lab::SweepLine& line) const {
  std::string key = cell(line, "stage");
  for (const std::string& name : names_) key += "," + cell(line, name);
  return key;
}

const lab::SweepLine* BestBook::find(const std::string& stage, const compile::Bindings& sizes,
                                     const compile::Bindings& tunables) const {
  std::string key = stage;
  for (const std::string& name : names_) {
    const auto size = sizes.find(name);
    key += "," + std::to_string(size != sizes.end() ? size->second : tunables.at(name));
  }
  const auto at = indices_.find(key);
  return at == indices_.end() ? nullptr : &file_.lines()[at->second];
}

void BestBook::add(const std::string& stage, const lab::SweepRow& row) {
  lab::SweepLine line = lab::sweepCells(columns_, row);
  for (size_t i = 0; i < line.size(); ++i) {
    if (!same_[i].empty()) line[i] = same_[i];
    if (columns_[i] == "stage") line[i] = stage;
  }
  indices_.insert_or_assign(keyOf(line), file_.lines().size());
  file_.add(std::move(line));
}

lab::TuneAnswer BestBook::answerOf(const lab::SweepLine& line) const {
  const auto* status = std::ranges::find(lab::kSweepStatus, cell(line, "status"));
  lab::TuneAnswer answer;
  answer.status = static_cast<lab::SweepRow::Status>(status - lab::kSweepStatus.begin());
  answer.reason = cell(line, "reason");
  answer.ms = numberIn<double>(cell(line, "median_ms"));
  answer.checked = cell(line, "stage") == "check";
  const auto registers = numberIn<uint32_t>(cell(line, "registers")),
             local = numberIn<uint32_t>(cell(line, "local_bytes"));
  if (registers && local)
    answer.code = lab::MachineCode{*registers, *local,
                                   numberIn<uint32_t>(cell(line, "shared_bytes")).value_or(0)};
  return answer;
}

}  // namespace tilestep::app
