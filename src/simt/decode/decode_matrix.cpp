// SPDX-License-Identifier: Apache-2.0
// Decodes mma.sync, a product of small matrices whose elements are distributed over a warp's lanes.
#include <array>

#include "simt/decode/emitter.h"

namespace tilestep::simt {
namespace {

using ptx::Opcode;
using Kind = ptx::Operand::Kind;

/// The depth k of the shape if the elements are tf32, else 0.
int64_t depthOfTf32(const ptx::Instruction& in) {
  static constexpr std::array<std::string_view, 9> kWords = {
      "sync", "aligned", "", "row", "col", "f32", "tf32", "tf32", "f32"};
  if (in.suffixes.size() != kWords.size()) return 0;
  for (size_t i = 0; i < kWords.size(); ++i) {
    if (!kWords[i].empty() && in.suffixes[i] != kWords[i]) return 0;
  }
  return in.suffixes[2] == "m16n8k8" ? 8 : in.suffixes[2] == "m16n8k4" ? 4 : 0;
}

/// Copies an operand's elements into consecutive temporaries and returns the first of them.
uint32_t gather(Emitter& e, size_t index, size_t count) {
  const std::vector<ptx::Operand> elements = elementsOf(e.operand(index));
  if (elements.size() != count) e.refuse("its operands do not have the elements of this shape");
  uint32_t first = kNoRow;
  for (const ptx::Operand& element : elements) {
    const uint32_t to = e.temporary();
    if (first == kNoRow) first = to;
    e.copy(to, e.read(element, Lane::u32), false);
  }
  return first;
}

/// d = a b + c. The result replaces c in the temporaries and is then copied to d element by
/// element. These copies must be the instruction's last operations (see Program::accumulatorsOf).
void multiplyMatrices(Emitter& e) {
  const int64_t depth = depthOfTf32(e.instruction());
  if (depth == 0) return e.refuse("only its forms of f32 += tf32 x tf32 are supported");
  Instr instr;
  instr.op = e.engine().warp(WarpOp::mmaTf32, false);
  instr.offset = depth;
  instr.a = gather(e, 1, static_cast<size_t>(depth / 2));
  instr.b = gather(e, 2, static_cast<size_t>(depth / 4));
  instr.d = instr.target = gather(e, 3, 4);
  const std::vector<ptx::Operand> results = elementsOf(e.operand(0));
  if (results.size() != 4) e.refuse("it must have four results");
  if (e.refused()) return;
  e.emitOfWarp(instr);
  for (uint32_t i = 0; i < 4; ++i) {
    const uint32_t from = instr.d + i * kWideRow;
    e.copy(results[i].kind == Kind::sink ? from : e.write(results[i], Lane::u32), from, false);
  }
}

}  // namespace

DecodeRoot decodeMatrix(Opcode opcode) {
  return opcode == Opcode::mma ? multiplyMatrices : nullptr;
}

}  // namespace tilestep::simt
