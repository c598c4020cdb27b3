// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "simt/machine.h"

/// Loops over rows, for the core's files. These are compiled once for each instruction set, in the
/// namespace TILESTEP_ENGINE. They include no library headers, because the copies would share a
/// header's inline functions, and the linker could keep a function that the CPU cannot run.
#ifndef TILESTEP_ENGINE
#error "TILESTEP_ENGINE names the copy of the core that is being compiled"
#endif

// Rows are identical or disjoint, so lanes may be computed in parallel.
#if defined(__clang__)
#define TILESTEP_LANES _Pragma("clang loop vectorize(assume_safety)")
#else
#define TILESTEP_LANES _Pragma("GCC ivdep")
#endif

namespace tilestep::simt::TILESTEP_ENGINE {

template <unsigned bytes>
struct CellOfBytes {
  using type = uint32_t;
};
template <>
struct CellOfBytes<8> {
  using type = uint64_t;
};
/// The unsigned integer that holds a lane's T.
template <class T>
using Cell = typename CellOfBytes<sizeof(T)>::type;

template <class C>
inline C* row(uint8_t* registers, uint32_t offset) {
  return static_cast<C*>(__builtin_assume_aligned(static_cast<void*>(registers + offset), 64));
}

template <class T>
inline T get(Cell<T> cell) {
  if constexpr (sizeof(T) == sizeof(cell)) {
    return __builtin_bit_cast(T, cell);
  } else {
    return static_cast<T>(cell);
  }
}

template <class T>
inline Cell<T> put(T value) {
  if constexpr (sizeof(T) == sizeof(Cell<T>)) {
    return __builtin_bit_cast(Cell<T>, value);
  } else {
    return static_cast<Cell<T>>(value);
  }
}

/// d[i] = F(a[i]); D and A are the types of result and source.
template <class F, class D, class A>
void unary(Context& context, const Instr& in) {
  auto* d = row<Cell<D>>(context.registers, in.d);
  const auto* a = row<Cell<A>>(context.registers, in.a);
  TILESTEP_LANES
  for (uint32_t i = 0; i < kLanes; ++i) d[i] = put<D>(F::apply(get<A>(a[i])));
}

template <class F, class D, class A, class B>
void binary(Context& context, const Instr& in) {
  auto* d = row<Cell<D>>(context.registers, in.d);
  const auto* a = row<Cell<A>>(context.registers, in.a);
  const auto* b = row<Cell<B>>(context.registers, in.b);
  TILESTEP_LANES
  for (uint32_t i = 0; i < kLanes; ++i) d[i] = put<D>(F::apply(get<A>(a[i]), get<B>(b[i])));
}

template <class F, class D, class A, class B, class C>
void ternary(Context& context, const Instr& in) {
  auto* d = row<Cell<D>>(context.registers, in.d);
  const auto* a = row<Cell<A>>(context.registers, in.a);
  const auto* b = row<Cell<B>>(context.registers, in.b);
  const auto* c = row<Cell<C>>(context.registers, in.c);
  TILESTEP_LANES
  for (uint32_t i = 0; i < kLanes; ++i) {
    d[i] = put<D>(F::apply(get<A>(a[i]), get<B>(b[i]), get<C>(c[i])));
  }
}

Handler integerArithmetic(Op op, Lane type);
Handler modalArithmetic(Op op);
Handler halfArithmetic(Op op, Lane type);
Handler flushedArithmetic(Op op, Round round);
Handler approximation(Op op, Lane type);
Handler floatArithmetic(Op op, Lane type, Round round);
Handler compare(Relation relation, Lane type);
Handler convert(Lane to, Lane from, Round round, bool saturate, bool toInteger);
Handler load(Lane memory, bool wideRow, bool wideAddress);
Handler store(Lane memory, bool wideRow, bool wideAddress);
Handler cells(Lane memory, bool wideRow, bool store);
Handler warpOperation(WarpOp op, bool wide);
Handler matrixOperation(WarpOp op);
Handler atomicOperation(AtomicOp op, Lane lane);
void checked(Context& context, const Instr& in);
void checkedFence(Context& context, const Instr& in);

}  // namespace tilestep::simt::TILESTEP_ENGINE
