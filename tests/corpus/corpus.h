// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "compile/compiler.h"
#include "device/device.h"
#include "lab/experiment.h"

/// Kernels as courses have them (tests/corpus/*.cu), the sizes they run at (cases.txt) and a GPU's
/// results (expected.txt).
namespace tilestep::corpus {

/// A kernel at one of its sizes in cases.txt.
struct Case {
  std::string kernel;
  std::string key;  ///< "mm_half m=17 n=5 k=40": the kernel and its sizes.
  compile::Bindings sizes;
  double tolerance = 0;  ///< 0: equal to the bit.
  /// For the PTX of another compiler than the one that the GPU ran.
  double otherTolerance = 0;
  std::string otherReason;  ///< Why that is not `tolerance`; empty where it is.

  /// The one that holds for the PTX that the GPU ran, or for another compiler's.
  [[nodiscard]] double toleranceFor(bool samePtx) const;
};

/// The folder of the corpus.
[[nodiscard]] std::string folder();
[[nodiscard]] Result<std::vector<Case>> readCases();
/// Each kernel of cases.txt once; empty where that cannot be read.
[[nodiscard]] std::vector<std::string> kernels();
[[nodiscard]] std::vector<Case> casesOf(const std::string& kernel);

/// Kernels that race on purpose: lanes wait for one another through volatile memory.
[[nodiscard]] bool racesOnPurpose(const std::string& kernel);

/// By Case::key: a hash of the outputs, or with a tolerance for any compiler the outputs' bytes, in
/// hexadecimal.
/// The compiler that made the PTX is under the key "compiler".
[[nodiscard]] std::map<std::string, std::string> readExpected();

/// A case that is ready to run on a device with these limits.
struct Prepared {
  compile::KernelSpec spec;
  compile::Plan plan;
  device::Job job;
  std::string compiler;  ///< "nvrtc 13.0"
};
Result<Prepared> prepare(const Case& each, compile::CompileService& service,
                         const device::DeviceInfo& info);

/// The outputs as expected.txt has them.
[[nodiscard]] std::string recordOf(const Case& each,
                                   const std::vector<std::vector<std::byte>>& outputs);

/// Empty where the outputs agree within the tolerance (0: to the bit), else a sentence that names
/// the first element that does not.
[[nodiscard]] std::string difference(double tolerance, const std::vector<device::Operand>& operands,
                                     const std::vector<std::vector<std::byte>>& outputs,
                                     const std::vector<std::vector<std::byte>>& expected);
/// The same against a line of expected.txt, as the case asks.
[[nodiscard]] std::string difference(const Case& each, bool samePtx,
                                     const std::vector<device::Operand>& operands,
                                     const std::vector<std::vector<std::byte>>& outputs,
                                     const std::string& record);

/// The largest difference, relative to the larger of 1 and the value; for what is recorded.
[[nodiscard]] double largestDifference(const std::vector<device::Operand>& operands,
                                       const std::vector<std::vector<std::byte>>& outputs,
                                       const std::vector<std::vector<std::byte>>& expected);

/// The fault that the kernel's own reference or formula finds in the outputs; empty: none.
[[nodiscard]] std::string wrongBy(const Prepared& prepared, const device::Outcome& outcome);

}  // namespace tilestep::corpus
