// SPDX-License-Identifier: Apache-2.0
#include "features/sums/text.h"

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <vector>

#include "trace/counters.h"

namespace tilestep::features {
namespace {

std::string counted(uint64_t count, const std::string& one, const std::string& many) {
  return std::to_string(count) + " " + (count == 1 ? one : many);
}

/// The largest number of terms of a sum in the row.
size_t mostTerms(const SumTree& tree, const SumRow& row) {
  size_t most = 0;
  for (const size_t sum : row.sums) most = std::max(most, tree.sums[sum].terms.size());
  return most;
}

/// "8 of 64 threads, in 2 of 2 warps,"
std::string whoText(const SumTree& tree, const SumRow& row) {
  const uint32_t warps = row.warps();
  const auto all = static_cast<uint32_t>(row.masks.size());
  return std::to_string(row.threads()) + " of " + counted(tree.threads, "thread", "threads") +
         ", in " + std::to_string(warps) + " of " + counted(all, "warp", "warps") + ",";
}

std::string fillText(const SumTree& tree, const SumRow& row) {
  const size_t terms = mostTerms(tree, row);
  const std::string who =
      counted(row.threads(), "thread", "threads") + " of " + counted(row.warps(), "warp", "warps");
  if (terms < 2) return who + " each load an element and store it in `" + tree.array + "`.";
  return who + " each load up to " + std::to_string(terms) +
         " elements, add them, and store the sum in `" + tree.array + "`.";
}

std::string addText(const SumTree& tree, const SumRow& row) {
  const std::string where =
      row.distances.empty() ? "" : "**Distance " + std::to_string(row.distances.front()) + ":** ";
  std::string text = where + whoText(tree, row) + " add.";
  if (row.needed < row.sums.size())
    text += " Only " + std::to_string(row.needed) + " of these " +
            counted(row.sums.size(), "sum is", "sums are") + " needed.";
  return text;
}

std::string resultText(const SumTree& tree, const SumRow& row) {
  std::string text =
      row.sums.size() == 1
          ? "Thread " + std::to_string(tree.sums[row.sums.front()].thread) + " stores the result."
          : counted(row.sums.size(), "thread", "threads") + " store results.";
  if (row.additions > 0 && !row.distances.empty())
    text = "**Distance " + std::to_string(row.distances.front()) + ":** " + whoText(tree, row) +
           " add. " + text;
  return text;
}

std::string textOf(const SumTree& tree, const SumRow& row) {
  switch (row.step) {
    case SumStep::fill:
      return fillText(tree, row);
    case SumStep::result:
      return resultText(tree, row);
    default:
      return addText(tree, row);
  }
}

}  // namespace

std::string rowName(const SumRow& row) {
  if (row.step == SumStep::fill) return "load";
  if (row.distances.empty()) return row.step == SumStep::result ? "result" : "copy";
  return "distance " + std::to_string(row.distances.front());
}

std::string distancesText(const SumRow& row) {
  std::string text;
  for (const uint32_t distance : row.distances)
    text += (text.empty() ? "" : ", ") + std::to_string(distance);
  return text;
}

std::string sumText(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", value);
  return text;
}

std::string termsText(const TracedKernel& kernel, const SumTree& tree, const Sum& sum) {
  constexpr size_t kMost = 3;
  const std::string name = placeName(kernel, sum.place, tree.width);
  if (sum.terms.empty()) return name + " = " + sumText(sum.value);
  std::string places, values;
  for (size_t i = 0; i < std::min(sum.terms.size(), kMost); ++i) {
    const SumTerm& term = sum.terms[i];
    places += (i > 0 ? " + " : "") + placeName(kernel, term.place, tree.width);
    values += (i > 0 ? (term.value < 0 ? " − " : " + ") : "") +
              sumText(i > 0 && term.value < 0 ? -term.value : term.value);
  }
  if (sum.terms.size() > kMost) {
    places += " + …";
    values += " + …";
  }
  if (sum.terms.size() == 1) return name + " = " + places + " = " + sumText(sum.value);
  return name + " = " + places + " = " + values + " = " + sumText(sum.value);
}

std::optional<size_t> rowUpTo(const SumTree& tree, uint32_t event) {
  std::optional<size_t> row;
  uint32_t latest = 0;
  for (size_t i = 0; i < tree.rows.size(); ++i) {
    const std::vector<uint32_t>& events = tree.rows[i].events;
    const auto after = std::ranges::upper_bound(events, event);
    if (after == events.begin() || (row && *(after - 1) < latest)) continue;
    row = i;
    latest = *(after - 1);
  }
  return row;
}

const Sum* exampleOf(const SumTree& tree, const SumRow& row, std::optional<uint32_t> thread) {
  const Sum* example = nullptr;
  for (const size_t index : row.sums) {
    const Sum& sum = tree.sums[index];
    if (thread && sum.thread == *thread) return &sum;
    if (example == nullptr || (!example->needed && sum.needed)) example = &sum;
  }
  return example;
}

std::string rowSentence(const TracedKernel& kernel, const SumTree& tree, const SumRow& row,
                        std::optional<uint32_t> thread) {
  std::string text = textOf(tree, row);
  const Sum* example = exampleOf(tree, row, thread);
  if (example == nullptr) return text;
  const std::string who = row.step == SumStep::result && row.sums.size() == 1
                              ? " "
                              : " Thread " + std::to_string(example->thread) + ": ";
  return text + who + "`" + termsText(kernel, tree, *example) + "`.";
}

std::optional<SumFigures> sumFiguresOf(const lab::RunResult& result) {
  if (!result.counters || !result.counters->total.warpInstructions) return std::nullopt;
  const trace::Counters& total = result.counters->total;
  SumFigures figures;
  figures.warpInstructions = *total.warpInstructions;
  figures.barriers = total.barriers;
  if (figures.warpInstructions > 0)
    figures.activeLanes = static_cast<double>(total.threadInstructions) /
                          (32 * static_cast<double>(figures.warpInstructions));
  figures.conflicts = total.sharedLoad.bankConflicts + total.sharedStore.bankConflicts;
  figures.sectors = total.globalLoad.sectors + total.globalStore.sectors;
  return figures;
}

}  // namespace tilestep::features
