// SPDX-License-Identifier: Apache-2.0
#include "grade/ledger.h"

#include <algorithm>
#include <utility>

namespace tilestep::grade {

Result<std::optional<uint64_t>> Ledger::seed() const {
  if (records_.empty()) return std::optional<uint64_t>();
  const uint64_t first = records_.front().seed;
  for (const Record& record : records_)
    if (record.seed != first)
      return requestError("the file holds grades with the hidden seeds " + std::to_string(first) +
                          " and " + std::to_string(record.seed) +
                          "; grades of one class share one seed, so grade all again with --force");
  return std::optional(first);
}

Status Ledger::checkRules(const std::string& rules) const {
  const auto hasOther = [&](const Record& record) { return record.rules != rules; };
  if (std::ranges::none_of(records_, hasOther)) return {};
  return requestError(
      "the file holds grades by other rules: the spec, the solution or the launches have changed "
      "since; grade all again with --force, or restore the former spec");
}

bool Ledger::settles(const Record& wanted) const {
  const Record* record = find(wanted.grade.id);
  if (record == nullptr) return false;
  if (record->grade.hash != wanted.grade.hash) return false;
  const Verdict verdict = record->grade.verdict;
  const bool final =
      verdict == Verdict::right || verdict == Verdict::wrong || verdict == Verdict::refused;
  return final && !wanted.grade.hash.empty() && record->seed == wanted.seed &&
         record->rules == wanted.rules && record->version == wanted.version;
}

void Ledger::put(Record record) {
  const auto at = std::ranges::find_if(
      records_, [&](const Record& other) { return other.grade.id == record.grade.id; });
  if (at == records_.end())
    records_.push_back(std::move(record));
  else
    *at = std::move(record);
}

void Ledger::mark(const HandMarks& marks) {
  for (Record& record : records_) record.grade.byHand = marks.of(record.grade);
}

void Ledger::recall(const FoundBefore& found) {
  for (Record& record : records_) record.grade.troubles = found.of(record.grade);
}

std::optional<std::string> Ledger::rename(const std::string& file, const std::string& id,
                                          const std::set<std::string>& ids) {
  if (find(id) != nullptr) return std::nullopt;
  const auto at = std::ranges::find_if(records_, [&](const Record& record) {
    return record.grade.file == file && !ids.contains(record.grade.id);
  });
  if (at == records_.end()) return std::nullopt;
  return std::exchange(at->grade.id, id);
}

std::vector<Grade> Ledger::grades() const {
  std::vector<Grade> all;
  for (const Record& record : records_) all.push_back(record.grade);
  return all;
}

const Record* Ledger::find(const std::string& id) const {
  const auto at =
      std::ranges::find_if(records_, [&](const Record& record) { return record.grade.id == id; });
  return at == records_.end() ? nullptr : &*at;
}

}  // namespace tilestep::grade
