// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "simt/decode/emitter.h"

/// Helpers shared by the decoders of arithmetic.
namespace tilestep::simt {

/// The operation of an instruction that is a single operation; Op::none for the others.
[[nodiscard]] Op operationOf(ptx::Opcode opcode);
/// d = op(operands 1 to `sources`), with rounding, .ftz, .sat and .relu.
void emitOperation(Emitter& e, Op op, Lane lane, size_t sources, uint32_t d);
/// An instruction that is one operation of two sources.
void decodeBinary(Emitter& e);
/// A temporary with the 32-bit integers of `row` in 64 bits.
[[nodiscard]] uint32_t widened(Emitter& e, uint32_t row);
/// Clamps 64-bit integers to the range of .s32, into operand 0.
void saturateWord(Emitter& e, uint32_t wide);

/// mul, mad, fma and other instructions that multiply.
[[nodiscard]] DecodeRoot decodeProduct(ptx::Opcode opcode);

}  // namespace tilestep::simt
