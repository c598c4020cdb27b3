// SPDX-License-Identifier: Apache-2.0
// f16 and bf16, alone and in pairs. Every operation is computed in double and then rounded to the
// half type. The double is exact or rounded to odd, so the result is as if rounded once.
#include "simt/engine/rounding.h"

namespace tilestep::simt::TILESTEP_ENGINE {
namespace {

/// The NaN (without its sign) that marks an out-of-bounds access, in both formats.
constexpr uint32_t kOutOfBounds = 0x7ff7;

template <class F>
struct Narrow {
  /// Rounds to nearest even. NaN becomes the canonical NaN.
  static uint32_t of(double x) { return x == x ? narrow<F, Round::nearest>(x) : F::kNan; }
  /// Like of(), but zero if x, rounded to the precision of F, is below the normal numbers.
  static uint32_t flushed(double x) {
    constexpr double kLimit = F::kMantissa == 10 ? 0x1.ffep-15 : 0x1.ffp-127;
    return __builtin_fabs(x) < kLimit ? (__builtin_signbit(x) ? F::kSign : 0) : of(x);
  }
  static double in(uint32_t a) { return widen<F>(Flush::apply(a)); }
  static uint32_t magnitude(uint32_t a) { return a & (F::kSign - 1); }
  static bool isNan(uint32_t a) { return magnitude(a) > F::kInfinity; }
  /// An integer that is ordered like the number, with minus zero below plus zero.
  static int32_t order(uint32_t a) {
    return (a & F::kSign) != 0 ? -1 - static_cast<int32_t>(magnitude(a)) : static_cast<int32_t>(a);
  }

  struct Neg {
    static uint32_t apply(uint32_t a) { return isNan(a) ? F::kNan : a ^ F::kSign; }
  };
  struct Abs {
    static uint32_t apply(uint32_t a) { return isNan(a) ? F::kNan : magnitude(a); }
  };
  struct Flush {
    static uint32_t apply(uint32_t a) {
      return magnitude(a) < (1u << F::kMantissa) ? a & F::kSign : a;
    }
  };
  struct Relu {
    static uint32_t apply(uint32_t a) { return isNan(a) ? F::kNan : (a & F::kSign) != 0 ? 0 : a; }
  };
  struct Saturate {
    static uint32_t apply(uint32_t a) {
      constexpr auto kOne = static_cast<uint32_t>(F::kBias) << F::kMantissa;
      const uint32_t most = a < kOne ? a : kOne;
      return isNan(a) || (a & F::kSign) != 0 ? 0 : most;
    }
  };
  struct SaturateFinite {
    static uint32_t apply(uint32_t a) { return magnitude(a) == F::kInfinity ? a - 1 : a; }
  };
  struct Add {
    static uint32_t apply(uint32_t a, uint32_t b) { return of(oddSum(widen<F>(a), widen<F>(b))); }
  };
  struct Sub {
    static uint32_t apply(uint32_t a, uint32_t b) { return of(oddSum(widen<F>(a), -widen<F>(b))); }
  };
  struct Mul {
    static uint32_t apply(uint32_t a, uint32_t b) { return of(widen<F>(a) * widen<F>(b)); }
  };
  struct Fma {
    static uint32_t apply(uint32_t a, uint32_t b, uint32_t c) {
      return of(oddSum(widen<F>(a) * widen<F>(b), widen<F>(c)));
    }
  };
  struct MulFtz {
    static uint32_t apply(uint32_t a, uint32_t b) { return flushed(in(a)*in(b)); }
  };
  struct FmaFtz {
    static uint32_t apply(uint32_t a, uint32_t b, uint32_t c) {
      return flushed(oddSum(in(a)*in(b), in(c)));
    }
  };
  struct Min {
    static uint32_t apply(uint32_t a, uint32_t b) {
      const uint32_t less = order(a) < order(b) ? a : b;
      return isNan(a) ? (isNan(b) ? F::kNan : b) : isNan(b) ? a : less;
    }
  };
  struct Max {
    static uint32_t apply(uint32_t a, uint32_t b) {
      const uint32_t more = order(a) > order(b) ? a : b;
      return isNan(a) ? (isNan(b) ? F::kNan : b) : isNan(b) ? a : more;
    }
  };
  struct MinNan {
    static uint32_t apply(uint32_t a, uint32_t b) {
      return isNan(a) || isNan(b) ? F::kNan : Min::apply(a, b);
    }
  };
  struct MaxNan {
    static uint32_t apply(uint32_t a, uint32_t b) {
      return isNan(a) || isNan(b) ? F::kNan : Max::apply(a, b);
    }
  };
  struct XorSign {
    static uint32_t apply(uint32_t a, uint32_t b, uint32_t c) {
      return isNan(c) ? c : magnitude(c) | ((a ^ b) & F::kSign);
    }
  };
  struct ZeroOob {
    static uint32_t apply(uint32_t a, uint32_t b, uint32_t c) {
      return magnitude(a) == kOutOfBounds || magnitude(b) == kOutOfBounds ? 0 : c;
    }
  };
  struct Ex2 {
    static uint32_t apply(uint32_t a) {
      return of(__builtin_exp2f(static_cast<float>(widen<F>(a))));
    }
  };
  struct Tanh {
    static uint32_t apply(uint32_t a) {
      return of(__builtin_tanhf(static_cast<float>(widen<F>(a))));
    }
  };
};

/// Applies F to the 16-bit value in a cell (One), or to each of two (Two).
template <class F>
struct One {
  static uint32_t apply(uint32_t a) { return F::apply(a & 0xffff); }
  static uint32_t apply(uint32_t a, uint32_t b) { return F::apply(a & 0xffff, b & 0xffff); }
  static uint32_t apply(uint32_t a, uint32_t b, uint32_t c) {
    return F::apply(a & 0xffff, b & 0xffff, c & 0xffff);
  }
};
template <class F>
struct Two {
  static uint32_t apply(uint32_t a) { return One<F>::apply(a) | F::apply(a >> 16) << 16; }
  static uint32_t apply(uint32_t a, uint32_t b) {
    return One<F>::apply(a, b) | F::apply(a >> 16, b >> 16) << 16;
  }
  static uint32_t apply(uint32_t a, uint32_t b, uint32_t c) {
    return One<F>::apply(a, b, c) | F::apply(a >> 16, b >> 16, c >> 16) << 16;
  }
};

template <template <class> class Lanes, class F>
Handler of(Op op) {
  using N = Narrow<F>;
  using W = uint32_t;
  switch (op) {
    case Op::neg:
      return unary<Lanes<typename N::Neg>, W, W>;
    case Op::abs:
      return unary<Lanes<typename N::Abs>, W, W>;
    case Op::flush:
      return unary<Lanes<typename N::Flush>, W, W>;
    case Op::relu:
      return unary<Lanes<typename N::Relu>, W, W>;
    case Op::saturate:
      return unary<Lanes<typename N::Saturate>, W, W>;
    case Op::saturateFinite:
      return unary<Lanes<typename N::SaturateFinite>, W, W>;
    case Op::ex2:
      return unary<Lanes<typename N::Ex2>, W, W>;
    case Op::tanh:
      return unary<Lanes<typename N::Tanh>, W, W>;
    case Op::add:
      return binary<Lanes<typename N::Add>, W, W, W>;
    case Op::sub:
      return binary<Lanes<typename N::Sub>, W, W, W>;
    case Op::mul:
      return binary<Lanes<typename N::Mul>, W, W, W>;
    case Op::mulFtz:
      return binary<Lanes<typename N::MulFtz>, W, W, W>;
    case Op::fmaFtz:
      return ternary<Lanes<typename N::FmaFtz>, W, W, W, W>;
    case Op::min:
      return binary<Lanes<typename N::Min>, W, W, W>;
    case Op::max:
      return binary<Lanes<typename N::Max>, W, W, W>;
    case Op::minNan:
      return binary<Lanes<typename N::MinNan>, W, W, W>;
    case Op::maxNan:
      return binary<Lanes<typename N::MaxNan>, W, W, W>;
    case Op::fma:
      return ternary<Lanes<typename N::Fma>, W, W, W, W>;
    case Op::xorSign:
      return ternary<Lanes<typename N::XorSign>, W, W, W, W>;
    case Op::zeroOob:
      return ternary<Lanes<typename N::ZeroOob>, W, W, W, W>;
    default:
      return nullptr;
  }
}

}  // namespace

Handler halfArithmetic(Op op, Lane type) {
  switch (type) {
    case Lane::f16:
      return of<One, Half>(op);
    case Lane::f16x2:
      return of<Two, Half>(op);
    case Lane::bf16:
      return of<One, Bfloat>(op);
    case Lane::bf16x2:
      return of<Two, Bfloat>(op);
    default:
      return nullptr;
  }
}

}  // namespace tilestep::simt::TILESTEP_ENGINE
