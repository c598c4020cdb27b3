// SPDX-License-Identifier: Apache-2.0
#include "device/simt_memory.h"

#include <algorithm>
#include <cstring>

#include "device/fill.h"
#include "device/parameter.h"
#include "ptx/ir.h"
#include "simt/parameter_block.h"

namespace tilestep::device {
namespace {

bool isOutput(const Operand& operand) {
  return operand.kind != OperandKind::scalar && operand.direction != Direction::in;
}

/// Whether written bytes of the operand are tracked. They are not tracked for one block alone,
/// which leaves most bytes unwritten.
bool isWatched(const Job& job, const Operand& operand) {
  return job.check && !job.blockAlone && operand.direction == Direction::out;
}

/// The operands of a job, filled from its seed.
class FilledOperands : public SimtMemory {
 public:
  /// Describes the operands without allocating memory.
  explicit FilledOperands(const Job& job) : job_(job) {
    for (uint32_t i = 0; i < job.operands.size(); ++i) add(job.operands[i], i);
  }

  bool fill(const Stop& stop) override {
    for (uint32_t i = 0; i < job_.operands.size(); ++i)
      if (job_.operands[i].kind != OperandKind::scalar && !fill(i, stop)) return false;
    return true;
  }

  void describe(simt::GridRequest& request) const override {
    request.buffers = buffers_;
    request.parameters = parameters_;
    request.structures = structures_;
  }

  [[nodiscard]] Need need() const override {
    Need need;
    for (const Operand& operand : job_.operands) {
      if (operand.kind == OperandKind::scalar) continue;
      need.memory += operand.bytes();
      if (isWatched(job_, operand)) need.marks += operand.bytes();
    }
    return need;
  }

  std::vector<std::vector<std::byte>> takeOutputs() override {
    std::vector<std::vector<std::byte>> outputs(memory_.size());
    for (size_t i = 0; i < memory_.size(); ++i) {
      if (isOutput(job_.operands[i])) outputs[i] = std::move(memory_[i]);
    }
    return outputs;
  }

  [[nodiscard]] std::optional<uint64_t> unwritten(const Stop& stop) const override {
    uint64_t count = 0;
    for (size_t i = 0; i < shadows_.size(); ++i) {
      const std::vector<std::byte>& shadow = shadows_[i];
      const unsigned bytes = bytesOf(job_.operands[i].type);
      for (size_t at = 0; at < shadow.size(); at += bytes) {
        if (at % kPieceBytes == 0 && stop()) return std::nullopt;
        count += std::count(&shadow[at], &shadow[at] + bytes, std::byte{1}) != bytes;
      }
    }
    return count;
  }

 private:
  void add(const Operand& operand, uint32_t index) {
    memory_.emplace_back();
    shadows_.emplace_back();
    simt::Buffer buffer;
    buffer.name = operand.name;
    if (!operand.fields.empty()) {
      const auto bytes = structureOf(operand, [](size_t i) { return simt::addressOf(i); });
      const auto* first = reinterpret_cast<const uint8_t*>(bytes.data());
      structures_[parameters_.size()] = {first, first + bytes.size()};
      parameters_.push_back(0);
    } else if (operand.kind == OperandKind::scalar) {
      parameters_.push_back(scalarBits(operand.type, operand.scalar));
    } else {
      buffer.bytes = operand.bytes();
      buffer.columns = operand.columns;
      buffer.elementBytes = bytesOf(operand.type);
      buffer.writable = !job_.check || operand.direction != Direction::in;
      if (operand.kind == OperandKind::symbol)
        buffer.symbol = operand.name;
      else if (!operand.held)
        parameters_.push_back(simt::addressOf(index));
    }
    buffers_.push_back(std::move(buffer));
  }

  bool fill(uint32_t index, const Stop& stop) {
    const Operand& operand = job_.operands[index];
    auto filled = fillOperand(operand, index, job_.seed, kPoison, stop);
    if (!filled) return false;
    memory_[index] = std::move(*filled);
    buffers_[index].host = reinterpret_cast<uint8_t*>(memory_[index].data());
    if (!isWatched(job_, operand)) return true;
    std::vector<std::byte>& shadow = shadows_[index];
    if (!resizeUnlessStopped(shadow, operand.bytes(), std::byte{0}, stop)) return false;
    if (!shadow.empty()) buffers_[index].shadow = reinterpret_cast<uint8_t*>(shadow.data());
    return true;
  }

  const Job& job_;
  std::vector<std::vector<std::byte>> memory_, shadows_;
  std::vector<simt::Buffer> buffers_;
  std::vector<uint64_t> parameters_;
  std::map<size_t, std::vector<uint8_t>> structures_;
};

/// The memory of a captured launch, at its addresses.
class CapturedMemory : public SimtMemory {
 public:
  explicit CapturedMemory(const Job& job) : job_(job), captured_(*job.captured) {
    for (const MemoryRange& range : captured_.ranges) {
      simt::Buffer& buffer = buffers_.emplace_back();
      buffer.name = range.name;
      buffer.symbol = range.symbol;
      buffer.isLinked = true;
      buffer.bytes = range.bytes;
      buffer.address = range.address;
    }
  }

  bool fill(const Stop& stop) override {
    memory_.resize(captured_.ranges.size());
    marks_.resize(captured_.ranges.size());
    for (size_t i = 0; i < captured_.ranges.size(); ++i)
      if (!fill(i, stop)) return false;
    return true;
  }

  void describe(simt::GridRequest& request) const override {
    request.buffers = buffers_;
    const ptx::Function* const entry = job_.module->find(captured_.launch.entry);
    simt::takeParameters(*entry, captured_.parameters, request);
  }

  [[nodiscard]] std::optional<std::vector<simt::TraceOptions::View>> views() const override {
    std::vector<simt::TraceOptions::View> views;
    for (size_t i = 0; i < job_.operands.size(); ++i) {
      const Operand& operand = job_.operands[i];
      if (operand.range >= 0)
        views.push_back({static_cast<size_t>(operand.range), operand.rangeOffset, operand.bytes(),
                         static_cast<int16_t>(i)});
    }
    return views;
  }

  std::vector<std::vector<std::byte>> takeOutputs() override {
    std::vector<std::vector<std::byte>> outputs(job_.operands.size());
    for (size_t i = 0; i < job_.operands.size(); ++i) {
      const Operand& operand = job_.operands[i];
      if (operand.range < 0 || !isOutput(operand)) continue;
      const std::byte* first =
          memory_[static_cast<size_t>(operand.range)].data() + operand.rangeOffset;
      outputs[i].assign(first, first + operand.bytes());
    }
    return outputs;
  }

  /// A launch may correctly leave some of its memory unchanged.
  [[nodiscard]] std::optional<uint64_t> unwritten(const Stop&) const override {
    return std::nullopt;
  }

  [[nodiscard]] Need need() const override {
    Need need{captured_.memoryBytes(), job_.check ? captured_.memoryBytes() : 0};
    for (const Operand& operand : job_.operands)
      if (isOutput(operand)) need.memory += operand.bytes();
    return need;
  }

 private:
  bool fill(size_t index, const Stop& stop) {
    const MemoryRange& range = captured_.ranges[index];
    std::vector<std::byte>& bytes = memory_[index];
    if (!resizeUnlessStopped(bytes, range.bytes, std::byte{0}, stop)) return false;
    for (uint64_t at = 0; at < range.bytes; at += kPieceBytes) {
      if (stop()) return false;
      copyContents(range, at, std::min(kPieceBytes, range.bytes - at), bytes.data() + at);
    }
    buffers_[index].host = reinterpret_cast<uint8_t*>(bytes.data());
    if (!job_.check) return true;
    std::vector<std::byte>& marks = marks_[index];
    if (!resizeUnlessStopped(marks, range.bytes, std::byte{1}, stop)) return false;
    for (const ByteSpan& span : range.unset)
      std::memset(marks.data() + span.begin, 0, span.end - span.begin);
    buffers_[index].shadow = reinterpret_cast<uint8_t*>(marks.data());
    return true;
  }

  const Job& job_;
  const CapturedLaunch& captured_;
  std::vector<simt::Buffer> buffers_;
  std::vector<std::vector<std::byte>> memory_, marks_;
};

}  // namespace

std::unique_ptr<SimtMemory> simtMemoryOf(const Job& job) {
  if (job.captured != nullptr) return std::make_unique<CapturedMemory>(job);
  return std::make_unique<FilledOperands>(job);
}

}  // namespace tilestep::device
