// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/launch.h"
#include "base/result.h"
#include "ptx/rewrite/instrument_exemplars.h"
#include "ptx/rewrite/instrument_signature.h"

/// Rewrites a module so that a GPU can compute its counts for classes of equivalent warps
/// (device/cuda/counting).
namespace tilestep::ptx {

struct CountedEntry {
  SignatureLayout layout;
  TraceLog log;
  bool isIndependent = false;  ///< As in Exemplars.
  /// The instructions to which the log's sites and records refer: the entry's instructions and the
  /// accesses inserted for copies (ptx/rewrite/instrument_copies.h).
  Function program;
};

struct Counting {
  /// For each original entry, contains an entry with the same name, which writes signatures, and an
  /// entry that logs exemplars. The driver compiles one module faster than two.
  std::string ptx;
  std::map<std::string, CountedEntry> entries;  ///< By the entry's name.
  bool calls = false;  ///< The PTX contains the functions and multipliers of `probes`.
};

/// The name of the entry that logs the exemplars of `entry`.
[[nodiscard]] std::string loggingName(const std::string& entry);

/// Instruments every entry in `launches`. `probes` is the compiled kernels/probes/count.cu.
/// `registers`, unless 0, is the maximum per thread. Fails if an entry contains an indexed branch
/// or calls a function that has a body; the error names the cause.
Result<Counting> instrumentCounting(const Module& module, const Module& probes,
                                    const std::vector<Launch>& launches, uint32_t registers = 0);

}  // namespace tilestep::ptx
