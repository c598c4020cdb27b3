// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

namespace tilestep::cuda {

/// The newest PTX version that a driver of CUDA `driverVersion` (13000 for 13.0) accepts: 90 for
/// PTX 9.0. Source: PTX ISA, "PTX ISA Version History". For a driver newer than the table, the
/// table's newest version.
[[nodiscard]] int ptxVersionOfDriver(int driverVersion);

/// 90 for a module that begins ".version 9.0"; nothing if it has no version.
[[nodiscard]] std::optional<int> ptxVersionOf(const std::string& ptx);

/// The module with its .version lowered to what the driver accepts, if necessary. A compiler writes
/// its newest version even if the module does not use it, and Tilestep's PTX for compute_75 uses
/// nothing newer than PTX 7. The driver's error names anything that the driver still rejects.
[[nodiscard]] std::string ptxForDriver(const std::string& ptx, int driverVersion);

/// The spills for `entry` in bytes, from the log of the driver's compiler. Absent if the log does
/// not report them: it is empty if the machine code came from the driver's cache.
struct Spills {
  unsigned storeBytes = 0, loadBytes = 0;
};
[[nodiscard]] std::optional<Spills> spillsOf(const std::string& log, const std::string& entry);

}  // namespace tilestep::cuda
