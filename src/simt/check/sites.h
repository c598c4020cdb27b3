// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <vector>

#include "simt/check/provenance.h"
#include "simt/check/state.h"
#include "simt/program.h"

namespace tilestep::simt {

/// Describes `instruction`, decoded as `instr`. `checked` is false if no checker examines it.
[[nodiscard]] CheckSite siteOf(const ptx::Instruction& instruction, const Instr& instr);

/// Whether threads may communicate through the instruction without a barrier, because it is atomic
/// or volatile or has a memory order.
[[nodiscard]] bool countsAsFlag(const ptx::Instruction& instruction);

/// Whether the instruction releases without a preceding fence.
[[nodiscard]] bool releases(const ptx::Instruction& instruction);

/// How closely a region of memory is checked.
struct Scrutiny {
  bool written = false, read = false,
       atomic = false;  ///< Whether any instruction may access the region in this way.
  unsigned granuleShift = 4;
  bool atomicsMayRace = false;  ///< Some atomic operations have block scope or load data.
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

/// `regionOf` returns the region of a variable or of a parameter's target, or -1. Completes
/// program.sites, including the bounds of shared variables.
CheckPlan planChecks(Program& program, uint32_t sharedBytes, size_t regions,
                     const std::function<int(const std::string&)>& regionOf);

}  // namespace tilestep::simt
