// SPDX-License-Identifier: Apache-2.0
// f32 and f64 operations. Sums and products follow IEEE 754 and are never fused unless the
// operation is fma. NaN results of f32 become PTX's canonical NaN. NaN results of f64 keep an
// operand's payload, with the same precedence of operands as on an H200.
#include "simt/engine/directed.h"

namespace tilestep::simt::TILESTEP_ENGINE {
namespace {

inline float fused(float a, float b, float c) {
  return __builtin_fmaf(a, b, c);
}
inline double fused(double a, double b, double c) {
  return __builtin_fma(a, b, c);
}
inline float root(float a) {
  return __builtin_sqrtf(a);
}
inline double root(double a) {
  return __builtin_sqrt(a);
}

template <class T>
struct BitsOf {
  using type = uint32_t;
};
template <>
struct BitsOf<double> {
  using type = uint64_t;
};
template <class T>
using Bits = typename BitsOf<T>::type;
template <class T>
constexpr Bits<T> kSign = Bits<T>{1} << (8 * sizeof(T) - 1);
template <class T>
inline Bits<T> bits(T x) {
  return __builtin_bit_cast(Bits<T>, x);
}
template <class T>
inline T real(Bits<T> x) {
  return __builtin_bit_cast(T, x);
}

inline bool isNan(float x) {
  return x != x;
}
inline bool isNan(double x) {
  return x != x;
}
/// The NaN result of an invalid operation without NaN operands.
inline float invalid(float) {
  return real<float>(0x7fffffffu);
}
inline double invalid(double) {
  return real<double>(0xfff8000000000000ULL);
}
inline float canonical(float x) {
  return isNan(x) ? invalid(x) : x;
}
/// The NaN x, made quiet, with its payload.
inline double quiet(double x) {
  return real<double>(bits(x) | 0x0008000000000000ULL);
}
/// The final result of an operation. If `result` is NaN, f64 takes the first source that is NaN,
/// and f32 the canonical NaN.
inline float settled(float result, float, float) {
  return canonical(result);
}
inline float settled(float result, float, float, float) {
  return canonical(result);
}
inline double settled(double result, double first, double second) {
  const double nan = isNan(first) ? quiet(first) : isNan(second) ? quiet(second) : invalid(result);
  return isNan(result) ? nan : result;
}
inline double settled(double result, double first, double second, double third) {
  return isNan(first) ? quiet(first) : settled(result, second, third);
}

template <class T>
struct Float {
  struct Neg {
    static T apply(T a) { return settled(real<T>(bits(a) ^ kSign<T>), a, a); }
  };
  struct Abs {
    static T apply(T a) { return settled(real<T>(bits(a) & ~kSign<T>), a, a); }
  };
  struct Canonical {
    static T apply(T a) { return settled(a, a, a); }
  };
  struct Add {
    static T apply(T a, T b) { return settled(a + b, b, a); }
  };
  struct Sub {
    static T apply(T a, T b) { return settled(a - b, b, a); }
  };
  struct Mul {
    static T apply(T a, T b) { return settled(a * b, b, a); }
  };
  struct Div {
    static T apply(T a, T b) { return settled(a / b, a, b); }
  };
  struct Fma {
    static T apply(T a, T b, T c) { return settled(fused(a, b, c), b, c, a); }
  };
  struct Rcp {
    static T apply(T a) { return settled(T{1} / a, a, a); }
  };
  struct Sqrt {
    static T apply(T a) { return settled(root(a), a, a); }
  };
  /// If one operand is NaN, the result is the other operand. Minus zero is less than plus zero.
  struct Min {
    static T apply(T a, T b) {
      const T both = real<T>(bits(a) | bits(b));
      const T less = a < b ? a : (a == b ? both : b);
      return settled(isNan(a) ? b : (isNan(b) ? a : less), b, a);
    }
  };
  struct Max {
    static T apply(T a, T b) {
      const T both = real<T>(bits(a) & bits(b));
      const T more = a > b ? a : (a == b ? both : b);
      return settled(isNan(a) ? b : (isNan(b) ? a : more), b, a);
    }
  };
  struct MinNan {
    static T apply(T a, T b) { return isNan(a) || isNan(b) ? invalid(a) : Min::apply(a, b); }
  };
  struct MaxNan {
    static T apply(T a, T b) { return isNan(a) || isNan(b) ? invalid(a) : Max::apply(a, b); }
  };
  /// The sign comes from a, as in PTX.
  struct CopySign {
    static T apply(T a, T b) { return real<T>((bits(a) & kSign<T>) | (bits(b) & ~kSign<T>)); }
  };
  struct XorSign {
    static T apply(T a, T b, T c) {
      const T result = real<T>(((bits(a) ^ bits(b)) & kSign<T>) | (bits(c) & ~kSign<T>));
      return isNan(c) ? c : result;
    }
  };
  /// NaN becomes plus zero.
  struct Saturate {
    static T apply(T a) { return a > T{0} ? (a < T{1} ? a : T{1}) : T{0}; }
  };
  static constexpr auto kExponent =
      static_cast<Bits<T>>(sizeof(T) == 8 ? 0x7ff0000000000000ULL : 0x7f800000ULL);
  struct Relu {
    static T apply(T a) { return isNan(a) || a > T{0} ? settled(a, a, a) : T{0}; }
  };
  /// Subnormal numbers become zero of the same sign.
  struct Flush {
    static T apply(T a) {
      return (bits(a) & kExponent) == 0 ? real<T>(bits(a) & kSign<T>) : settled(a, a, a);
    }
  };
  /// All ones if a passes the FloatTest `test`, else 0.
  static uint32_t is(T a, uint32_t test) {
    const Bits<T> magnitude = bits(a) & ~kSign<T>, exponent = bits(a) & kExponent;
    bool yes = false;
    if (test == kFinite) yes = exponent != kExponent;
    if (test == kInfinite) yes = magnitude == kExponent;
    if (test == kNumber) yes = magnitude <= kExponent;
    if (test == kNotANumber) yes = magnitude > kExponent;
    if (test == kNormal) yes = exponent != kExponent && (exponent != 0 || magnitude == 0);
    if (test == kSubnormal) yes = exponent == 0 && magnitude != 0;
    return yes ? 0xffffffffu : 0;
  }
};

template <class T>
void testp(Context& context, const Instr& in) {
  auto* d = row<uint32_t>(context.registers, in.d);
  const auto* a = row<Cell<T>>(context.registers, in.a);
  const auto test = static_cast<uint32_t>(in.offset);
  TILESTEP_LANES
  for (uint32_t i = 0; i < kLanes; ++i) d[i] = Float<T>::is(get<T>(a[i]), test);
}

template <class T>
Handler of(Op op) {
  using F = Float<T>;
  switch (op) {
    case Op::neg:
      return unary<typename F::Neg, T, T>;
    case Op::abs:
      return unary<typename F::Abs, T, T>;
    case Op::canonical:
      return unary<typename F::Canonical, T, T>;
    case Op::add:
      return binary<typename F::Add, T, T, T>;
    case Op::sub:
      return binary<typename F::Sub, T, T, T>;
    case Op::mul:
      return binary<typename F::Mul, T, T, T>;
    case Op::div:
      return binary<typename F::Div, T, T, T>;
    case Op::fma:
      return ternary<typename F::Fma, T, T, T, T>;
    case Op::rcp:
      return unary<typename F::Rcp, T, T>;
    case Op::sqrt:
      return unary<typename F::Sqrt, T, T>;
    case Op::min:
      return binary<typename F::Min, T, T, T>;
    case Op::max:
      return binary<typename F::Max, T, T, T>;
    case Op::minNan:
      return binary<typename F::MinNan, T, T, T>;
    case Op::maxNan:
      return binary<typename F::MaxNan, T, T, T>;
    case Op::copysign:
      return binary<typename F::CopySign, T, T, T>;
    case Op::xorSign:
      return ternary<typename F::XorSign, T, T, T, T>;
    case Op::testp:
      return testp<T>;
    case Op::saturate:
      return unary<typename F::Saturate, T, T>;
    case Op::relu:
      return unary<typename F::Relu, T, T>;
    case Op::flush:
      return unary<typename F::Flush, T, T>;
    default:
      return nullptr;
  }
}

template <class T>
Handler directedOf(Op op, Round round) {
  using F = Float<T>;
  switch (op) {
    case Op::add:
      return inDirection<binary<typename F::Add, T, T, T>>(round);
    case Op::sub:
      return inDirection<binary<typename F::Sub, T, T, T>>(round);
    case Op::mul:
      return inDirection<binary<typename F::Mul, T, T, T>>(round);
    case Op::div:
      return inDirection<binary<typename F::Div, T, T, T>>(round);
    case Op::rcp:
      return inDirection<unary<typename F::Rcp, T, T>>(round);
    case Op::sqrt:
      return inDirection<unary<typename F::Sqrt, T, T>>(round);
    case Op::fma:
      return inDirection<ternary<typename F::Fma, T, T, T, T>>(round);
    default:
      return nullptr;
  }
}

}  // namespace

Handler floatArithmetic(Op op, Lane type, Round round) {
  const bool wide = type == Lane::f64;
  if (round != Round::nearest) {
    return wide ? directedOf<double>(op, round) : directedOf<float>(op, round);
  }
  if (wide) return of<double>(op);
  return of<float>(op);
}

}  // namespace tilestep::simt::TILESTEP_ENGINE
