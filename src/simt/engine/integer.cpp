// SPDX-License-Identifier: Apache-2.0
// Integer and bit operations. Arithmetic wraps around, so signed operations use unsigned values
// where C++ leaves overflow undefined.
#include "simt/engine/rows.h"

namespace tilestep::simt::TILESTEP_ENGINE {
namespace {

template <class T>
struct UnsignedOf {
  using type = T;
};
template <>
struct UnsignedOf<int8_t> {
  using type = uint8_t;
};
template <>
struct UnsignedOf<int16_t> {
  using type = uint16_t;
};
template <>
struct UnsignedOf<int32_t> {
  using type = uint32_t;
};
template <>
struct UnsignedOf<int64_t> {
  using type = uint64_t;
};
template <class T>
using Unsigned = typename UnsignedOf<T>::type;

template <class T>
struct WideOf;
template <>
struct WideOf<uint16_t> {
  using type = uint32_t;
};
template <>
struct WideOf<int16_t> {
  using type = int32_t;
};
template <>
struct WideOf<uint32_t> {
  using type = uint64_t;
};
template <>
struct WideOf<int32_t> {
  using type = int64_t;
};
template <>
struct WideOf<uint64_t> {
  using type = unsigned __int128;
};
template <>
struct WideOf<int64_t> {
  using type = __int128;
};
template <class T>
using Wide = typename WideOf<T>::type;

template <class T>
constexpr bool isSigned = static_cast<T>(-1) < static_cast<T>(0);
template <class T>
constexpr unsigned kBits = 8 * sizeof(T);

/// The position or length of a bit field. For 32-bit operations, only the lowest 8 bits count. For
/// 64-bit operations, an H200 uses all bits, and all values beyond the width are equivalent.
template <class T>
inline uint32_t fieldBits(uint32_t x) {
  if constexpr (sizeof(T) == 4) return x & 0xff;
  return x < 0xff ? x : 0xff;
}

template <class T>
struct Integer {
  using U = Unsigned<T>;
  /// x, zero-extended to 64 bits.
  static uint64_t u(T x) { return static_cast<U>(x); }

  struct Mov {
    static T apply(T a) { return a; }
  };
  struct Neg {
    static T apply(T a) { return static_cast<T>(U{0} - static_cast<U>(a)); }
  };
  struct Abs {
    static T apply(T a) { return a < 0 ? Neg::apply(a) : a; }
  };
  struct Not {
    static T apply(T a) { return static_cast<T>(~a); }
  };
  struct Add {
    static T apply(T a, T b) { return static_cast<T>(static_cast<U>(a) + static_cast<U>(b)); }
  };
  struct Sub {
    static T apply(T a, T b) { return static_cast<T>(static_cast<U>(a) - static_cast<U>(b)); }
  };
  struct Mul {
    static T apply(T a, T b) {
      if constexpr (sizeof(T) < 4)
        return static_cast<T>(uint32_t{static_cast<U>(a)} * static_cast<U>(b));
      else
        return static_cast<T>(static_cast<U>(a) * static_cast<U>(b));
    }
  };
  struct Mad {
    static T apply(T a, T b, T c) { return Add::apply(Mul::apply(a, b), c); }
  };
  struct MulHigh {
    static T apply(T a, T b) { return static_cast<T>((Wide<T>{a} * b) >> kBits<T>); }
  };
  struct MulWide {
    static Wide<T> apply(T a, T b) {
      // The product of two 16-bit numbers fits the wide type, but may overflow C++'s int.
      return static_cast<Wide<T>>(static_cast<Unsigned<Wide<T>>>(static_cast<Wide<T>>(a)) *
                                  static_cast<Unsigned<Wide<T>>>(static_cast<Wide<T>>(b)));
    }
  };
  /// Division by zero gives all ones for quotient and remainder, as on an H200. PTX leaves this
  /// undefined.
  struct Div {
    static T apply(T a, T b) {
      if (b == 0) return static_cast<T>(~U{0});
      if (isSigned<T> && b == static_cast<T>(-1)) return Neg::apply(a);
      return static_cast<T>(a / b);
    }
  };
  struct Rem {
    static T apply(T a, T b) {
      if (b == 0) return static_cast<T>(~U{0});
      if (isSigned<T> && b == static_cast<T>(-1)) return 0;
      return static_cast<T>(a % b);
    }
  };
  struct Min {
    static T apply(T a, T b) { return b < a ? b : a; }
  };
  struct Max {
    static T apply(T a, T b) { return a < b ? b : a; }
  };
  struct And {
    static T apply(T a, T b) { return static_cast<T>(a & b); }
  };
  struct Or {
    static T apply(T a, T b) { return static_cast<T>(a | b); }
  };
  struct Xor {
    static T apply(T a, T b) { return static_cast<T>(a ^ b); }
  };
  /// Shift amounts greater than the width count as the width.
  struct Shl {
    static T apply(T a, uint32_t by) {
      const auto shifted = static_cast<U>(static_cast<U>(a) << (by & (kBits<T> - 1)));
      return static_cast<T>(by < kBits<T> ? shifted : U{0});
    }
  };
  struct Shr {
    static T apply(T a, uint32_t by) {
      if constexpr (isSigned<T>) {
        return static_cast<T>(a >> (by < kBits<T> ? by : kBits<T> - 1));
      } else {
        const auto shifted = static_cast<T>(a >> (by & (kBits<T> - 1)));
        return by < kBits<T> ? shifted : T{0};
      }
    }
  };
  struct Select {
    static T apply(T a, T b, uint32_t p) { return p != 0 ? a : b; }
  };

  struct Popc {
    static uint32_t apply(T a) { return __builtin_popcountll(u(a)); }
  };
  struct Clz {
    static uint32_t apply(T a) {
      return u(a) == 0 ? kBits<T> : __builtin_clzll(u(a)) - (64 - kBits<T>);
    }
  };
  struct Brev {
    static T apply(T a) {
      uint64_t in = u(a), out = 0;
      for (unsigned i = 0; i < kBits<T>; ++i) out |= ((in >> i) & 1) << (kBits<T> - 1 - i);
      return static_cast<T>(out);
    }
  };
  /// The position of the highest bit that differs from the sign bit; all ones if there is none.
  struct Bfind {
    static uint32_t apply(T a) {
      const uint64_t bits = static_cast<U>(isSigned<T> && a < 0 ? ~a : a);
      return bits == 0 ? 0xffffffffu : 63 - __builtin_clzll(bits);
    }
  };
  struct Bfe {
    static T apply(T a, uint32_t position, uint32_t length) {
      position = fieldBits<T>(position);
      length = fieldBits<T>(length);
      const uint64_t in = isSigned<T> ? static_cast<uint64_t>(static_cast<int64_t>(a)) : u(a);
      const uint32_t top = position + length < kBits<T> ? position + length : kBits<T>;
      if (length == 0) return 0;
      const bool sign = isSigned<T> && ((in >> (top - 1 < 63 ? top - 1 : 63)) & 1);
      const uint64_t shifted = position >= kBits<T> ? 0 : u(a) >> position;
      const uint64_t keep = length >= 64 ? ~uint64_t{0} : (uint64_t{1} << length) - 1;
      const uint32_t width = position >= kBits<T> ? 0 : top - position;
      const uint64_t high = width >= 64 ? 0 : ~uint64_t{0} << width;
      return static_cast<T>(sign ? (shifted & keep) | high : shifted & keep);
    }
  };
};

/// Inserts `length` bits of a into b at `position`. With its four sources, it cannot use ternary().
template <class T>
void bfi(Context& context, const Instr& in) {
  auto* d = row<Cell<T>>(context.registers, in.d);
  const auto* a = row<Cell<T>>(context.registers, in.a);
  const auto* b = row<Cell<T>>(context.registers, in.b);
  const auto* c = row<uint32_t>(context.registers, in.c);
  const auto* l = row<uint32_t>(context.registers, in.address);
  for (uint32_t i = 0; i < kLanes; ++i) {
    const uint32_t position = fieldBits<T>(c[i]), length = fieldBits<T>(l[i]);
    const T ones =
        length >= kBits<T> ? static_cast<T>(~T{0}) : static_cast<T>((T{1} << length) - 1);
    const T mask = position >= kBits<T> ? T{0} : static_cast<T>(ones << position);
    const T moved = position >= kBits<T> ? T{0} : static_cast<T>(a[i] << position);
    d[i] = (moved & mask) | (b[i] & ~mask);
  }
}

template <class T>
Handler of(Op op) {
  using I = Integer<T>;
  switch (op) {
    case Op::mov:
      return unary<typename I::Mov, T, T>;
    case Op::neg:
      return unary<typename I::Neg, T, T>;
    case Op::abs:
      return unary<typename I::Abs, T, T>;
    case Op::bitNot:
      return unary<typename I::Not, T, T>;
    case Op::popc:
      return unary<typename I::Popc, uint32_t, T>;
    case Op::clz:
      return unary<typename I::Clz, uint32_t, T>;
    case Op::brev:
      return unary<typename I::Brev, T, T>;
    case Op::bfind:
      return unary<typename I::Bfind, uint32_t, T>;
    case Op::add:
      return binary<typename I::Add, T, T, T>;
    case Op::sub:
      return binary<typename I::Sub, T, T, T>;
    case Op::mul:
      return binary<typename I::Mul, T, T, T>;
    case Op::mulHigh:
      return binary<typename I::MulHigh, T, T, T>;
    case Op::mulWide:
      if constexpr (sizeof(T) < 8)
        return binary<typename I::MulWide, Wide<T>, T, T>;
      else
        return nullptr;
    case Op::mad:
      return ternary<typename I::Mad, T, T, T, T>;
    case Op::div:
      return binary<typename I::Div, T, T, T>;
    case Op::rem:
      return binary<typename I::Rem, T, T, T>;
    case Op::min:
      return binary<typename I::Min, T, T, T>;
    case Op::max:
      return binary<typename I::Max, T, T, T>;
    case Op::bitAnd:
      return binary<typename I::And, T, T, T>;
    case Op::bitOr:
      return binary<typename I::Or, T, T, T>;
    case Op::bitXor:
      return binary<typename I::Xor, T, T, T>;
    case Op::shl:
      return binary<typename I::Shl, T, T, uint32_t>;
    case Op::shr:
      return binary<typename I::Shr, T, T, uint32_t>;
    case Op::select:
      return ternary<typename I::Select, T, T, T, uint32_t>;
    case Op::bfe:
      return ternary<typename I::Bfe, T, T, uint32_t, uint32_t>;
    case Op::bfi:
      if constexpr (sizeof(T) >= 4 && !isSigned<T>)
        return bfi<T>;
      else
        return nullptr;
    default:
      return nullptr;
  }
}

}  // namespace

Handler integerArithmetic(Op op, Lane type) {
  if (const Handler modal = modalArithmetic(op)) return modal;
  switch (type) {
    case Lane::u16:
      return of<uint16_t>(op);
    case Lane::s16:
      return of<int16_t>(op);
    case Lane::u32:
      return of<uint32_t>(op);
    case Lane::s32:
      return of<int32_t>(op);
    case Lane::u64:
      return of<uint64_t>(op);
    case Lane::s64:
      return of<int64_t>(op);
    default:
      return nullptr;
  }
}

}  // namespace tilestep::simt::TILESTEP_ENGINE
