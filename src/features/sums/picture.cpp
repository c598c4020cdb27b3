// SPDX-License-Identifier: Apache-2.0
#include "features/sums/picture.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <utility>

#include "features/sums/text.h"

namespace tilestep::features {
namespace {

uint32_t columnOf(const SumTree& tree, const Sum& sum) {
  if (sum.inArray) return tree.column(sum.place);
  for (const SumTerm& term : sum.terms)
    if (term.inArray) return tree.column(term.place);
  return 0;
}

/// The last row that reads each element for a needed sum, by element; kNoSum if there is none.
std::vector<size_t> lastReadsOf(const SumTree& tree) {
  std::vector<size_t> reads(std::min(tree.count, kMostElements), kNoSum);
  for (size_t i = 0; i < tree.rows.size(); ++i)
    for (const size_t index : tree.rows[i].sums) {
      if (!tree.sums[index].needed) continue;
      for (const SumTerm& term : tree.sums[index].terms)
        if (term.inArray && tree.column(term.place) < reads.size())
          reads[tree.column(term.place)] = i;
    }
  return reads;
}

std::vector<ElementRun> keptIn(const SumTree& tree, size_t row, const std::vector<size_t>& reads) {
  std::vector<bool> made(reads.size());
  for (const size_t index : tree.rows[row].sums) {
    const Sum& sum = tree.sums[index];
    if (sum.inArray && tree.column(sum.place) < made.size()) made[tree.column(sum.place)] = true;
  }
  std::vector<ElementRun> kept;
  for (uint32_t c = 0; c < reads.size(); ++c) {
    if (made[c] || reads[c] == kNoSum || reads[c] <= row) continue;
    if (!kept.empty() && kept.back().first + kept.back().count == c)
      ++kept.back().count;
    else
      kept.push_back({c, 1});
  }
  return kept;
}

/// The least distance between different columns.
uint32_t leastDistance(const RowPicture& row, uint32_t otherwise) {
  uint32_t apart = otherwise;
  for (size_t i = 1; i < row.byColumn.size(); ++i) {
    const uint32_t distance = row.columns[row.byColumn[i]] - row.columns[row.byColumn[i - 1]];
    if (distance > 0) apart = std::min(apart, distance);
  }
  return apart;
}

RowPicture rowPictureOf(const SumTree& tree, size_t index, const std::vector<size_t>& reads) {
  const SumRow& row = tree.rows[index];
  RowPicture picture;
  picture.name = rowName(row);
  picture.counts = {std::to_string(row.threads()), std::to_string(row.warps()),
                    std::to_string(tree.shared ? row.conflicts : row.sectors)};
  for (const size_t sum : row.sums) picture.columns.push_back(columnOf(tree, tree.sums[sum]));
  picture.byColumn.resize(picture.columns.size());
  std::iota(picture.byColumn.begin(), picture.byColumn.end(), size_t{0});
  std::ranges::stable_sort(picture.byColumn, {}, [&](size_t i) { return picture.columns[i]; });
  picture.apart = leastDistance(picture, tree.count);
  picture.kept = keptIn(tree, index, reads);
  return picture;
}

}  // namespace

SumPicture sumPictureOf(const SumTree& tree) {
  SumPicture picture;
  std::set<std::string> names;
  const std::vector<size_t> reads = lastReadsOf(tree);
  for (size_t i = 0; i < tree.rows.size(); ++i) {
    picture.rows.push_back(rowPictureOf(tree, i, reads));
    names.insert(picture.rows.back().name);
  }
  picture.names.assign(names.begin(), names.end());
  return picture;
}

std::vector<RowTime> rowTimesOf(const SumTree& tree, uint32_t first, uint32_t last) {
  std::vector<RowTime> times;
  for (const SumRow& row : tree.rows) {
    const auto at = std::ranges::lower_bound(row.events, first);
    const bool isNow = at != row.events.end() && *at <= last;
    const bool isLater = row.events.empty() || row.events.front() > last;
    times.push_back(isLater ? RowTime::later : isNow ? RowTime::now : RowTime::before);
  }
  return times;
}

}  // namespace tilestep::features
