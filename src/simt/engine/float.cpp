// SPDX-License-Identifier: Apache-2.0
// f32 and f64 operations. Sums and products are IEEE 754, rounded to nearest even and never fused
// unless the operation is fma; f32 results that are no number become PTX's canonical NaN.
#include "simt/engine/directed.h"
#include "simt/engine/rows.h"

namespace tilestep::simt::TILESTEP_ENGINE {
namespace {

inline float canonical(float x) {
  return x == x ? x : __builtin_bit_cast(float, uint32_t{0x7fffffff});
}
inline double canonical(double x) {
  return x;
}

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

template <class T>
struct Float {
  struct Neg {
    static T apply(T a) { return real<T>(bits(a) ^ kSign<T>); }
  };
  struct Abs {
    static T apply(T a) { return real<T>(bits(a) & ~kSign<T>); }
  };
  struct Add {
    static T apply(T a, T b) { return canonical(a + b); }
  };
  struct Sub {
    static T apply(T a, T b) { return canonical(a - b); }
  };
  struct Mul {
    static T apply(T a, T b) { return canonical(a * b); }
  };
  struct Div {
    static T apply(T a, T b) { return canonical(a / b); }
  };
  struct Fma {
    static T apply(T a, T b, T c) { return canonical(fused(a, b, c)); }
  };
  struct Rcp {
    static T apply(T a) { return canonical(T{1} / a); }
  };
  struct Sqrt {
    static T apply(T a) { return canonical(root(a)); }
  };
  struct Rsqrt {
    static T apply(T a) { return canonical(static_cast<T>(1.0 / __builtin_sqrt(a))); }
  };
  /// A NaN gives way to the other operand, and minus zero is below plus zero.
  struct Min {
    static T apply(T a, T b) {
      const T both = real<T>(bits(a) | bits(b));
      const T less = a < b ? a : (a == b ? both : b);
      return canonical(a != a ? b : (b != b ? a : less));
    }
  };
  struct Max {
    static T apply(T a, T b) {
      const T both = real<T>(bits(a) & bits(b));
      const T more = a > b ? a : (a == b ? both : b);
      return canonical(a != a ? b : (b != b ? a : more));
    }
  };
  /// PTX gives a's sign to b.
  struct CopySign {
    static T apply(T a, T b) { return real<T>((bits(a) & kSign<T>) | (bits(b) & ~kSign<T>)); }
  };
  /// NaN becomes plus zero.
  struct Saturate {
    static T apply(T a) { return a > T{0} ? (a < T{1} ? a : T{1}) : T{0}; }
  };
  /// Subnormal numbers become zero of the same sign.
  struct Flush {
    static T apply(T a) {
      constexpr Bits<T> kExponent = sizeof(T) == 8 ? static_cast<Bits<T>>(0x7ff0000000000000ULL)
                                                   : static_cast<Bits<T>>(0x7f800000u);
      return (bits(a) & kExponent) == 0 ? real<T>(bits(a) & kSign<T>) : a;
    }
  };
};

/// The approximations of PTX, here as exact as the host's library is: within their error bounds,
/// but not the GPU's bits.
struct Ex2 {
  static float apply(float a) { return canonical(__builtin_exp2f(a)); }
};
struct Lg2 {
  static float apply(float a) { return canonical(__builtin_log2f(a)); }
};
struct Sin {
  static float apply(float a) { return canonical(__builtin_sinf(a)); }
};
struct Cos {
  static float apply(float a) { return canonical(__builtin_cosf(a)); }
};
struct Tanh {
  static float apply(float a) { return canonical(__builtin_tanhf(a)); }
};

template <class T>
Handler of(Op op) {
  using F = Float<T>;
  switch (op) {
    case Op::neg:
      return unary<typename F::Neg, T, T>;
    case Op::abs:
      return unary<typename F::Abs, T, T>;
    case Op::add:
      return binary<typename F::Add, T, T, T>;
    case Op::sub:
      return binary<typename F::Sub, T, T, T>;
    case Op::mul:
      return binary<typename F::Mul, T, T, T>;
    case Op::div:
      return binary<typename F::Div, T, T, T>;
    case Op::mad:
    case Op::fma:
      return ternary<typename F::Fma, T, T, T, T>;
    case Op::rcp:
      return unary<typename F::Rcp, T, T>;
    case Op::sqrt:
      return unary<typename F::Sqrt, T, T>;
    case Op::rsqrt:
      return unary<typename F::Rsqrt, T, T>;
    case Op::min:
      return binary<typename F::Min, T, T, T>;
    case Op::max:
      return binary<typename F::Max, T, T, T>;
    case Op::copysign:
      return binary<typename F::CopySign, T, T, T>;
    case Op::saturate:
      return unary<typename F::Saturate, T, T>;
    case Op::flush:
      return unary<typename F::Flush, T, T>;
    default:
      return nullptr;
  }
}

Handler approximate(Op op) {
  switch (op) {
    case Op::ex2:
      return unary<Ex2, float, float>;
    case Op::lg2:
      return unary<Lg2, float, float>;
    case Op::sin:
      return unary<Sin, float, float>;
    case Op::cos:
      return unary<Cos, float, float>;
    case Op::tanh:
      return unary<Tanh, float, float>;
    default:
      return nullptr;
  }
}

template <Round round>
struct Directed {
  struct Add {
    static float apply(float a, float b) {
      return canonical(directedSum(double{a}, double{b}, round));
    }
  };
  struct Sub {
    static float apply(float a, float b) {
      return canonical(directedSum(double{a}, -double{b}, round));
    }
  };
  struct Mul {
    static float apply(float a, float b) {
      return canonical(directedFloat(double{a} * double{b}, 0, round));
    }
  };
  struct Fma {
    static float apply(float a, float b, float c) {
      return canonical(directedSum(double{a} * double{b}, double{c}, round));
    }
  };
};

template <Round round>
Handler directed(Op op) {
  using D = Directed<round>;
  switch (op) {
    case Op::add:
      return binary<typename D::Add, float, float, float>;
    case Op::sub:
      return binary<typename D::Sub, float, float, float>;
    case Op::mul:
      return binary<typename D::Mul, float, float, float>;
    case Op::mad:
    case Op::fma:
      return ternary<typename D::Fma, float, float, float, float>;
    default:
      return nullptr;
  }
}

}  // namespace

Handler floatArithmetic(Op op, Lane type, Round round) {
  if (type == Lane::f64) return round == Round::nearest ? of<double>(op) : nullptr;
  switch (round) {
    case Round::zero:
      return directed<Round::zero>(op);
    case Round::down:
      return directed<Round::down>(op);
    case Round::up:
      return directed<Round::up>(op);
    default:
      break;
  }
  const Handler handler = of<float>(op);
  return handler != nullptr ? handler : approximate(op);
}

}  // namespace tilestep::simt::TILESTEP_ENGINE
