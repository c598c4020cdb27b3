// SPDX-License-Identifier: Apache-2.0
// PTX's approximations, computed with the host's math library. Results are within the error bounds
// of the PTX ISA, but not bit-identical to a GPU's. If there is no bound, they match an H200.
#include "simt/engine/rows.h"

namespace tilestep::simt::TILESTEP_ENGINE {
namespace {

inline float canonical(float x) {
  return x == x ? x : __builtin_bit_cast(float, uint32_t{0x7fffffff});
}

struct Rsqrt {
  static float apply(float a) { return canonical(static_cast<float>(1.0 / __builtin_sqrt(a))); }
};
struct RsqrtDouble {
  static double apply(double a) { return 1.0 / __builtin_sqrt(a); }
};
struct Ex2 {
  static float apply(float a) { return canonical(__builtin_exp2f(a)); }
};
struct Lg2 {
  static float apply(float a) { return canonical(__builtin_log2f(a)); }
};
struct Tanh {
  static float apply(float a) { return canonical(__builtin_tanhf(a)); }
};

/// The angle without its whole turns. The number of turns is the product with 1 / 2π in f32,
/// rounded to zero as on a GPU, so that large angles give the GPU's results.
inline double turned(float a) {
  const double exact = double{a} * double{0.15915494F};
  const auto nearest = static_cast<float>(exact);
  const auto bits = __builtin_bit_cast(uint32_t, nearest);
  const bool isPast = __builtin_fabs(double{nearest}) > __builtin_fabs(exact);
  const double turns = double{__builtin_bit_cast(float, isPast ? bits - 1 : bits)};
  return (turns - __builtin_rint(turns)) * 6.283185307179586;
}
struct Sin {
  static float apply(float a) {
    const float zero = __builtin_copysignf(0.0F, a);
    const auto sine = static_cast<float>(__builtin_sin(turned(a)));
    return canonical(sine == 0 ? zero : sine);
  }
};
struct Cos {
  static float apply(float a) { return canonical(static_cast<float>(__builtin_cos(turned(a)))); }
};

/// Division by a divisor above 2^126 multiplies by zero, because the reciprocal is subnormal.
struct DivApprox {
  static float apply(float a, float b) {
    const float magnitude = __builtin_fabsf(b);
    const bool large = magnitude > 0x1p126F && magnitude < __builtin_inff();
    return canonical(large ? a * __builtin_copysignf(0.0F, b) : a / b);
  }
};

constexpr uint64_t kUpperWord = 0xffffffff00000000ULL;
constexpr uint64_t kDoubleSign = uint64_t{1} << 63;
constexpr uint64_t kDoubleInfinity = uint64_t{0x7ff} << 52;

/// The upper 32 bits of x. Subnormal numbers become zero, and all NaNs become the same NaN.
inline double upperWord(double x) {
  const uint64_t bits = __builtin_bit_cast(uint64_t, x) & kUpperWord;
  const uint64_t magnitude = bits & ~kDoubleSign;
  const uint64_t sign = bits & kDoubleSign;
  const uint64_t flushed = (magnitude & kDoubleInfinity) == 0 ? sign : bits;
  return __builtin_bit_cast(double, magnitude > kDoubleInfinity ? 0x7fffffff00000000ULL : flushed);
}
inline double coarse(double x) {
  return upperWord(x == x ? x : __builtin_bit_cast(double, 0x7fffffff00000000ULL));
}
struct RcpCoarse {
  static double apply(double a) { return coarse(1.0 / upperWord(a)); }
};
struct RsqrtCoarse {
  static double apply(double a) { return coarse(1.0 / __builtin_sqrt(upperWord(a))); }
};

template <class F>
constexpr Handler kFloat = unary<F, float, float>;
template <class F>
constexpr Handler kDouble = unary<F, double, double>;

Handler ofDouble(Op op) {
  switch (op) {
    case Op::rsqrt:
      return kDouble<RsqrtDouble>;
    case Op::rcpCoarse:
      return kDouble<RcpCoarse>;
    case Op::rsqrtCoarse:
      return kDouble<RsqrtCoarse>;
    default:
      return nullptr;
  }
}

Handler ofFloat(Op op) {
  switch (op) {
    case Op::rsqrt:
      return kFloat<Rsqrt>;
    case Op::ex2:
      return kFloat<Ex2>;
    case Op::lg2:
      return kFloat<Lg2>;
    case Op::sin:
      return kFloat<Sin>;
    case Op::cos:
      return kFloat<Cos>;
    case Op::tanh:
      return kFloat<Tanh>;
    case Op::divApprox:
      return binary<DivApprox, float, float, float>;
    default:
      return nullptr;
  }
}

}  // namespace

Handler approximation(Op op, Lane type) {
  if (type == Lane::f32) return ofFloat(op);
  return type == Lane::f64 ? ofDouble(op) : nullptr;
}

}  // namespace tilestep::simt::TILESTEP_ENGINE
