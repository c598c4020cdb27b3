// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "machine.h"

namespace tilestep::simt {

/// Two warps and 256 bytes `tile` of shared memory, 1024 words P of global memory. %r1 is the
/// address of the thread's word of the tile, %rd1 that of its word of P, %rd30 that of P; %r31 is
/// the thread, %r30 the block, %r29 is 4 * thread, %r28 the tile. It is checked. `before`
/// precedes the kernel.
Machine checked(const std::string& body, uint32_t threads = 64, const std::string& before = {});

/// `.loc 1 n 1`: what follows is line n.
std::string line(int number);

/// "read-after-write shared 1-2, …": each hazard, then the kinds and lines of faults, in their
/// order; the same on each engine.
using Found = std::string;
Found findings(Machine machine);
inline Found findings(const std::string& body, uint32_t threads = 64,
                      const std::string& before = {}) {
  return findings(checked(body, threads, before));
}

}  // namespace tilestep::simt
