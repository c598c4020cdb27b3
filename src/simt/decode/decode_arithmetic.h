// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "simt/decode/emitter.h"

/// Helpers shared by the decoders of arithmetic.
namespace tilestep::simt {

/// The micro-operation of an instruction that needs only one, else Op::none.
[[nodiscard]] Op operationOf(ptx::Opcode opcode);
/// d = op(operands 1 to `sources`), with rounding, .ftz, .sat and .relu.
void emitOperation(Emitter& e, Op op, Lane lane, size_t sources, uint32_t d);
/// Decodes an instruction that is one operation on two sources.
void decodeBinary(Emitter& e);
/// A temporary with the 32-bit integers of `row` widened to 64 bits.
[[nodiscard]] uint32_t widened(Emitter& e, uint32_t row);
/// Writes 64-bit integers to operand 0, clamped to the range of .s32.
void saturateWord(Emitter& e, uint32_t wide);

/// The decoder of mul, mad, fma and other instructions that multiply.
[[nodiscard]] DecodeRoot decodeProduct(ptx::Opcode opcode);

}  // namespace tilestep::simt
