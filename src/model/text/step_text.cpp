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

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", value);
  return text;
}

class Lines {
 public:
  explicit Lines(const TracedStep& step) : step_(step), side_(*step.side) {}

  std::vector<ThreadLine> make(size_t most) {
    addLoads();
    addReads(step_.activity.sharedReads);
    addSums();
    for (size_t i = 0; i < step_.activity.outputStores.size(); ++i) {
      const trace::Access& store = step_.activity.outputStores[i];
      add(store, sourceText(i) + elementName(side_, store.buffer, store.offset) + " = " +
                     number(valueOf(outputType(side_), store.bits)));
    }
    std::vector<ThreadLine> lines;
    for (auto& [thread, line] : lines_) {
      if (lines.size() == most) break;
      lines.push_back(std::move(line));
    }
    return lines;
  }

 private:
  void add(const trace::Access& access, const std::string& text) {
    ThreadLine& line = lines_[access.thread];
    if (line.name.empty()) {
      const Dim3 at = trace::threadOf(access.thread, side_.replay->recording().blockShape);
      line.thread = access.thread;
      line.warp = access.warp;
      line.name = "(" + std::to_string(at.x) + ", " + std::to_string(at.y) + ")";
    }
    line.text += (line.text.empty() ? "" : "   ") + text;
  }

  /// "Mds[1][0] → " if the store's value is what its thread read there.
  [[nodiscard]] std::string sourceText(size_t store) const {
    if (store >= step_.storeSources.size() || step_.storeSources[store].place.buffer < 0) return {};
    const StoreSource& source = step_.storeSources[store];
    const uint8_t width = step_.activity.outputStores[store].width;
    return (source.shared ? slotName(side_, source.place.buffer, source.place.offset, width)
                          : elementName(side_, source.place.buffer, source.place.offset)) +
           " → ";
  }

  void addLoads() {
    std::vector<trace::Access> direct;
    for (const trace::GlobalLoad& load : step_.activity.globalLoads) {
      if (!load.to) {
        direct.push_back(load.from);
        continue;
      }
      add(load.from, elementName(side_, load.from.buffer, load.from.offset) + " → " +
                         slotName(side_, load.to->buffer, load.to->offset, load.from.width));
    }
    addDirect(direct);
  }

  /// Elements used directly from global memory.
  void addDirect(const std::vector<trace::Access>& loads) {
    gather(loads, [&](int16_t buffer) -> Shape {
      const auto& operand = side_.result->plan.operands[static_cast<size_t>(buffer)];
      return {operand.spec.name, operand.columns, bytesOf(operand.spec.type)};
    });
  }

  void addReads(const std::vector<trace::Access>& reads) {
    gather(reads, [&](int16_t buffer) -> Shape {
      const trace::SharedArray& array =
          side_.replay->recording().sharedArrays[static_cast<size_t>(buffer)];
      return {array.name, array.columns, 0};
    });
  }

  struct Shape {
    std::string_view name;
    uint64_t columns = 0;
    uint32_t width = 0;  ///< 0: the access's own.
  };
  template <class ShapeOf>
  void gather(const std::vector<trace::Access>& accesses, ShapeOf shapeOf) {
    struct Reads {
      const trace::Access* first = nullptr;
      IndexRange range;
    };
    std::vector<std::vector<Reads>> byThread;  // Indexed by thread, then by buffer.
    for (const trace::Access& access : accesses) {
      if (access.buffer < 0) continue;
      const auto buffer = static_cast<size_t>(access.buffer);
      if (access.thread >= byThread.size()) byThread.resize(access.thread + 1);
      std::vector<Reads>& ofThread = byThread[access.thread];
      if (buffer >= ofThread.size()) ofThread.resize(buffer + 1);
      Reads& reads = ofThread[buffer];
      if (reads.first == nullptr) reads.first = &access;
      const Shape shape = shapeOf(access.buffer);
      const uint32_t element =
          access.offset / (shape.width != 0 ? shape.width : std::max<uint32_t>(access.width, 1));
      const auto columns = static_cast<uint32_t>(std::max<uint64_t>(shape.columns, 1));
      reads.range.add(element / columns, element % columns);
    }
    for (const std::vector<Reads>& ofThread : byThread)
      for (const Reads& reads : ofThread)
        if (reads.first != nullptr)
          add(*reads.first, std::string(shapeOf(reads.first->buffer).name) + reads.range.text());
  }

  void addSums() {
    const size_t each = std::max(side_.replay->recording().accumulators, 1U);
    std::vector<bool> seen;
    const TermCounter counter(side_);
    for (const trace::Access& sum : step_.activity.accumulates) {
      const size_t at = sum.thread * (each + 1) + static_cast<size_t>(sum.buffer + 1);
      if (at >= seen.size()) seen.resize(at + 1, false);
      if (seen[at]) continue;
      seen[at] = true;
      const trace::Accumulator* now = step_.state.findAccumulator(sum.thread, sum.buffer);
      if (now == nullptr) continue;
      const SumTerms terms = counter.termsOf(*now);
      add(sum, terms.idle ? termsText(terms)
                          : "sum " + number(valueOf(outputType(side_), now->bits)) + ", " +
                                termsText(terms));
    }
  }

  const TracedStep& step_;
  const TracedKernel& side_;
  std::map<uint32_t, ThreadLine> lines_;
};

}  // namespace

std::vector<ThreadLine> threadLines(const TracedStep& step, size_t most) {
  return Lines(step).make(most);
}

std::string joined(const std::vector<std::string>& parts, std::string_view between) {
  std::string text;
  for (const std::string& part : parts) {
    if (!text.empty()) text += between;
    text += part;
  }
  return text;
}

std::string elementName(const TracedKernel& side, int16_t buffer, uint32_t offset) {
  const auto& operands = side.result->plan.operands;
  if (buffer < 0 || static_cast<size_t>(buffer) >= operands.size()) return "?";
  const compile::ResolvedOperand& operand = operands[static_cast<size_t>(buffer)];
  return operand.spec.name + indices(offset / bytesOf(operand.spec.type), operand.columns);
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
