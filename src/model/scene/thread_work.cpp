// SPDX-License-Identifier: Apache-2.0
#include "model/scene/thread_work.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "model/index_range.h"
#include "model/text/step_text.h"
#include "trace/feeds.h"

namespace tilestep::model {
namespace {

using trace::Access;

/// The work takes about ten times the memory of its trace, so at most 40 MB are kept.
constexpr size_t kLongestKept = size_t{4} << 20;

/// Whether the kernel's operation, with or without fused multiply-add, reproduces the recorded sum.
template <class T>
bool gives(T before, const std::vector<T>& factors, T after) {
  if (factors.size() == 1) return before + factors[0] == after;
  if (factors.size() != 2) return false;
  const T product = factors[0] * factors[1];
  return std::fma(factors[0], factors[1], before) == after || before + product == after;
}

/// Walks through one step's events; exists for one call.
class Gatherer {
 public:
  /// If `only` is given, the work of all other threads stays empty.
  Gatherer(const TracedKernel& side, size_t phaseStep, std::optional<uint32_t> only = {})
      : recording_(side.replay->recording()),
        feeds_(recording_),
        type_(outputType(side)),
        activity_(side.replay->activityOf(trace::StepGranularity::phase, phaseStep)),
        before_(phaseStep == 0
                    ? side.replay->start()
                    : side.replay->stateAfter(trace::StepGranularity::phase, phaseStep - 1)),
        only_(only),
        work_(recording_.blockShape.count()) {}

  std::vector<ThreadWork> make() {
    gatherFills();
    for (const trace::GlobalLoad& load : activity_.globalLoads) {
      if (!isWanted(load.from)) continue;
      work_[load.from.thread].loads.push_back(load);
      const uint32_t instruction = instructionOf(load.from);
      if (feedsASum(instruction))
        addUse(load.from, false, trace::Place{load.from.buffer, load.from.offset}, instruction);
    }
    for (const Access& read : activity_.sharedReads)
      if (isWanted(read)) addUse(read, true, originOf(read), instructionOf(read));
    for (const Access& sum : activity_.accumulates)
      if (isWanted(sum)) addTerm(sum);
    for (const Access& store : activity_.outputStores)
      if (isWanted(store)) work_[store.thread].stores.push_back(store);
    for (ThreadWork& work : work_) sortFactors(work);
    return std::move(work_);
  }

 private:
  struct Fill {
    uint32_t event = 0;
    std::optional<trace::Place> from;
  };

  [[nodiscard]] uint32_t instructionOf(const Access& access) const {
    return recording_.event(access.event).instruction;
  }

  [[nodiscard]] bool isWanted(const Access& access) const {
    return !only_ || access.thread == *only_;
  }

  bool feedsASum(uint32_t load) {
    if (sumInstructions_.empty())
      for (const Access& sum : activity_.accumulates) sumInstructions_[instructionOf(sum)] = true;
    return std::ranges::any_of(sumInstructions_, [&](const auto& sum) {
      return std::ranges::any_of(feeds_.of(sum.first),
                                 [&](const auto& pair) { return pair.second == load; });
    });
  }

  /// The stores to each slot within the step, in the order of events.
  void gatherFills() {
    std::set<std::pair<int16_t, uint32_t>> read;  // The slots that the requested thread reads.
    if (only_)
      for (const Access& access : activity_.sharedReads)
        if (isWanted(access)) read.insert({access.buffer, access.offset});
    const auto matters = [&](int16_t buffer, uint32_t offset) {
      return !only_ || read.contains({buffer, offset});
    };
    std::map<std::tuple<uint32_t, int16_t, uint32_t>, trace::Place>
        sources;  // The element by thread and slot.
                  // and slot.
    for (const trace::GlobalLoad& load : activity_.globalLoads)
      if (load.to && matters(load.to->buffer, load.to->offset))
        sources[{load.from.thread, load.to->buffer, load.to->offset}] = {load.from.buffer,
                                                                         load.from.offset};
    for (const Access& write : activity_.sharedWrites) {
      if (!matters(write.buffer, write.offset)) continue;
      Fill fill{write.event, std::nullopt};
      const auto source = sources.find({write.thread, write.buffer, write.offset});
      if (source != sources.end()) fill.from = source->second;
      fills_[{write.buffer, write.offset}].push_back(fill);
    }
  }

  /// The element that was in a slot at the time of the read.
  [[nodiscard]] std::optional<trace::Place> originOf(const Access& read) const {
    const auto fills = fills_.find({read.buffer, read.offset});
    if (fills != fills_.end()) {
      const Fill* last = nullptr;
      for (const Fill& fill : fills->second)
        if (fill.event < read.event && (last == nullptr || fill.event >= last->event)) last = &fill;
      if (last != nullptr) return last->from;
    }
    const trace::SharedSlot* slot = before_.findShared({read.buffer, read.offset});
    return slot != nullptr && slot->written ? slot->origin : std::nullopt;
  }

  void addUse(const Access& access, bool shared, std::optional<trace::Place> element,
              uint32_t instruction) {
    std::vector<ThreadWork::Use>& uses = work_[access.thread].uses;
    byInstruction_[{access.thread, instruction}].push_back(uses.size());
    uses.push_back({access, shared, element});
  }

  /// For each instruction that feeds `sum`, the thread's latest read by that instruction before
  /// `sum`. If one read has several elements (a vector), the factors are unknown.
  [[nodiscard]] std::vector<size_t> factorsOf(const Access& sum) const {
    std::vector<size_t> factors;
    const std::vector<ThreadWork::Use>& uses = work_[sum.thread].uses;
    for (const auto& [consumer, load] : feeds_.of(instructionOf(sum))) {
      const auto reads = byInstruction_.find({sum.thread, load});
      if (reads == byInstruction_.end()) continue;
      const auto after = std::ranges::upper_bound(
          reads->second, sum.event, {}, [&](size_t use) { return uses[use].access.event; });
      if (after == reads->second.begin()) continue;
      const size_t latest = *std::prev(after);
      const auto sameEvent = std::ranges::count_if(reads->second, [&](size_t use) {
        return uses[use].access.event == uses[latest].access.event;
      });
      if (sameEvent > 1) return {};
      factors.push_back(latest);
    }
    return factors;
  }

  void addTerm(const Access& sum) {
    const auto key = std::pair(sum.thread, sum.buffer);
    const auto known = sums_.find(key);
    uint64_t before = known != sums_.end() ? known->second : 0;
    if (known == sums_.end()) {
      const trace::Accumulator* sofar = before_.findAccumulator(sum.thread, sum.buffer);
      if (sofar != nullptr && sofar->updates > 0) before = sofar->bits;
    }
    sums_[key] = sum.bits;
    std::vector<size_t> factors = factorsOf(sum);
    if (!proved(sum, before, factors)) factors.clear();
    work_[sum.thread].terms.push_back({sum, std::move(factors)});
  }

  [[nodiscard]] bool proved(const Access& sum, uint64_t before,
                            const std::vector<size_t>& factors) const {
    const std::vector<ThreadWork::Use>& uses = work_[sum.thread].uses;
    if (type_ == ElementType::f32) {
      std::vector<float> values;
      for (const size_t use : factors)
        values.push_back(static_cast<float>(valueOf(type_, uses[use].access.bits)));
      return gives(static_cast<float>(valueOf(type_, before)), values,
                   static_cast<float>(valueOf(type_, sum.bits)));
    }
    if (type_ != ElementType::f64 && type_ != ElementType::i32) return false;
    std::vector<double> values;
    for (const size_t use : factors) values.push_back(valueOf(type_, uses[use].access.bits));
    return gives(valueOf(type_, before), values, valueOf(type_, sum.bits));
  }

  static void sortFactors(ThreadWork& work) {
    for (ThreadWork::Term& term : work.terms)
      std::ranges::sort(term.factors, {}, [&](size_t use) { return work.uses[use].access.buffer; });
  }

  const trace::BlockTrace& recording_;
  trace::Feeds feeds_;
  ElementType type_;
  trace::Activity activity_;
  trace::BlockState before_;
  std::optional<uint32_t> only_;
  std::vector<ThreadWork> work_;
  std::map<uint32_t, bool> sumInstructions_;
  std::map<std::pair<int16_t, uint32_t>, std::vector<Fill>> fills_;
  std::map<std::pair<uint32_t, uint32_t>, std::vector<size_t>> byInstruction_;
  std::map<std::pair<uint32_t, int16_t>, uint64_t> sums_;
};

std::string useText(const TracedKernel& side, const ThreadWork::Use& use) {
  return use.shared ? slotName(side, use.access.buffer, use.access.offset, use.access.width)
                    : elementName(side, use.access.buffer, use.access.offset);
}

/// The shared slots or elements of one array that are the same factor in all terms.
std::string usesText(const TracedKernel& side, const std::vector<const ThreadWork::Use*>& uses) {
  const ThreadWork::Use& first = *uses.front();
  const auto buffer = static_cast<size_t>(first.access.buffer);
  uint64_t columns = 0;
  uint32_t width = std::max<uint32_t>(first.access.width, 1);
  std::string name = "shared";
  if (first.shared && first.access.buffer >= 0) {
    const trace::SharedArray& array = side.replay->recording().sharedArrays[buffer];
    columns = array.columns;
    name = array.name;
  } else if (first.access.buffer >= 0) {
    const compile::ResolvedOperand& operand = side.result->plan.operands[buffer];
    columns = indexedColumns(side, operand);
    width = bytesOf(operand.spec.type);
    name = operand.spec.name;
  }
  IndexRange range;
  for (const ThreadWork::Use* use : uses) {
    const uint32_t element = use->access.offset / width;
    range.add(columns > 0 ? static_cast<uint32_t>(element / columns) : 0,
              columns > 0 ? static_cast<uint32_t>(element % columns) : element);
  }
  return name + range.text(columns > 0);
}

/// "Mds[0][0…3]·Nds[0…3][0]", if each factor is always in the same array.
std::string productText(const TracedKernel& side, const ThreadWork& work) {
  const size_t count = work.terms.front().factors.size();
  std::string text;
  for (size_t i = 0; i < count; ++i) {
    std::vector<const ThreadWork::Use*> uses;
    for (const ThreadWork::Term& term : work.terms) {
      if (term.factors.size() != count) return {};
      const ThreadWork::Use& use = work.uses[term.factors[i]];
      const ThreadWork::Use& first = work.uses[work.terms.front().factors[i]];
      if (use.shared != first.shared || use.access.buffer != first.access.buffer) return {};
      uses.push_back(&use);
    }
    text += (i > 0 ? "·" : "") + usesText(side, uses);
  }
  return text;
}

}  // namespace

std::vector<ThreadWork> workOf(const TracedKernel& side, size_t phaseStep) {
  return Gatherer(side, phaseStep).make();
}

const std::vector<std::vector<ThreadWork>>& BlockWork::all() const {
  if (phases_.empty())
    for (size_t i = 0; i < side_->replay->size(trace::StepGranularity::phase); ++i)
      phases_.push_back(workOf(*side_, i));
  return phases_;
}

std::vector<ThreadWork> BlockWork::of(uint32_t thread) const {
  std::vector<ThreadWork> work;
  if (!phases_.empty() || side_->replay->recording().bytes() <= kLongestKept) {
    for (const std::vector<ThreadWork>& phase : all()) work.push_back(phase[thread]);
    return work;
  }
  for (size_t i = 0; i < side_->replay->size(trace::StepGranularity::phase); ++i)
    work.push_back(std::move(Gatherer(*side_, i, thread).make()[thread]));
  return work;
}

std::vector<Touched> elementsText(const TracedKernel& side,
                                  const std::vector<trace::Place>& places) {
  std::map<int16_t, IndexRange> ranges;
  const auto& operands = side.result->plan.operands;
  for (const trace::Place& place : places) {
    if (place.buffer < 0 || static_cast<size_t>(place.buffer) >= operands.size()) continue;
    const compile::ResolvedOperand& operand = operands[static_cast<size_t>(place.buffer)];
    const uint32_t element = place.offset / bytesOf(operand.spec.type);
    const auto columns = static_cast<uint32_t>(indexedColumns(side, operand));
    ranges[place.buffer].add(columns > 0 ? element / columns : 0,
                             columns > 0 ? element % columns : element);
  }
  std::vector<Touched> texts;
  for (const auto& [buffer, range] : ranges) {
    const compile::ResolvedOperand& operand = operands[static_cast<size_t>(buffer)];
    texts.push_back({buffer, operand.spec.name + range.text(indexedColumns(side, operand) > 0)});
  }
  return texts;
}

std::vector<std::string> gainText(const TracedKernel& side, const ThreadWork& work) {
  constexpr size_t kListed = 2;  // The number of terms listed, as in the textbook's table.
  if (work.terms.empty()) return {};
  const size_t count = work.terms.size();
  const std::string terms = std::to_string(count) + (count == 1 ? " term" : " terms");
  if (std::ranges::any_of(work.terms, [](const auto& term) { return term.factors.empty(); }))
    return {terms};
  std::vector<std::string> lines;
  if (count <= kListed) {
    for (const ThreadWork::Term& term : work.terms) {
      std::string line = lines.empty() ? "" : "+ ";
      for (size_t i = 0; i < term.factors.size(); ++i)
        line += (i > 0 ? "·" : "") + useText(side, work.uses[term.factors[i]]);
      lines.push_back(std::move(line));
    }
    return lines;
  }
  const std::string product = productText(side, work);
  if (!product.empty()) lines.push_back(product);
  lines.push_back(terms);
  return lines;
}

}  // namespace tilestep::model
