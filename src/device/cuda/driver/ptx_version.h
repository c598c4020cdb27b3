// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

namespace tilestep::cuda {

/// 90 for PTX 9.0, the newest that a driver of CUDA `driverVersion` (13000 for 13.0) reads. Source:
/// PTX ISA, "PTX ISA Version History". An unknown newer driver reads at least what is known here.
[[nodiscard]] int ptxVersionOfDriver(int driverVersion);

/// 90 for a module that begins ".version 9.0"; nothing where it does not say.
[[nodiscard]] std::optional<int> ptxVersionOf(const std::string& ptx);

/// The module with its .version lowered to what the driver reads, if necessary. Compilers write
/// their own version whatever the module uses, and Tilestep's PTX for compute_75 uses nothing newer
/// than PTX 7. The driver refuses by name whatever it still cannot read.
[[nodiscard]] std::string ptxForDriver(const std::string& ptx, int driverVersion);

/// Bytes that the driver's compiler says it spills for `entry`, from its log; nothing where the log
/// has no such line (it is empty where the machine code came from the driver's cache).
struct Spills {
  unsigned storeBytes = 0, loadBytes = 0;
};
[[nodiscard]] std::optional<Spills> spillsOf(const std::string& log, const std::string& entry);

}  // namespace tilestep::cuda
