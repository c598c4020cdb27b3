// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <bit>
#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "base/dim3.h"
#include "features/sums/tree.h"
#include "metrics/bank_conflicts.h"
#include "metrics/coalescing.h"

namespace tilestep::features {
namespace {

SumStep stepOf(const Sum& sum) {
  if (!sum.inArray) return SumStep::result;
  return std::ranges::any_of(sum.terms, &SumTerm::inArray) ? SumStep::add : SumStep::fill;
}

/// The depth of the tree of sums below each sum, by sum.
std::vector<uint32_t> depthsOf(const std::vector<Sum>& sums) {
  std::vector<uint32_t> depths;
  for (const Sum& sum : sums) {
    uint32_t depth = 0;
    for (const SumTerm& term : sum.terms)
      if (term.made != kNoSum) depth = std::max(depth, depths[term.made] + 1);
    depths.push_back(depth);
  }
  return depths;
}

/// Builds the rows by adding one sum at a time.
class Rows {
 public:
  Rows(const TracedKernel& kernel, const SumTree& tree) : kernel_(kernel), tree_(tree) {}

  std::vector<SumRow> make() {
    const std::vector<uint32_t> depths = depthsOf(tree_.sums);
    for (size_t i = 0; i < tree_.sums.size(); ++i) {
      const Sum& sum = tree_.sums[i];
      const bool takesPart = sum.inArray || std::ranges::any_of(sum.terms, &SumTerm::inArray);
      if (takesPart) add(rows_[{depths[i], stepOf(sum)}], i);
    }
    std::vector<SumRow> rows;
    for (auto& [key, row] : rows_) {
      finish(row, key.second);
      rows.push_back(std::move(row));
    }
    return rows;
  }

 private:
  void add(SumRow& row, size_t index) {
    const Sum& sum = tree_.sums[index];
    row.sums.push_back(index);
    if (sum.terms.size() > 1) row.additions += sum.terms.size() - 1;
    row.needed += sum.needed ? 1 : 0;
    for (const SumTerm& term : sum.terms)
      if (!term.kept) take(row, term.event);
    take(row, sum.event);
  }

  /// Adds an event to a row, unless an earlier row already contains it.
  void take(SumRow& row, uint32_t event) {
    if (taken_.insert(event).second) row.events.push_back(event);
  }

  void finish(SumRow& row, SumStep step) const {
    row.step = step;
    std::ranges::sort(row.events);
    row.masks.assign((tree_.threads + kWarpLanes - 1) / kWarpLanes, 0);
    for (const uint32_t event : row.events) count(row, kernel_.replay->recording().event(event));
    std::ranges::sort(row.lines);
    row.lines.erase(std::unique(row.lines.begin(), row.lines.end()), row.lines.end());
    if (step == SumStep::fill) return;
    std::set<uint32_t> distances;
    for (const size_t sum : row.sums) findDistances(tree_.sums[sum], distances);
    row.distances.assign(distances.begin(), distances.end());
  }

  void count(SumRow& row, const trace::TraceEvent& event) const {
    if (event.warp < row.masks.size()) row.masks[event.warp] |= event.mask;
    if (const uint32_t line = kernel_.lineOf(event)) row.lines.push_back(line);
    if (event.space == trace::Space::shared) {
      const metrics::BankUse use = metrics::bankUse(event.offsets, event.width);
      row.wavefronts += use.wavefronts;
      row.conflicts += use.conflicts;
    } else {
      row.sectors += metrics::coalesce(event.offsets, event.width).sectors.size();
    }
  }

  /// Collects the distances between the first array element that is added and the others.
  void findDistances(const Sum& sum, std::set<uint32_t>& to) const {
    std::vector<uint32_t> columns;
    for (const SumTerm& term : sum.terms)
      if (term.inArray) columns.push_back(tree_.column(term.place));
    if (columns.size() < 2) return;
    const uint32_t target = sum.inArray ? tree_.column(sum.place) : columns.front();
    for (const uint32_t column : columns)
      if (column != target) to.insert(std::max(column, target) - std::min(column, target));
  }

  const TracedKernel& kernel_;
  const SumTree& tree_;
  std::map<std::pair<uint32_t, SumStep>, SumRow> rows_;
  std::set<uint32_t> taken_;
};

}  // namespace

uint32_t SumRow::threads() const {
  uint32_t count = 0;
  for (const uint32_t mask : masks) count += static_cast<uint32_t>(std::popcount(mask));
  return count;
}

uint32_t SumRow::warps() const {
  return static_cast<uint32_t>(
      std::ranges::count_if(masks, [](uint32_t mask) { return mask != 0; }));
}

std::vector<SumRow> sumRowsOf(const TracedKernel& kernel, const SumTree& tree) {
  return Rows(kernel, tree).make();
}

}  // namespace tilestep::features
