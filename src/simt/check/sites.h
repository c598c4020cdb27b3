// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <vector>

#include "simt/check/provenance.h"
#include "simt/check/state.h"
#include "simt/program.h"

namespace tilestep::simt {

/// Describes `instruction`, decoded as `instr`. Not `checked` if no checker examines it.
[[nodiscard]] CheckSite siteOf(const ptx::Instruction& instruction, const Instr& instr);

/// Whether threads may communicate by it without a barrier: it is atomic or volatile, or has a
/// memory order.
[[nodiscard]] bool countsAsFlag(const ptx::Instruction& instruction);

/// Whether it releases by itself, without a fence before it.
[[nodiscard]] bool releases(const ptx::Instruction& instruction);

/// How closely a region of memory is checked.
struct Scrutiny {
  bool written = false, read = false,
       atomic = false;  ///< Whether any instruction is such an access.
  unsigned granuleShift = 4;
  bool atomicsMayRace = false;  ///< Some are of block scope, or load data.
  void add(const CheckSite& site, const Instr& instr);
};

/// The memory that the checkers examine. Memory that no instruction may write needs no shadow,
/// because memory that is only read has no hazards.
struct CheckPlan {
  Scrutiny shared;
  std::vector<Scrutiny> regions;
};

/// The result of `regionOf` for a structure that may contain pointers.
constexpr int kAnyRegion = -2;

/// `regionOf` gives the region that a parameter points to or a variable is, or -1. Sets the shared
/// variables' bounds in program.sites.
CheckPlan planChecks(Program& program, uint32_t sharedBytes, size_t regions,
                     const std::function<int(const std::string&)>& regionOf);

}  // namespace tilestep::simt
