// SPDX-License-Identifier: Apache-2.0
#include "simt/check/row_watch.h"

#include <algorithm>

#include "ptx/analysis/uses.h"

namespace tilestep::simt {
namespace {

using FactKind = RowParts::Kind;
using OperandKind = ptx::Operand::Kind;
using ptx::Opcode;

/// Excludes asynchronous copies, which write to shared memory.
bool isAccess(const ptx::Instruction& i) {
  const bool global = i.space == ptx::Space::global || i.space == ptx::Space::generic;
  return global && ptx::accessesMemory(i) && ptx::effectOf(i) != ptx::Effect::copy;
}

}  // namespace

RowWatch::RowWatch(const ptx::Function& entry, std::vector<KnownParameter> parameters)
    : entry_(entry), graph_(entry), parameters_(std::move(parameters)) {
  const Provenance provenance(entry);
  for (uint32_t i = 0; i < entry.body.size(); ++i) {
    if (isAccess(entry.body[i])) watch(i, provenance);
  }
}

void RowWatch::watch(uint32_t index, const Provenance& provenance) {
  const ptx::Operand* address = ptx::addressOf(entry_.body[index]);
  const uint32_t reg = address == nullptr ? ptx::kNone : address->reg;
  const Bases bases = provenance.of(entry_.body[index]);
  const KnownParameter* of = nullptr;
  for (const KnownParameter& parameter : parameters_) {
    if (parameter.region < 0 ||
        std::find(bases.names.begin(), bases.names.end(), parameter.name) == bases.names.end()) {
      continue;
    }
    if (of != nullptr) return;
    of = &parameter;
  }
  if (reg == ptx::kNone || bases.unknown || of == nullptr || of->columns < 2) return;
  Width& width = widths_[of->columns];
  if (!width.parts) {
    for (const KnownParameter& parameter : parameters_) {
      if (parameter.region < 0 && parameter.value == of->columns) {
        width.parameters.push_back(parameter.name);
      }
    }
    width.parts = std::make_unique<RowParts>(entry_, graph_, width.parameters);
  }
  const RowParts::Fact& fact = width.parts->of(reg);
  if (fact.kind != FactKind::rows || fact.flat) return;
  need(width, reg);
  watched_[index] = {of->columns, reg, of};
}

/// Adds `first` and all registers from which its companion is computed.
void RowWatch::need(Width& width, uint32_t first) {
  const auto madeFrom = [&](uint32_t reg) {
    std::vector<uint32_t> rows;
    for (const uint32_t writer : graph_.writers[reg]) {
      for (const ptx::Operand* from : ptx::sourcesOf(entry_.body[writer])) {
        const bool isRow =
            from->kind == OperandKind::reg && width.parts->of(from->reg).kind == FactKind::rows;
        if (isRow) rows.push_back(from->reg);
      }
    }
    return rows;
  };
  const std::vector<bool> needed = ptx::reach(graph_.writers.size(), {first}, madeFrom);
  for (const uint32_t reg : ptx::numbersOf(needed)) width.rows.try_emplace(reg, kNoRow);
}

void RowWatch::follow(Emitter& emitter, uint32_t index) {
  const ptx::Instruction& instruction = entry_.body[index];
  if (instruction.opcode == Opcode::setp) return;
  for (auto& [columns, width] : widths_) {
    for (const uint32_t reg : ptx::writtenRegisters(instruction)) {
      if (width.rows.contains(reg)) follow(emitter, width, instruction);
    }
  }
}

/// The register row that holds the matrix rows of an operand, either a companion or a constant.
uint32_t RowWatch::companion(Emitter& emitter, const Width& width,
                             const ptx::Operand& operand) const {
  const RowParts::Fact fact = width.parts->of(operand);
  if (fact.kind == FactKind::rows) return width.rows.at(operand.reg);
  const int64_t rows = fact.kind == FactKind::widths ? fact.factor : 0;
  return emitter.constant(static_cast<uint64_t>(rows), Lane::u64);
}

void RowWatch::follow(Emitter& e, Width& width, const ptx::Instruction& i) {
  const uint32_t reg = i.operands.front().reg;
  uint32_t& to = width.rows.at(reg);
  for (auto& [other, row] : width.rows) {
    if (row == kNoRow) row = e.newRow(true);
  }
  const auto& o = i.operands;
  const auto rowsOf = [&](size_t k) { return companion(e, width, o[k]); };
  const auto isRow = [&](size_t k) { return width.parts->of(o[k]).kind == FactKind::rows; };
  // The matrix rows of a product are one factor's rows times a constant, or the value by which a
  // width is multiplied.
  const auto product = [&](uint32_t into) {
    for (const auto& [rows, factor] : {std::pair<size_t, size_t>{1, 2}, {2, 1}}) {
      const RowParts::Fact fact = width.parts->of(o[rows]);
      if (o[factor].kind == OperandKind::immediate) {
        const uint32_t times = e.constant(o[factor].bits, Lane::u64);
        return e.emit(Op::mul, Lane::s64, into, {.a = rowsOf(rows), .b = times});
      }
      if (fact.kind != FactKind::widths || o[factor].kind == OperandKind::immediate) continue;
      const bool narrow = ptx::bytesOf(i.type) == 4;
      const uint32_t value = e.read(o[factor], narrow ? Lane::s32 : Lane::s64);
      uint32_t wide = value;
      if (narrow) {
        wide = e.temporary();
        e.convert(wide, Lane::s64, value, ptx::isSigned(i.type) ? Lane::s32 : Lane::u32);
      }
      const uint32_t times = e.constant(static_cast<uint64_t>(fact.factor), Lane::u64);
      return e.emit(Op::mul, Lane::s64, into, {.a = wide, .b = times});
    }
    e.copy(into, e.constant(0, Lane::u64), true);
  };
  if (ptx::isSum(i)) {
    const size_t last = o.size() - 1;
    const bool ofProduct = ptx::termOf(i, 1) == '*';
    const uint32_t first = ofProduct ? e.temporary() : rowsOf(1);
    if (ofProduct) product(first);
    const Op op = ptx::termOf(i, last) == '-' ? Op::sub : Op::add;
    return e.emit(op, Lane::s64, to, {.a = first, .b = rowsOf(last)});
  }
  if (ptx::isProduct(i)) return product(to);
  if (ptx::termOf(i, 2) == '<') {
    const uint32_t times = e.constant(uint64_t{1} << (o[2].bits & 63), Lane::u64);
    return e.emit(Op::mul, Lane::s64, to, {.a = rowsOf(1), .b = times});
  }
  const bool copies = o.size() == 2 && ptx::termOf(i, 1) != '.' && isRow(1);
  e.copy(to, copies ? rowsOf(1) : e.constant(0, Lane::u64), true);
}

ColumnCheck RowWatch::checkOf(uint32_t index) const {
  const auto at = watched_.find(index);
  if (at == watched_.end()) return {};
  const Watched& watched = at->second;
  const Width& width = widths_.at(watched.width);
  const RowParts::Fact& fact = width.parts->of(watched.reg);
  const int64_t element = watched.of->elementBytes;
  ColumnCheck check;
  check.row = width.rows.at(watched.reg);
  check.region = static_cast<uint32_t>(watched.of->region);
  check.width = watched.width;
  check.rowBytes = watched.width * watched.of->elementBytes;
  check.least = fact.least / element;
  check.most = fact.most / element;
  return check;
}

}  // namespace tilestep::simt
