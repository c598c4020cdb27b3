// SPDX-License-Identifier: Apache-2.0
// atom and red. Lanes take turns in ascending or random order. Blocks of a launch run on several
// host threads, so updates of global (not shared) memory use the host's atomics.
#include "simt/engine/access.h"
#include "simt/engine/rounding.h"
#include "simt/engine/turns.h"

namespace tilestep::simt::TILESTEP_ENGINE {
namespace {

/// Replaces subnormal numbers by zeros of the same sign, as additions to global memory on a GPU do.
inline float flushed(float value) {
  const auto bits = __builtin_bit_cast(uint32_t, value);
  return (bits & 0x7f800000u) == 0 ? __builtin_bit_cast(float, bits & 0x80000000u) : value;
}

struct Add {
  template <class T>
  static T apply(T old, T b, T, bool) {
    return old + b;
  }
};
/// PTX ISA 9.0, atom: f32 additions flush subnormals in global memory, not in shared memory.
struct AddFloat {
  static float apply(float old, float b, float, bool global) {
    return global ? flushed(flushed(old) + flushed(b)) : old + b;
  }
};
/// A double has at least 2p + 2 significant bits if a half type has p, so rounding twice equals
/// rounding once. Every NaN becomes 0x7fff.
template <class Format>
struct AddNarrow {
  static uint16_t apply(uint16_t old, uint16_t b, uint16_t, bool) {
    const double sum = widen<Format>(old) + widen<Format>(b);
    const bool isNan = sum != sum;
    return isNan ? 0x7fff : static_cast<uint16_t>(narrow<Format, Round::nearest>(sum));
  }
};
using AddHalf = AddNarrow<Half>;
using AddBfloat = AddNarrow<Bfloat>;
template <class F>
struct Twice {
  static uint32_t apply(uint32_t old, uint32_t b, uint32_t, bool global) {
    const auto low = F::apply(static_cast<uint16_t>(old), static_cast<uint16_t>(b), 0, global);
    const auto high =
        F::apply(static_cast<uint16_t>(old >> 16), static_cast<uint16_t>(b >> 16), 0, global);
    return low | (uint32_t{high} << 16);
  }
};
struct Min {
  template <class T>
  static T apply(T old, T b, T, bool) {
    return b < old ? b : old;
  }
};
struct Max {
  template <class T>
  static T apply(T old, T b, T, bool) {
    return old < b ? b : old;
  }
};
struct Increment {
  static uint32_t apply(uint32_t old, uint32_t b, uint32_t, bool) { return old >= b ? 0 : old + 1; }
};
struct Decrement {
  static uint32_t apply(uint32_t old, uint32_t b, uint32_t, bool) {
    return old == 0 || old > b ? b : old - 1;
  }
};
struct Exchange {
  template <class T>
  static T apply(T, T b, T, bool) {
    return b;
  }
};
struct CompareAndSwap {
  template <class T>
  static T apply(T old, T b, T c, bool) {
    return old == b ? c : old;
  }
};
struct And {
  template <class T>
  static T apply(T old, T b, T, bool) {
    return old & b;
  }
};
struct Or {
  template <class T>
  static T apply(T old, T b, T, bool) {
    return old | b;
  }
};
struct Xor {
  template <class T>
  static T apply(T old, T b, T, bool) {
    return old ^ b;
  }
};

template <unsigned bytes>
struct WordOfBytes {
  using type = uint64_t;
};
template <>
struct WordOfBytes<4> {
  using type = uint32_t;
};
template <>
struct WordOfBytes<2> {
  using type = uint16_t;
};

/// Applies F and returns the old value. `host` must be aligned.
template <class F, class T>
inline T update(uint8_t* host, T b, T c, bool global, bool alone) {
  using Word = typename WordOfBytes<sizeof(T)>::type;
  Word* word = static_cast<Word*>(__builtin_assume_aligned(host, sizeof(Word)));
  const auto next = [&](Word old) {
    return __builtin_bit_cast(Word, F::apply(__builtin_bit_cast(T, old), b, c, global));
  };
  if (!global || alone) {
    Word old;
    __builtin_memcpy(&old, host, sizeof old);
    const Word value = next(old);
    __builtin_memcpy(host, &value, sizeof value);
    return __builtin_bit_cast(T, old);
  }
  Word old = __atomic_load_n(word, __ATOMIC_RELAXED);
  while (!__atomic_compare_exchange_n(word, &old, next(old), true, __ATOMIC_SEQ_CST,
                                      __ATOMIC_RELAXED)) {
  }
  return __builtin_bit_cast(T, old);
}

inline uint64_t addressOf(const Context& context, const Instr& in, uint32_t lane) {
  const uint64_t base = in.wideAddress ? row<uint64_t>(context.registers, in.address)[lane]
                                       : row<uint32_t>(context.registers, in.address)[lane];
  return base + static_cast<uint64_t>(in.offset);
}

template <class F, class T>
void atomic(Context& context, const Instr& in) {
  uint64_t addresses[kLanes];
  T b[kLanes], c[kLanes];
  for (uint32_t mask = context.mask; mask != 0; mask &= mask - 1) {
    const auto lane = static_cast<uint32_t>(__builtin_ctz(mask));
    addresses[lane] = addressOf(context, in, lane);
    b[lane] = get<T>(row<Cell<T>>(context.registers, in.a)[lane]);
    c[lane] = get<T>(row<Cell<T>>(context.registers, in.b)[lane]);
  }
  Cell<T>* d = in.d == kNoRow ? nullptr : row<Cell<T>>(context.registers, in.d);
  const Turns turns = drawTurns(context);
  for (uint32_t k = 0, left = context.mask; left != 0; ++k) {
    const uint32_t lane = turns[k];
    if ((left >> lane & 1) == 0) continue;
    left &= ~(1u << lane);
    const LaneAccess access = laneAccess(context, in, lane, addresses[lane]);
    if (access.host == nullptr) {
      if (d != nullptr) d[lane] = 0;
      continue;
    }
    if (!access.writable) {
      T old;
      __builtin_memcpy(&old, access.host, sizeof old);
      const T next = F::apply(old, b[lane], c[lane], access.isGlobal);
      if (__builtin_memcmp(&next, &old, sizeof old) != 0)
        context.fault(context, in, lane, AccessFault::readOnly, addresses[lane]);
      if (d != nullptr) d[lane] = put<T>(old);
      continue;
    }
    const T old = update<F, T>(access.host, b[lane], c[lane], access.isGlobal, context.alone);
    if (d != nullptr) d[lane] = put<T>(old);
    if (access.shadow != nullptr) __builtin_memset(access.shadow, 1, sizeof(T));
  }
}

template <class F>
Handler bitwise(Lane lane) {
  const bool wide = lane == Lane::u64 || lane == Lane::s64 || lane == Lane::f64;
  return wide ? Handler{atomic<F, uint64_t>} : atomic<F, uint32_t>;
}

template <class F>
Handler extremum(Lane lane) {
  switch (lane) {
    case Lane::u32:
      return atomic<F, uint32_t>;
    case Lane::s32:
      return atomic<F, int32_t>;
    case Lane::u64:
      return atomic<F, uint64_t>;
    case Lane::s64:
      return atomic<F, int64_t>;
    default:
      return nullptr;
  }
}

Handler addition(Lane lane) {
  switch (lane) {
    case Lane::u32:
    case Lane::s32:
      return atomic<Add, uint32_t>;
    case Lane::u64:
    case Lane::s64:
      return atomic<Add, uint64_t>;
    case Lane::f32:
      return atomic<AddFloat, float>;
    case Lane::f64:
      return atomic<Add, double>;
    default:
      return nullptr;
  }
}

Handler swap(Lane lane) {
  return lane == Lane::u16 ? Handler{atomic<CompareAndSwap, uint16_t>}
                           : bitwise<CompareAndSwap>(lane);
}

}  // namespace

Handler atomicOperation(AtomicOp op, Lane lane) {
  switch (op) {
    case AtomicOp::add:
      return addition(lane);
    case AtomicOp::addHalf:
      return atomic<AddHalf, uint16_t>;
    case AtomicOp::addHalves:
      return atomic<Twice<AddHalf>, uint32_t>;
    case AtomicOp::addBfloat:
      return atomic<AddBfloat, uint16_t>;
    case AtomicOp::addBfloats:
      return atomic<Twice<AddBfloat>, uint32_t>;
    case AtomicOp::min:
      return extremum<Min>(lane);
    case AtomicOp::max:
      return extremum<Max>(lane);
    case AtomicOp::inc:
      return atomic<Increment, uint32_t>;
    case AtomicOp::dec:
      return atomic<Decrement, uint32_t>;
    case AtomicOp::exch:
      return bitwise<Exchange>(lane);
    case AtomicOp::cas:
      return swap(lane);
    case AtomicOp::bitAnd:
      return bitwise<And>(lane);
    case AtomicOp::bitOr:
      return bitwise<Or>(lane);
    case AtomicOp::bitXor:
      return bitwise<Xor>(lane);
  }
  return nullptr;
}

}  // namespace tilestep::simt::TILESTEP_ENGINE
