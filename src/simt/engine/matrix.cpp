// SPDX-License-Identifier: Apache-2.0
// mma.sync of tf32, a matrix product that a warp's lanes compute together.
#include "simt/engine/rows.h"

namespace tilestep::simt::TILESTEP_ENGINE {
namespace {

constexpr uint32_t kRows = 16, kColumns = 8, kDepth = 8;

/// A factor as the tensor core reads it, with 10 mantissa bits. The 13 lower bits are ignored.
double tf32(uint32_t bits) {
  return static_cast<double>(__builtin_bit_cast(float, bits & 0xffffe000u));
}

/// The values of lanes that have exited count as zero.
uint32_t valueOf(const Context& context, uint32_t first, uint32_t index, uint32_t lane) {
  if ((context.mask >> lane & 1) == 0) return 0;
  return row<uint32_t>(context.registers, first + index * kWideRow)[lane];
}

/// PTX ISA 9.0, fragments of mma.m16n8k8 (and m16n8k4) of .tf32. Lane 4 g + t holds these elements:
/// [g][t], [g + 8][t], [g][t + 4], [g + 8][t + 4] of A (16 x 8); [t][g], [t + 4][g] of B (8 x 8);
/// [g][2 t], [g][2 t + 1], [g + 8][2 t], [g + 8][2 t + 1] of C and D (16 x 8). The products of
/// 11-bit significands are exact in double. They are added to C in the order of k, and the sum is
/// rounded once, to nearest. The order in which a tensor core adds is not specified, so an H200's
/// last bits differ.
void mmaTf32(Context& context, const Instr& in) {
  const auto depth = static_cast<uint32_t>(in.offset);
  double a[kRows][kDepth] = {}, b[kDepth][kColumns] = {}, sum[kRows][kColumns];
  for (uint32_t lane = 0; lane < kLanes; ++lane) {
    const uint32_t g = lane / 4, t = lane % 4;
    for (uint32_t i = 0; i < depth / 2; ++i) {
      a[g + 8 * (i % 2)][t + 4 * (i / 2)] = tf32(valueOf(context, in.a, i, lane));
    }
    for (uint32_t i = 0; i < depth / 4; ++i) {
      b[t + 4 * i][g] = tf32(valueOf(context, in.b, i, lane));
    }
    for (uint32_t i = 0; i < 4; ++i) {
      const uint32_t c = valueOf(context, in.d, i, lane);
      sum[g + 8 * (i / 2)][2 * t + i % 2] = static_cast<double>(__builtin_bit_cast(float, c));
    }
  }
  for (uint32_t r = 0; r < kRows; ++r) {
    for (uint32_t k = 0; k < depth; ++k) {
      TILESTEP_LANES
      for (uint32_t c = 0; c < kColumns; ++c) sum[r][c] += a[r][k] * b[k][c];
    }
  }
  for (uint32_t mask = context.mask; mask != 0; mask &= mask - 1) {
    const auto lane = static_cast<uint32_t>(__builtin_ctz(mask));
    for (uint32_t i = 0; i < 4; ++i) {
      const auto value = static_cast<float>(sum[lane / 4 + 8 * (i / 2)][2 * (lane % 4) + i % 2]);
      const bool isNumber = value == value;
      row<uint32_t>(context.registers, in.d + i * kWideRow)[lane] =
          isNumber ? __builtin_bit_cast(uint32_t, value) : 0x7fffffffu;
    }
  }
}

}  // namespace

Handler matrixOperation(WarpOp op) {
  return op == WarpOp::mmaTf32 ? mmaTf32 : nullptr;
}

}  // namespace tilestep::simt::TILESTEP_ENGINE
