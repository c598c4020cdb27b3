// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "support/ladder_run.h"

/// With which tunables a rung is measured.
namespace tilestep::bench {

/// Tuned::from of those that were found at the very size.
inline constexpr const char* kBestHere = "best";

/// What `tilestep sweep --best` found on such a device, at this size or the nearest ("best at
/// 4096"); the defaults where it has found nothing, or nothing that is legal at this size.
[[nodiscard]] Tuned bestKnown(const Rung& rung, const ProductSize& size,
                              const device::DeviceInfo& info, const std::filesystem::path& home);

/// Runs that command for so long, with the program beside this one; says so where it cannot.
void search(const Rung& rung, const ProductSize& size, const device::DeviceInfo& info,
            double seconds);

}  // namespace tilestep::bench
