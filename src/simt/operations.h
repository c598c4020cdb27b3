// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

/// Names of the parts of micro-operations, shared by the decoder and the core.
namespace tilestep::simt {

/// Micro-operations of lanes. One PTX instruction becomes one or a few of them.
enum class Op : uint8_t {
  none,
  mov,
  neg,
  abs,
  canonical,  ///< Replaces a float NaN by PTX's canonical NaN.
  bitNot,
  popc,
  clz,
  brev,
  bfind,
  rcp,
  sqrt,
  rsqrt,
  ex2,
  lg2,
  sin,
  cos,
  tanh,
  divApprox,
  rcpCoarse,  ///< rcp.approx.ftz.f64 and rsqrt.approx.ftz.f64: uses the upper 32 bits.
  rsqrtCoarse,
  flush,
  saturate,
  saturateFinite,  ///< Infinity becomes the largest finite number.
  relu,
  testp,  ///< Mode: FloatTest.
  add,
  sub,
  mul,
  mulHigh,
  mulWide,
  div,
  rem,
  min,
  max,
  minNan,  ///< NaN if either operand is NaN.
  maxNan,
  bitAnd,
  bitOr,
  bitXor,
  shl,
  shr,
  copysign,
  mad,
  fma,
  select,
  bfe,
  bfi,
  prmt,     ///< Mode: PermuteMode.
  xorSign,  ///< |c| with the sign of a ^ b.
  zeroOob,  ///< c, but zero if a or b is the NaN that marks "out of bounds".
  lop3,     ///< Mode: the truth table.
  funnel,   ///< Mode: FunnelMode bits.
  bmsk,     ///< Mode: 1 clamps.
  szext,    ///< Mode: 1 clamps.
  fns,
  dot,     ///< Mode: DotMode bits.
  video,   ///< Mode: VideoMode bits.
  addFtz,  ///< This and the rest flush subnormal sources and results.
  subFtz,
  mulFtz,
  divFtz,
  rcpFtz,
  fmaFtz,
  narrowFtz,  ///< f64 to f32.
};

enum FloatTest : uint8_t { kFinite, kInfinite, kNumber, kNotANumber, kNormal, kSubnormal };
enum PermuteMode : uint8_t {
  kAnyByte,
  kForward4,
  kBackward4,
  kReplicate8,
  kEdgeLeft,
  kEdgeRight,
  kReplicate16
};
enum FunnelMode : uint8_t { kFunnelRight = 1, kFunnelClamp = 2 };
enum DotMode : uint8_t { kDotSignedA = 1, kDotSignedB = 2, kDotPairs = 4, kDotHigh = 8 };
enum VideoMode : uint16_t {
  kVideoAdd,
  kVideoSub,
  kVideoAbsDiff,
  kVideoAverage,
  kVideoMin,
  kVideoMax,
  kVideoOperation = 7,
  kVideoSignedA = 8,
  kVideoSignedB = 16,
  kVideoSignedD = 32,
  kVideoSaturate = 64,
  kVideoAccumulate = 128,
  kVideoBytes = 256,
};

/// How a lane's bits are read and written.
// clang-format off
enum class Lane : uint8_t {
  none, u8, s8, u16, s16, u32, s32, u64, s64, f32, f64, f16, bf16, tf32, f16x2, bf16x2
};
// clang-format on

/// Ordered comparisons, then those that are true for NaN.
enum class Relation : uint8_t { eq, ne, lt, le, gt, ge, equ, neu, ltu, leu, gtu, geu, num, nan };

/// Operations of all lanes of a warp together, and operations that need the warp's state.
enum class WarpOp : uint8_t {
  shflUp,
  shflDown,
  shflBfly,
  shflIdx,
  voteAll,
  voteAny,
  voteUni,
  voteBallot,
  activeMask,
  elect,
  matchAny,
  matchAll,
  reduceAdd,
  reduceMinSigned,
  reduceMaxSigned,
  reduceMin,
  reduceMax,
  reduceAnd,
  reduceOr,
  reduceXor,
  clock,
  clockHigh,
  fence,
  mmaTf32,  ///< a: rows of A; b: rows of B; d: rows of C, then of D. Mode: the depth k.
};

/// Operations of atom and red. addHalves and addBfloats add two packed 16-bit numbers.
enum class AtomicOp : uint8_t {
  add,
  addHalf,
  addHalves,
  addBfloat,
  addBfloats,
  min,
  max,
  inc,
  dec,
  exch,
  cas,
  bitAnd,
  bitOr,
  bitXor,
};

/// `nearest` rounds ties to even, `away` rounds ties away from zero. `odd` rounds to odd, so
/// rounding a second time gives the same result as rounding once.
enum class Round : uint8_t { none, nearest, zero, down, up, away, odd };

}  // namespace tilestep::simt
