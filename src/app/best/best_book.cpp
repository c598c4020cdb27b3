// SPDX-License-Identifier: Apache-2.0
#include "app/best/best_book.h"

#include <algorithm>

#include "base/files.h"
#include "base/hash.h"
#include "base/number_text.h"

namespace tilestep::app {

BestBook::BestBook(Owner owner)
    : owner_(std::move(owner)), columns_(lab::sweepColumns(owner_.spec, false)) {
  for (const char* name : {"local_bytes", "stage", "device_name", "code"})
    columns_.emplace_back(name);
  for (const auto& [name, value] : owner_.spec.sizes) names_.push_back(name);
  for (const compile::TunableSpec& tunable : owner_.spec.tunables) names_.push_back(tunable.name);
}

Result<BestBook> BestBook::open(const CsvWish& wish, Owner owner) {
  BestBook book(std::move(owner));
  if (wish.path.empty()) return book;
  std::vector<lab::SweepLine> lines;
  std::string text;
  if (wish.resume) {
    Result<std::string> found = textIfThere(wish.path);
    if (!found) return found.error();
    text = std::move(*found);
    Result<std::vector<lab::SweepLine>> read = book.read(wish.path, text);
    if (!read) return read.error();
    lines = std::move(*read);
    for (const lab::SweepLine& line : lines) book.lines_.insert_or_assign(book.keyOf(line), line);
  }
  Result<CsvFile> file = CsvFile::goOn(wish.path, book.columns_, lines, text);
  if (!file) return file.error();
  book.file_.emplace(std::move(*file));
  return book;
}

Result<std::vector<lab::SweepLine>> BestBook::read(const std::string& path,
                                                   std::string_view text) const {
  Result<std::vector<lab::SweepLine>> lines = lab::readSweepLines(path, text, columns_);
  if (!lines) return lines;
  for (const lab::SweepLine& line : *lines) {
    if (cell(line, "kernel") != owner_.spec.name || cell(line, "code") != hex64(owner_.code))
      return lab::otherSweep(path, "it belongs to another kernel, or the kernel has changed");
    if (cell(line, "device_name") != owner_.deviceName)
      return lab::otherSweep(path, "it was made on " + cell(line, "device_name") +
                                       ", and this is " + owner_.deviceName);
  }
  // Failed steps, such as those whose worker was lost, are repeated.
  std::erase_if(*lines, [&](const auto& line) { return cell(line, "status") == "failed"; });
  return lines;
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
  const auto at = lines_.find(key);
  return at == lines_.end() ? nullptr : &at->second;
}

lab::SweepLine BestBook::cellsOf(const std::string& stage, const lab::SweepRow& row) const {
  lab::SweepLine line = lab::sweepCells(columns_, row);
  const auto put = [&](const char* column, const std::string& text) {
    line[static_cast<size_t>(std::ranges::find(columns_, column) - columns_.begin())] = text;
  };
  if (row.result && row.result->localBytes)
    put("local_bytes", std::to_string(*row.result->localBytes));
  put("stage", stage);
  put("device_name", owner_.deviceName);
  put("code", hex64(owner_.code));
  return line;
}

void BestBook::add(const lab::SweepLine& line) {
  lines_.insert_or_assign(keyOf(line), line);
  if (file_) file_->add(line);
}

lab::TuneAnswer BestBook::answerOf(const lab::SweepLine& line) const {
  using Status = lab::SweepRow::Status;
  const std::string status = cell(line, "status");
  lab::TuneAnswer answer;
  answer.status = status == "ok"        ? Status::ok
                  : status == "skipped" ? Status::skipped
                  : status == "failed"  ? Status::failed
                                        : Status::wrong;
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
