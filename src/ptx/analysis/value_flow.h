// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "ptx/analysis/definitions.h"
#include "ptx/ir.h"

/// The flow of values between definitions, for the search for accumulators.
namespace tilestep::ptx {

/// The definitions that one operand may read.
using Sources = std::vector<uint32_t>;

/// A flow of a running value into a definition.
struct ValueFlow {
  enum class Step : uint8_t { copy, add, multiplyAdd };
  uint32_t instruction = 0;
  Step step = Step::copy;
  uint32_t to = 0;
  /// The operands that may hold a running value. Empty if a product is added to a constant, as in
  /// the first term of an unrolled sum.
  std::vector<Sources> from;
  uint32_t elements = 0;  ///< Length of the result vector that contains `to`; 0 if none.
  uint32_t element = 0;   ///< Index in that vector.
};

/// An instruction that uses a running value for a result: alpha * acc, acc + bias, a conversion.
struct Derivation {
  uint32_t to = 0;
  Sources from;
};

/// An instruction through which values leave the thread.
struct ValueSink {
  uint32_t instruction = 0;
  bool isGlobalStore = false;
  std::vector<Sources> elements;  ///< For each stored value; empty for a constant.
};

struct ValueFlows {
  std::vector<ValueFlow> carried;
  std::vector<Derivation> derived;
  std::vector<ValueSink> sinks;
};

/// All lists are in program order.
[[nodiscard]] ValueFlows collectValueFlows(const Function& function,
                                           const Definitions& definitions);

}  // namespace tilestep::ptx
