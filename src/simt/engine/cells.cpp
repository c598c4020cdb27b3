// SPDX-License-Identifier: Apache-2.0
// ld.param and st.param of calls. Parameters are in rows with eight bytes per lane.
#include "simt/engine/rows.h"

namespace tilestep::simt::TILESTEP_ENGINE {
namespace {

template <class M, class C>
void loadCells(Context& context, const Instr& in) {
  C* d = row<C>(context.registers, in.d);
  const uint8_t* from = context.registers + in.a;
  for (uint32_t i = 0; i < kLanes; ++i) {
    M value;
    __builtin_memcpy(&value, from + i * sizeof(uint64_t), sizeof value);
    d[i] = static_cast<C>(value);
  }
}

template <class M, class C>
void storeCells(Context& context, const Instr& in) {
  const C* a = row<C>(context.registers, in.a);
  uint8_t* to = context.registers + in.d;
  for (uint32_t mask = context.mask; mask != 0; mask &= mask - 1) {
    const auto lane = static_cast<uint32_t>(__builtin_ctz(mask));
    const M value = static_cast<M>(a[lane]);
    __builtin_memcpy(to + lane * sizeof(uint64_t), &value, sizeof value);
  }
}

template <class M, class C>
Handler either(bool store) {
  return store ? Handler{storeCells<M, C>} : loadCells<M, C>;
}

template <class M>
Handler ofRow(bool wideRow, bool store) {
  return wideRow ? either<M, uint64_t>(store) : either<M, uint32_t>(store);
}

}  // namespace

Handler cells(Lane memory, bool wideRow, bool store) {
  switch (memory) {
    case Lane::u8:
      return ofRow<uint8_t>(wideRow, store);
    case Lane::s8:
      return ofRow<int8_t>(wideRow, store);
    case Lane::u16:
      return ofRow<uint16_t>(wideRow, store);
    case Lane::s16:
      return ofRow<int16_t>(wideRow, store);
    case Lane::u32:
    case Lane::f32:
      return ofRow<uint32_t>(wideRow, store);
    case Lane::s32:
      return wideRow ? either<int32_t, uint64_t>(store) : either<uint32_t, uint32_t>(store);
    case Lane::u64:
    case Lane::s64:
    case Lane::f64:
      return wideRow ? either<uint64_t, uint64_t>(store) : nullptr;
    default:
      return nullptr;
  }
}

}  // namespace tilestep::simt::TILESTEP_ENGINE
