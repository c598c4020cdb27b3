// SPDX-License-Identifier: Apache-2.0
// ld and st for all state spaces, widths and vectors.
#include "simt/engine/access.h"

namespace tilestep::simt::TILESTEP_ENGINE {
namespace {

template <class M>
inline M readAt(const uint8_t* host) {
  M value;
  __builtin_memcpy(&value, host, sizeof(M));
  return value;
}

/// Loads an M and extends it to the register's type C, with the sign if M is signed.
template <class M, class C>
inline C cellAt(const uint8_t* host) {
  return static_cast<C>(readAt<M>(host));
}

inline uint32_t dataRow(const Instr& in, uint32_t element) {
  return element == 0 ? in.d : element == 1 ? in.a : element == 2 ? in.b : in.c;
}

/// Counts a request whose lanes may access several spaces as one request in each space. Lanes with
/// misaligned addresses are not counted, because they could touch more than one sector.
template <class A>
void countApart(Context& context, const Instr& in, const A* addresses) {
  int64_t at[kLanes];
  uint32_t sharedLanes = 0, globalLanes = 0;
  for (uint32_t mask = context.mask; mask != 0; mask &= mask - 1) {
    const auto lane = static_cast<uint32_t>(__builtin_ctz(mask));
    const uint64_t address = uint64_t{addresses[lane]} + static_cast<uint64_t>(in.offset);
    if ((address & (in.bytes - 1u)) != 0) continue;
    const Place place = placeOf(context, in.space, address);
    at[lane] = static_cast<int64_t>(address);
    if (place.region == &context.shared)
      sharedLanes |= 1u << lane;
    else if (place.region != nullptr && place.region->counted)
      globalLanes |= 1u << lane;
  }
  if (sharedLanes != 0) {
    const BankUse use = banksOf(at, sharedLanes, in.bytes);
    countShared(context, in, use.wavefronts, use.wavefronts - (use.words + kLanes - 1) / kLanes);
  }
  if (globalLanes != 0) {
    countGlobal(context, in, globalLanes, sectorsOf(at, globalLanes),
                distinctBytesOf(at, globalLanes, in.bytes));
  }
}

template <class M, class C>
inline void writeLane(uint8_t* host, C cell) {
  const M value = static_cast<M>(cell);
  __builtin_memcpy(host, &value, sizeof(M));
}

template <class M, class C, class A>
[[gnu::noinline]] void loadApart(Context& context, const Instr& in) {
  A addresses[kLanes];
  __builtin_memcpy(addresses, context.registers + in.address, sizeof addresses);
  if (context.counts != nullptr) countApart(context, in, addresses);
  for (uint32_t mask = context.mask; mask != 0; mask &= mask - 1) {
    const auto lane = static_cast<uint32_t>(__builtin_ctz(mask));
    const LaneAccess access =
        laneAccess(context, in, lane, uint64_t{addresses[lane]} + static_cast<uint64_t>(in.offset));
    for (uint32_t e = 0; e < in.elements; ++e) {
      row<C>(context.registers, dataRow(in, e))[lane] =
          access.host == nullptr ? C{0} : cellAt<M, C>(access.host + e * sizeof(M));
    }
  }
}

template <class M, class C, class A>
[[gnu::noinline]] void storeApart(Context& context, const Instr& in) {
  const A* addresses = row<A>(context.registers, in.address);
  if (context.counts != nullptr) countApart(context, in, addresses);
  for (uint32_t mask = context.mask; mask != 0; mask &= mask - 1) {
    const auto lane = static_cast<uint32_t>(__builtin_ctz(mask));
    const LaneAccess access =
        laneAccess(context, in, lane, uint64_t{addresses[lane]} + static_cast<uint64_t>(in.offset));
    if (access.host == nullptr) continue;
    for (uint32_t e = 0; e < in.elements; ++e) {
      writeLane<M>(access.host + e * sizeof(M), row<C>(context.registers, dataRow(in, e))[lane]);
    }
    if (access.shadow != nullptr) __builtin_memset(access.shadow, 1, in.bytes);
  }
}

template <uint32_t group, class C>
inline void copyGroups(C* out, const uint8_t* host, const AddressPattern& memo) {
  const auto lanes = static_cast<uint32_t>(__builtin_popcount(memo.mask));
  for (uint32_t i = 0; i < lanes; i += group) {
    __builtin_memcpy(out + i, host + memo.wide[i], group * sizeof(C));
  }
}

template <uint32_t group, class M, class C>
inline void spreadGroups(C* out, const uint8_t* host, const AddressPattern& memo) {
  const auto lanes = static_cast<uint32_t>(__builtin_popcount(memo.mask));
  for (uint32_t i = 0; i < lanes; i += group) {
    const C value = cellAt<M, C>(host + memo.wide[i]);
    for (uint32_t k = 0; k < group; ++k) out[i + k] = value;
  }
}

/// Reads one element for every lane. Inactive lanes read and discard the first active lane's
/// element.
template <class M, class C>
[[gnu::always_inline]] inline void gather(C* out, const uint8_t* host, const AddressPattern& memo,
                                          bool single) {
  if constexpr (sizeof(M) == sizeof(C)) {
    if (single) {
      switch (memo.run) {
        case 32:
          return copyGroups<32>(out, host, memo);
        case 16:
          return copyGroups<16>(out, host, memo);
        case 8:
          return copyGroups<8>(out, host, memo);
        case 4:
          return copyGroups<4>(out, host, memo);
        default:
          break;
      }
    }
  }
  switch (memo.repeat) {
    case 32:
      return spreadGroups<32, M>(out, host, memo);
    case 16:
      return spreadGroups<16, M>(out, host, memo);
    case 8:
      return spreadGroups<8, M>(out, host, memo);
    case 4:
      return spreadGroups<4, M>(out, host, memo);
    default:
      break;
  }
  for (uint32_t i = 0; i < kLanes; ++i) out[i] = cellAt<M, C>(host + memo.wide[i]);
}

template <class M, class C, class A>
void loadRow(Context& context, const Instr& in) {
  Request request;
  if (!prepare<A>(context, in, request)) return loadApart<M, C, A>(context, in);
  const uint8_t* host = request.region->host + request.offset;
  const bool single = in.elements == 1;
  for (uint32_t e = 0; e < in.elements; ++e, host += sizeof(M)) {
    C* out = row<C>(context.registers, dataRow(in, e));
    alignas(64) C values[kLanes];
    const bool whole = context.mask == context.warp->live;
    gather<M>(whole ? out : values, host, *request.memo, single);
    if (whole) continue;
    TILESTEP_LANES
    for (uint32_t i = 0; i < kLanes; ++i) out[i] = context.lanes[i] != 0 ? values[i] : out[i];
  }
}

template <class M, class C>
inline void scatter(const C* from, uint8_t* host, const AddressPattern& memo, bool single) {
  if constexpr (sizeof(M) == sizeof(C)) {
    if (single && memo.run != 0) {
      const auto lanes = static_cast<uint32_t>(__builtin_popcount(memo.mask));
      for (uint32_t i = 0; i < lanes; i += memo.run) {
        __builtin_memcpy(host + memo.wide[i], from + i, memo.run * sizeof(C));
      }
      return;
    }
  }
  for (uint32_t mask = memo.mask; mask != 0; mask &= mask - 1) {
    const auto lane = static_cast<uint32_t>(__builtin_ctz(mask));
    writeLane<M>(host + memo.wide[lane], from[lane]);
  }
}

void markWritten(uint8_t* shadow, const AddressPattern& memo, uint32_t bytes) {
  for (uint32_t mask = memo.mask; mask != 0; mask &= mask - 1) {
    __builtin_memset(shadow + memo.wide[__builtin_ctz(mask)], 1, bytes);
  }
}

template <class M, class C, class A>
void storeRow(Context& context, const Instr& in) {
  Request request;
  if (!prepare<A>(context, in, request)) return storeApart<M, C, A>(context, in);
  uint8_t* host = request.region->host + request.offset;
  for (uint32_t e = 0; e < in.elements; ++e, host += sizeof(M)) {
    scatter<M>(row<C>(context.registers, dataRow(in, e)), host, *request.memo, in.elements == 1);
  }
  if (request.region->shadow != nullptr) {
    markWritten(request.region->shadow + request.offset, *request.memo, in.bytes);
  }
}

template <class M, class C>
Handler loadOf(bool wideAddress) {
  return wideAddress ? loadRow<M, C, uint64_t> : loadRow<M, C, uint32_t>;
}
template <class M, class C>
Handler storeOf(bool wideAddress) {
  return wideAddress ? storeRow<M, C, uint64_t> : storeRow<M, C, uint32_t>;
}

}  // namespace

Handler load(Lane memory, bool wideRow, bool wideAddress) {
  switch (memory) {
    case Lane::u8:
      return (wideRow ? loadOf<uint8_t, uint64_t> : loadOf<uint8_t, uint32_t>)(wideAddress);
    case Lane::s8:
      return (wideRow ? loadOf<int8_t, uint64_t> : loadOf<int8_t, uint32_t>)(wideAddress);
    case Lane::u16:
      return (wideRow ? loadOf<uint16_t, uint64_t> : loadOf<uint16_t, uint32_t>)(wideAddress);
    case Lane::s16:
      return (wideRow ? loadOf<int16_t, uint64_t> : loadOf<int16_t, uint32_t>)(wideAddress);
    case Lane::s32:
      return (wideRow ? loadOf<int32_t, uint64_t> : loadOf<uint32_t, uint32_t>)(wideAddress);
    case Lane::u32:
    case Lane::f32:
      return (wideRow ? loadOf<uint32_t, uint64_t> : loadOf<uint32_t, uint32_t>)(wideAddress);
    case Lane::u64:
    case Lane::s64:
    case Lane::f64:
      return wideRow ? loadOf<uint64_t, uint64_t>(wideAddress) : nullptr;
    default:
      return nullptr;
  }
}

Handler store(Lane memory, bool wideRow, bool wideAddress) {
  switch (memory) {
    case Lane::u8:
    case Lane::s8:
      return (wideRow ? storeOf<uint8_t, uint64_t> : storeOf<uint8_t, uint32_t>)(wideAddress);
    case Lane::u16:
    case Lane::s16:
      return (wideRow ? storeOf<uint16_t, uint64_t> : storeOf<uint16_t, uint32_t>)(wideAddress);
    case Lane::u32:
    case Lane::s32:
    case Lane::f32:
      return (wideRow ? storeOf<uint32_t, uint64_t> : storeOf<uint32_t, uint32_t>)(wideAddress);
    case Lane::u64:
    case Lane::s64:
    case Lane::f64:
      return wideRow ? storeOf<uint64_t, uint64_t>(wideAddress) : nullptr;
    default:
      return nullptr;
  }
}

}  // namespace tilestep::simt::TILESTEP_ENGINE
