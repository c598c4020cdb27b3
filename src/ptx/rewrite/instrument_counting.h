// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/launch.h"
#include "base/result.h"
#include "ptx/rewrite/instrument_exemplars.h"
#include "ptx/rewrite/instrument_signature.h"

/// Rewrites a module so that a GPU can count it by classes of warps (device/cuda/counting).
namespace tilestep::ptx {

struct CountedEntry {
  SignatureLayout layout;
  TraceLog log;
  bool isIndependent = false;  ///< See Exemplars.
  /// The instructions to which the log's sites and records refer: those of the entry, and the
  /// inserted accesses for copies (ptx/rewrite/instrument_copies.h).
  Function program;
};

struct Counting {
  /// Contains two entries per original entry: one with the same name, which writes signatures, and
  /// one that logs exemplars. The driver compiles one module faster than two.
  std::string ptx;
  std::map<std::string, CountedEntry> entries;  ///< By the entry's name.
  bool calls = false;  ///< It contains the probes' functions and their multipliers.
};

/// The name of the entry that logs exemplars.
[[nodiscard]] std::string loggingName(const std::string& entry);

/// For every entry in `launches`. `probes` is the compiled kernels/probes/count.cu. `registers`,
/// unless 0, is the maximum per thread. An Error names what cannot be counted: an indexed branch,
/// or a call of a function with a body.
Result<Counting> instrumentCounting(const Module& module, const Module& probes,
                                    const std::vector<Launch>& launches, uint32_t registers = 0);

}  // namespace tilestep::ptx
