// SPDX-License-Identifier: Apache-2.0
#include "features/sums/tree.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "features/sums/explain.h"
#include "model/text/step_text.h"

namespace tilestep::features {
namespace {

using trace::Access;
using trace::Operation;
using trace::Space;

/// The element type of the terms, which is the first buffer's.
std::optional<ElementType> typeOf(const TracedKernel& kernel) {
  for (const compile::ResolvedOperand& operand : kernel.result->plan.operands)
    if (operand.spec.kind == OperandKind::buffer) return operand.spec.type;
  return std::nullopt;
}

/// A value that a thread loaded, or that it stored last.
struct Held {
  SumPlace place;
  uint64_t bits = 0;
  uint32_t event = 0;
  size_t made = kNoSum;
};

/// Walks through a recording, and finds the loaded values whose sum each store writes.
class SumWalk {
 public:
  SumWalk(const TracedKernel& kernel, ElementType type)
      : kernel_(kernel), type_(type), width_(static_cast<uint32_t>(bytesOf(type))) {}

  void run() {
    const trace::BlockTrace& recording = kernel_.replay->recording();
    const auto threads = static_cast<size_t>(recording.blockShape.count());
    loaded_.resize(threads);
    stored_.resize(threads);
    std::vector<Access> accesses;
    for (uint32_t i = 0; i < recording.size(); ++i) {
      const trace::TraceEvent event = recording.event(i);
      const bool loads = event.operation == Operation::load;
      if (!loads && event.operation != Operation::store) continue;
      if (event.space != Space::shared && event.space != Space::global) continue;
      kernel_.replay->readAccesses(i, accesses);
      for (const Access& access : accesses) {
        if (access.width != width_ || access.thread >= threads) continue;
        const SumPlace place{event.space == Space::shared, access.buffer, access.offset};
        loads ? load(access, place, i) : store(access, place, i);
      }
    }
  }

  std::vector<Sum> sums;
  uint64_t unexplained = 0;

 private:
  void load(const Access& access, const SumPlace& place, uint32_t event) {
    const auto at = latest_.find(place);
    loaded_[access.thread].push_back(
        {place, access.bits, event, at == latest_.end() ? kNoSum : at->second});
  }

  void store(const Access& access, const SumPlace& place, uint32_t event) {
    std::vector<Held>& loaded = loaded_[access.thread];
    std::optional<Held>& stored = stored_[access.thread];
    Sum sum{place, valueOf(type_, access.bits), access.thread, event, {}, false, true};
    const std::vector<Held> held = madeOf(loaded, stored, place, access.bits);
    if (held.empty() && !loaded.empty()) ++unexplained;
    for (const Held& one : held)
      sum.terms.push_back({one.place, valueOf(type_, one.bits),
                           stored && one.event == stored->event, one.event, one.made, false});
    loaded.clear();
    stored = Held{place, access.bits, event, sums.size()};
    latest_[place] = sums.size();
    sums.push_back(std::move(sum));
  }

  /// The terms of a stored value: the values loaded since the thread's last store, alone or with
  /// the value of that store, which may still be in a register. Empty if neither sum matches.
  [[nodiscard]] std::vector<Held> madeOf(const std::vector<Held>& loaded,
                                         const std::optional<Held>& stored, const SumPlace& place,
                                         uint64_t bits) const {
    std::vector<Held> both = loaded;
    if (stored) both.insert(both.begin(), *stored);
    // If both do, because a term is zero, the sum is assumed to be kept if the thread stores to the
    // address of its last store and did not load from it.
    const bool isReloaded = std::ranges::find(loaded, place, &Held::place) != loaded.end();
    const bool isKept = !isReloaded && stored && stored->place == place;
    for (const bool kept : {isKept, !isKept}) {
      const std::vector<Held>& held = kept ? both : loaded;
      if (kept && !stored) continue;
      if (isSumOf(type_, bitsOf(held), bits)) return held;
    }
    return {};
  }

  static std::vector<uint64_t> bitsOf(const std::vector<Held>& held) {
    std::vector<uint64_t> bits;
    for (const Held& one : held) bits.push_back(one.bits);
    return bits;
  }

  const TracedKernel& kernel_;
  ElementType type_;
  uint32_t width_;
  std::vector<std::vector<Held>> loaded_;    ///< By thread, since the thread's last store.
  std::vector<std::optional<Held>> stored_;  ///< By thread.
  std::map<SumPlace, size_t> latest_;        ///< The sum stored at each address.
};

using Array = std::pair<bool, int16_t>;  ///< Whether it is in shared memory, and its index.

Array arrayOf(const SumPlace& place) {
  return {place.shared, place.buffer};
}

/// The array with the most sums of at least two terms that include one of its own elements. Zeros
/// are ignored, because a stored zero could be the sum of any loaded zeros.
std::optional<Array> arrayAddedUp(const std::vector<Sum>& sums) {
  std::map<Array, size_t> counts;
  for (const Sum& sum : sums) {
    const auto isIn = [&](const SumTerm& term) {
      return arrayOf(term.place) == arrayOf(sum.place);
    };
    const auto values =
        std::ranges::count_if(sum.terms, [](const SumTerm& t) { return t.value != 0; });
    if (values >= 2 && std::ranges::any_of(sum.terms, isIn)) ++counts[arrayOf(sum.place)];
  }
  const auto most = std::ranges::max_element(counts, {}, &std::pair<const Array, size_t>::second);
  if (most == counts.end()) return std::nullopt;
  return most->first;
}

/// Determines which sums and terms are in the array, and which part of the array is the block's.
void placeIn(const Array& array, SumTree& tree) {
  uint32_t least = std::numeric_limits<uint32_t>::max(), most = 0;
  const auto place = [&](const SumPlace& at) {
    if (arrayOf(at) != array) return false;
    least = std::min(least, at.offset);
    most = std::max(most, at.offset);
    return true;
  };
  for (Sum& sum : tree.sums) {
    sum.inArray = place(sum.place);
    for (SumTerm& term : sum.terms) term.inArray = place(term.place);
  }
  tree.first = least / tree.width;
  tree.count = most / tree.width - tree.first + 1;
}

/// Marks sums that contribute to a value outside the array; all sums if there is none.
void findNeeded(SumTree& tree) {
  const auto leaves = [](const Sum& sum) {
    return !sum.inArray && std::ranges::any_of(sum.terms, &SumTerm::inArray);
  };
  if (std::ranges::none_of(tree.sums, leaves)) return;
  for (Sum& sum : tree.sums) sum.needed = leaves(sum);
  // A term precedes its sum, so one backward pass is enough.
  for (size_t i = tree.sums.size(); i-- > 0;)
    if (tree.sums[i].needed)
      for (const SumTerm& term : tree.sums[i].terms)
        if (term.made != kNoSum) tree.sums[term.made].needed = true;
}

std::string arrayName(const TracedKernel& kernel, const Array& array) {
  const auto at = static_cast<size_t>(array.second);
  const auto& arrays = kernel.replay->recording().sharedArrays;
  const auto& operands = kernel.result->plan.operands;
  if (array.first) return array.second >= 0 && at < arrays.size() ? arrays[at].name : "shared";
  return array.second >= 0 && at < operands.size() ? operands[at].spec.name : "global";
}

}  // namespace

SumTree sumTreeOf(const TracedKernel& kernel) {
  SumTree tree;
  tree.threads = static_cast<uint32_t>(kernel.replay->recording().blockShape.count());
  const std::optional<ElementType> type = typeOf(kernel);
  if (!type) return tree;
  tree.width = static_cast<uint32_t>(bytesOf(*type));
  SumWalk walk(kernel, *type);
  walk.run();
  const std::optional<Array> array = arrayAddedUp(walk.sums);
  if (!array) return tree;
  tree.sums = std::move(walk.sums);
  tree.unexplained = walk.unexplained;
  tree.array = arrayName(kernel, *array);
  tree.shared = array->first;
  placeIn(*array, tree);
  findNeeded(tree);
  tree.rows = sumRowsOf(kernel, tree);
  return tree;
}

std::string placeName(const TracedKernel& kernel, const SumPlace& place, uint32_t width) {
  return arrayName(kernel, arrayOf(place)) + "[" + std::to_string(place.offset / width) + "]";
}

}  // namespace tilestep::features
