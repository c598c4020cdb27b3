// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fenv.h>

#include "simt/engine/rows.h"

namespace tilestep::simt::TILESTEP_ENGINE {

template <Handler handler, int direction>
void directed(Context& context, const Instr& in) {
  fesetround(direction);
  handler(context, in);
  fesetround(FE_TONEAREST);
}

/// The handler run with another rounding direction of the processor, which all of its operations
/// use, including vector operations.
template <Round round, Handler handler>
constexpr Handler under() {
  if constexpr (round == Round::zero) return directed<handler, FE_TOWARDZERO>;
  if constexpr (round == Round::down) return directed<handler, FE_DOWNWARD>;
  if constexpr (round == Round::up) return directed<handler, FE_UPWARD>;
  return handler;
}

/// Returns null if `round` is not a direction.
template <Handler handler>
Handler inDirection(Round round) {
  switch (round) {
    case Round::nearest:
      return handler;
    case Round::zero:
      return under<Round::zero, handler>();
    case Round::down:
      return under<Round::down, handler>();
    case Round::up:
      return under<Round::up, handler>();
    default:
      return nullptr;
  }
}

}  // namespace tilestep::simt::TILESTEP_ENGINE
