// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "ptx/ir.h"

namespace tilestep::ptx {

/// The functions of kernels/probes/count.cu by name: small ones are copied into the place that
/// needs them (the driver's compiler does not inline a .func, and a call costs more than they do),
/// the others are merged into the module and called.
class Probes {
 public:
  static constexpr std::string_view kFirstInSector = "tilestep_first_in_sector";
  static constexpr std::string_view kFirstAtAddress = "tilestep_first_at_address";
  static constexpr std::string_view kFirstInWavefront = "tilestep_first_in_wavefront";
  static constexpr std::string_view kFewestWavefronts = "tilestep_fewest_wavefronts";
  static constexpr std::string_view kEmit = "tilestep_emit";
  static constexpr std::string_view kFinish = "tilestep_finish";

  /// Keeps a reference to `module`. An Error names a function that is missing or of no use.
  static Result<Probes> read(const Module& module);

  /// The text to merge: the table's variable and the called functions.
  [[nodiscard]] std::string merged() const;
  /// `result` = `name`(`arguments`), as a nested scope of lines; `serial` makes its labels unique.
  [[nodiscard]] std::vector<std::string> copyIn(std::string_view name,
                                                const std::vector<std::string>& arguments,
                                                const std::string& result, uint32_t serial) const;

 private:
  explicit Probes(const Module& module) : module_(&module) {}
  const Module* module_;
};

/// A call of a .func without results, every argument a 32-bit register or number.
std::vector<std::string> callLines(std::string_view name,
                                   const std::vector<std::string>& arguments);

}  // namespace tilestep::ptx
