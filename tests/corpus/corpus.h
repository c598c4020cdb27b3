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

/// Kernels like those of courses (tests/corpus/*.cu), the sizes at which they run (cases.txt), and
/// a GPU's results (expected.txt).
namespace tilestep::corpus {

/// A kernel at one of its sizes in cases.txt.
struct Case {
  std::string kernel;
  std::string key;  ///< "mm_half m=17 n=5 k=40": the kernel and its sizes.
  compile::Bindings sizes;
  double tolerance = 0;  ///< 0 if results must be equal to the bit.
  /// The tolerance for PTX of a compiler other than that of the GPU's PTX.
  double otherTolerance = 0;
  std::string otherReason;  ///< Why it differs from `tolerance`; empty if it does not.

  /// The tolerance for the GPU's PTX, or for that of another compiler.
  [[nodiscard]] double toleranceFor(bool samePtx) const;
};

/// The folder of the corpus.
[[nodiscard]] std::string folder();
[[nodiscard]] Result<std::vector<Case>> readCases();
/// Each kernel of cases.txt once; empty if the file cannot be read.
[[nodiscard]] std::vector<std::string> kernels();
[[nodiscard]] std::vector<Case> casesOf(const std::string& kernel);

/// Kernels that race on purpose: lanes wait for one another through volatile memory.
[[nodiscard]] bool racesOnPurpose(const std::string& kernel);

/// The expected results by Case::key: a hash of the outputs, or the outputs' bytes in hexadecimal
/// if there is a tolerance for any compiler. The key "compiler" has the compiler of the PTX.
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

/// The outputs in the format of expected.txt.
[[nodiscard]] std::string recordOf(const Case& each,
                                   const std::vector<std::vector<std::byte>>& outputs);

/// Empty if the outputs agree within the tolerance (0: to the bit), else a sentence that names the
/// first different element.
[[nodiscard]] std::string difference(double tolerance, const std::vector<device::Operand>& operands,
                                     const std::vector<std::vector<std::byte>>& outputs,
                                     const std::vector<std::vector<std::byte>>& expected);
/// Compares outputs with a line of expected.txt, with the case's tolerance.
[[nodiscard]] std::string difference(const Case& each, bool samePtx,
                                     const std::vector<device::Operand>& operands,
                                     const std::vector<std::vector<std::byte>>& outputs,
                                     const std::string& record);

/// The largest difference relative to the larger of 1 and the value; for recorded outputs.
[[nodiscard]] double largestDifference(const std::vector<device::Operand>& operands,
                                       const std::vector<std::vector<std::byte>>& outputs,
                                       const std::vector<std::vector<std::byte>>& expected);

/// The fault that the kernel's reference or formula finds in the outputs; empty if there is none.
[[nodiscard]] std::string wrongBy(const Prepared& prepared, const device::Outcome& outcome);

}  // namespace tilestep::corpus
