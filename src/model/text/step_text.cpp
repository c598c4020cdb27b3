// SPDX-License-Identifier: Apache-2.0
#include "model/text/step_text.h"

#include <algorithm>
#include <bit>
#include <cstdio>
#include <map>
#include <string_view>

#include "model/index_range.h"
#include "model/text/sum_terms.h"

namespace tilestep::model {
namespace {

std::string indices(uint64_t element, uint64_t columns) {
  if (columns == 0) return "[" + std::to_string(element) + "]";
  return "[" + std::to_string(element / columns) + "][" + std::to_string(element % columns) + "]";
}

std::string shortNumber(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", value);
  return text;
}

}  // namespace

class LineWriter {
 public:
  LineWriter(const ThreadLines& lines, uint32_t thread)
      : lines_(lines), thread_(thread), step_(*lines.step_), side_(*step_.side) {}

  ThreadLine write() {
    const Dim3 at = trace::threadOf(thread_, side_.replay->recording().blockShape);
    line_ = {thread_, thread_ / kLanes,
             "(" + std::to_string(at.x) + ", " + std::to_string(at.y) + ")", ""};
    addLoads();
    addReads();
    addSums();
    addStores();
    return std::move(line_);
  }

 private:
  static constexpr uint32_t kLanes = 32;  // Lanes of a warp.

  void add(const std::string& text) { line_.text += (line_.text.empty() ? "" : "   ") + text; }

  void addLoads() {
    std::map<int16_t, IndexRange> direct;  // By operand; used without shared memory.
    for (const uint32_t position : lines_.loads_.of(thread_)) {
      const trace::GlobalLoad& load = step_.activity.globalLoads[position];
      const trace::Access& from = load.from;
      if (load.to) {
        add(elementName(side_, from.buffer, from.offset) + " → " +
            slotName(side_, load.to->buffer, load.to->offset, from.width));
      } else if (from.buffer >= 0) {
        const compile::ResolvedOperand& operand = operandOf(from.buffer);
        count(direct[from.buffer], from.offset / bytesOf(operand.spec.type), operand.columns);
      }
    }
    for (const auto& [buffer, range] : direct)
      add(operandOf(buffer).spec.name + range.text(indexedColumns(side_, operandOf(buffer)) > 0));
  }

  void addReads() {
    std::map<int16_t, IndexRange> ranges;  // By array.
    for (const uint32_t position : lines_.reads_.of(thread_)) {
      const trace::Access& read = step_.activity.sharedReads[position];
      if (read.buffer < 0) continue;
      count(ranges[read.buffer], read.offset / std::max<uint32_t>(read.width, 1),
            arrayOf(read.buffer).columns);
    }
    for (const auto& [buffer, range] : ranges) add(arrayOf(buffer).name + range.text());
  }

  static void count(IndexRange& range, uint32_t element, uint64_t columns) {
    const auto width = static_cast<uint32_t>(std::max<uint64_t>(columns, 1));
    range.add(element / width, element % width);
  }

  void addSums() {
    const TermCounter counter(side_);
    std::vector<int16_t> seen;
    for (const uint32_t position : lines_.sums_.of(thread_)) {
      const int16_t index = step_.activity.accumulates[position].buffer;
      if (std::ranges::find(seen, index) != seen.end()) continue;
      seen.push_back(index);
      const trace::Accumulator* now = step_.state.findAccumulator(thread_, index);
      if (now == nullptr) continue;
      const SumTerms terms = counter.termsOf(*now);
      add(terms.idle ? termsText(terms)
                     : "sum " + shortNumber(valueOf(outputType(side_), now->bits)) + ", " +
                           termsText(terms));
    }
  }

  void addStores() {
    for (const uint32_t position : lines_.stores_.of(thread_)) {
      const trace::Access& store = step_.activity.outputStores[position];
      add(sourceText(position) + elementName(side_, store.buffer, store.offset) + " = " +
          shortNumber(valueOf(outputType(side_), store.bits)));
    }
  }

  /// "Mds[1][0] → " if the stored value is the one that its thread read there.
  [[nodiscard]] std::string sourceText(size_t store) const {
    if (store >= step_.storeSources.size() || step_.storeSources[store].place.buffer < 0) return {};
    const StoreSource& source = step_.storeSources[store];
    const uint8_t width = step_.activity.outputStores[store].width;
    return (source.shared ? slotName(side_, source.place.buffer, source.place.offset, width)
                          : elementName(side_, source.place.buffer, source.place.offset)) +
           " → ";
  }

  [[nodiscard]] const compile::ResolvedOperand& operandOf(int16_t buffer) const {
    return side_.result->plan.operands[static_cast<size_t>(buffer)];
  }
  [[nodiscard]] const trace::SharedArray& arrayOf(int16_t buffer) const {
    return side_.replay->recording().sharedArrays[static_cast<size_t>(buffer)];
  }

  const ThreadLines& lines_;
  uint32_t thread_;
  const TracedStep& step_;
  const TracedKernel& side_;
  ThreadLine line_;
};

/// A counting sort, which keeps the order within each thread.
void ThreadLines::ByThread::sort(const std::vector<uint32_t>& threads) {
  uint32_t most = 0;
  for (const uint32_t thread : threads) most = std::max(most, thread + 1);
  starts_.assign(most + size_t{1}, 0);
  for (const uint32_t thread : threads) ++starts_[thread + size_t{1}];
  for (size_t i = 1; i < starts_.size(); ++i) starts_[i] += starts_[i - 1];
  std::vector<uint32_t> next(starts_.begin(), starts_.end() - 1);
  positions_.resize(threads.size());
  for (uint32_t i = 0; i < threads.size(); ++i) positions_[next[threads[i]]++] = i;
}

std::span<const uint32_t> ThreadLines::ByThread::of(uint32_t thread) const {
  if (thread + size_t{1} >= starts_.size()) return {};
  return std::span(positions_)
      .subspan(starts_[thread], starts_[thread + size_t{1}] - starts_[thread]);
}

ThreadLines::ThreadLines(std::shared_ptr<const TracedStep> step) : step_(std::move(step)) {
  std::vector<bool> active;
  // A thread has no line if none of its reads has a name.
  const auto group = [&](ByThread& groups, const auto& entries, auto threadOf, auto isNamed) {
    std::vector<uint32_t> threads;
    threads.reserve(entries.size());
    for (const auto& entry : entries) {
      const uint32_t thread = threadOf(entry);
      threads.push_back(thread);
      if (thread >= active.size()) active.resize(thread + size_t{1}, false);
      if (isNamed(entry)) active[thread] = true;
    }
    groups.sort(threads);
  };
  const auto ofAccess = [](const trace::Access& access) { return access.thread; };
  const auto inArray = [](const trace::Access& access) { return access.buffer >= 0; };
  const auto always = [](const trace::Access&) { return true; };
  const trace::Activity& activity = step_->activity;
  group(
      loads_, activity.globalLoads, [](const auto& load) { return load.from.thread; },
      [&](const auto& load) { return load.to || inArray(load.from); });
  group(reads_, activity.sharedReads, ofAccess, inArray);
  group(sums_, activity.accumulates, ofAccess, always);
  group(stores_, activity.outputStores, ofAccess, always);
  for (uint32_t thread = 0; thread < active.size(); ++thread)
    if (active[thread]) threads_.push_back(thread);
  lines_.resize(threads_.size());
}

const ThreadLine& ThreadLines::operator[](size_t index) const {
  std::optional<ThreadLine>& line = lines_[index];
  if (!line) line = LineWriter(*this, threads_[index]).write();
  return *line;
}

std::string joined(const std::vector<std::string>& parts, std::string_view between) {
  std::string text;
  for (const std::string& part : parts) {
    if (!text.empty()) text += between;
    text += part;
  }
  return text;
}

uint64_t indexedColumns(const TracedKernel& side, const compile::ResolvedOperand& operand) {
  return side.result->isLaunch && operand.rows == 1 ? 0 : operand.columns;
}

std::string elementName(const TracedKernel& side, int16_t buffer, uint32_t offset) {
  const auto& operands = side.result->plan.operands;
  if (buffer < 0 || static_cast<size_t>(buffer) >= operands.size()) return "?";
  const compile::ResolvedOperand& operand = operands[static_cast<size_t>(buffer)];
  return operand.spec.name +
         indices(offset / bytesOf(operand.spec.type), indexedColumns(side, operand));
}

std::string slotName(const TracedKernel& side, int16_t buffer, uint32_t offset, uint8_t width) {
  const auto& arrays = side.replay->recording().sharedArrays;
  if (buffer < 0 || static_cast<size_t>(buffer) >= arrays.size()) return "shared";
  const trace::SharedArray& array = arrays[static_cast<size_t>(buffer)];
  return array.name + indices(offset / std::max<uint32_t>(width, 1), array.columns);
}

double valueOf(ElementType type, uint64_t bits) {
  switch (type) {
    case ElementType::f32:
      return std::bit_cast<float>(static_cast<uint32_t>(bits));
    case ElementType::f64:
      return std::bit_cast<double>(bits);
    case ElementType::i8:
      return static_cast<int8_t>(bits);
    case ElementType::i32:
      return static_cast<int32_t>(bits);
    case ElementType::i64:
      return static_cast<double>(static_cast<int64_t>(bits));
    default:
      return static_cast<double>(bits);
  }
}

ElementType outputType(const TracedKernel& side) {
  for (const compile::ResolvedOperand& operand : side.result->plan.operands)
    if (operand.spec.kind == OperandKind::buffer && operand.spec.direction != Direction::in)
      return operand.spec.type;
  return ElementType::f32;
}

}  // namespace tilestep::model
