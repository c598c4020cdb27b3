// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "machine.h"

namespace tilestep::simt {

/// A checked launch of two warps, with 256 bytes of shared memory, `tile`, and 1024 words of global
/// memory, P. %r28 is the address of the tile, %r1 the address of the thread's word of it, %rd30
/// the address of P, %rd1 the address of the thread's word of it; %r31 is the thread index, %r30
/// the block index and %r29 is 4 * %r31. `before` precedes the kernel.
Machine checked(const std::string& body, uint32_t threads = 64, const std::string& before = {});

/// `.loc 1 n 1`, which makes the following instructions line n.
std::string line(int number);

/// All hazards, then the kinds and lines of all faults, in order: "read-after-write shared 1-2, …".
/// They must be the same on each engine.
using Found = std::string;
Found findings(Machine machine);
inline Found findings(const std::string& body, uint32_t threads = 64,
                      const std::string& before = {}) {
  return findings(checked(body, threads, before));
}

}  // namespace tilestep::simt
