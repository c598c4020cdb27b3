// SPDX-License-Identifier: Apache-2.0
#include "lab/agreement.h"

#include <algorithm>

#include "lab/figures.h"
#include "metrics/timeline.h"

namespace tilestep::lab {
namespace {

using Relation = AgreementRow::Relation;
using Match = AgreementRow::Match;

/// A bound comes from a model of the machine, so a value may exceed it by this share.
constexpr double kBoundSlack = 0.005;
const std::string kArbitration =
    "the hardware's count also includes passes of arbitration between warps";

Match matchOf(const AgreementRow& row) {
  if (row.relation == Relation::equal) {
    std::vector<double> known;
    for (const auto& value : {row.predicted, row.counted, row.hardware}) {
      if (value) known.push_back(*value);
    }
    if (known.size() < 2) return Match::unknown;
    return std::ranges::all_of(known, [&](double value) { return value == known.front(); })
               ? Match::same
               : Match::differs;
  }
  if (!row.predicted || !row.hardware) return Match::unknown;
  const bool holds = row.relation == Relation::atLeast
                         ? *row.hardware >= *row.predicted * (1 - kBoundSlack)
                         : *row.hardware <= *row.predicted * (1 + kBoundSlack);
  return holds ? Match::within : Match::differs;
}

/// The multiply-adds of a matrix product; nothing if the plan is no matrix product.
std::optional<double> multiplyAdds(const compile::Plan& plan) {
  double product = 2;
  for (const char* name : {"m", "n", "k"}) {
    const auto size = plan.sizes.find(name);
    if (size == plan.sizes.end()) return std::nullopt;
    product *= static_cast<double>(size->second);
  }
  if (product <= 0 || product != plan.operations) return std::nullopt;
  return product / 2;
}

class Rows {
 public:
  explicit Rows(const RunResult& result)
      : hardware_(result.hardware), uncertain_(result.uncertain) {
    if (result.counters) counts_ = namedCounts(result.counters->total);
  }

  /// `note` explains a difference. It is dropped if the values match.
  void add(AgreementRow row, const std::string& note) {
    for (const NamedCount& count : counts_) {
      if (count.name == row.name) row.counted = static_cast<double>(count.value);
    }
    const device::HardwareFigure* figure = hardware_ ? hardware_->find(row.name) : nullptr;
    if (figure != nullptr) {
      row.hardware = figure->value;
      row.metric = figure->metric;
    }
    if (!row.predicted && !row.counted && !row.hardware) return;
    row.match = matchOf(row);
    if (row.match == Match::differs) row.note = note;
    rows_.push_back(std::move(row));
  }
  /// `fewer` is the note if the hardware counts fewer than the PTX, `more` if it counts more.
  void addCount(const char* name, const std::string& fewer, const std::string& more) {
    AgreementRow row;
    row.name = name;
    add(std::move(row), more);
    if (rows_.empty() || rows_.back().name != name || rows_.back().note.empty()) return;
    if (*rows_.back().hardware < *rows_.back().counted) rows_.back().note = fewer;
    std::string why;
    for (const UncertainCounts& counts : uncertain_) {
      if (std::ranges::find(counts.counters, name) != counts.counters.end())
        why += (why.empty() ? "" : " ") + whyText(counts);
    }
    if (!why.empty()) rows_.back().note = why;
  }
  std::vector<AgreementRow> take() { return std::move(rows_); }

 private:
  const std::optional<device::HardwareCounters>& hardware_;
  const std::vector<UncertainCounts>& uncertain_;
  std::vector<NamedCount> counts_;
  std::vector<AgreementRow> rows_;
};

void addMultiplyAdds(Rows& rows, const RunResult& result) {
  AgreementRow row;
  row.name = "ffma";
  row.predicted = multiplyAdds(result.plan);
  if (row.predicted) row.prediction = "m * n * k";
  rows.add(std::move(row), "threads outside the matrices and tiles past their edges multiply too");
}

void addOccupancy(Rows& rows, const RunResult& result) {
  AgreementRow row;
  row.name = "achieved_occupancy";
  row.unit = Unit::ratio;
  row.relation = Relation::atMost;
  if (result.timeline) row.counted = metrics::achievedOccupancy(*result.timeline);
  // Without the machine code's registers, the register limit is unknown.
  const auto occupancy = occupancyOf(result.device, result);
  if (occupancy && result.registers) {
    row.predicted = occupancy->ratio();
    row.prediction = "resident warps / maximum warps per multiprocessor";
  }
  rows.add(std::move(row), "more warps than the limits of the first launch allow");
}

void addDramReads(Rows& rows, const RunResult& result) {
  AgreementRow row;
  row.name = "dram_bytes_read";
  row.unit = Unit::bytes;
  row.relation = Relation::atLeast;
  if (const uint64_t bytes = compulsoryReadBytesOf(result.plan); bytes > 0) {
    row.predicted = static_cast<double>(bytes);
    row.prediction = "each input read once";
  }
  rows.add(std::move(row), "less than each input once: parts were not read, or were already in L2");
}

}  // namespace

std::optional<double> AgreementRow::factor() const {
  if (relation == Relation::equal || !predicted || !hardware || *predicted <= 0) return {};
  return *hardware / *predicted;
}

std::vector<AgreementRow> compare(const RunResult& result) {
  const std::string merged =
      "ptxas merges or predicates accesses, so the machine code's accesses differ from the PTX's";
  const std::string widened =
      "by design: ptxas widens shared accesses (LDS.64, LDS.128), so the machine code has fewer "
      "than the PTX";
  const std::string copies = "; the hardware's stores exclude asynchronous copies (cp.async)";
  Rows rows(result);
  for (const char* name : {"global_load_requests", "global_load_sectors", "global_store_requests",
                           "global_store_sectors"}) {
    rows.addCount(name, merged, merged);
  }
  rows.addCount("shared_load_wavefronts", widened,
                kArbitration + ", and reads of 16 bytes per lane take at least two wavefronts");
  rows.addCount("shared_store_wavefronts", widened + copies, kArbitration);
  addMultiplyAdds(rows, result);
  addOccupancy(rows, result);
  addDramReads(rows, result);
  return rows.take();
}

std::string toText(Relation relation) {
  switch (relation) {
    case Relation::equal:
      return "equal";
    case Relation::atLeast:
      return "at least";
    case Relation::atMost:
      return "at most";
  }
  return {};
}

std::string toText(Match match) {
  switch (match) {
    case Match::unknown:
      return "unknown";
    case Match::same:
      return "same";
    case Match::within:
      return "within";
    case Match::differs:
      return "differs";
  }
  return {};
}

}  // namespace tilestep::lab
