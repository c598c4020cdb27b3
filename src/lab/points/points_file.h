// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "compile/kernel.h"
#include "lab/points/database.h"

/// The user's file of measurements and counts: the points of sweeps (features/sweeps/sweep_store.h)
/// and the best tunables (lab/tune/tuned.h). docs/sweeps.md describes its tables. Windows and
/// commands share it, also across machines.
namespace tilestep::lab {

/// "points.db" in the folder of the user's state.
[[nodiscard]] std::filesystem::path pointsFileIn(const std::filesystem::path& state);

/// Errors: see Database::open.
Result<Database> openPoints(const std::filesystem::path& file);

/// Imports a CSV file that an earlier version stored in `path`, once for each `mark`: runs `read`
/// in a transaction of `database` if the file exists and the mark is not in the table "imported".
/// The file stays unchanged. Errors: those of `read`, after which the next call tries again; the
/// database cannot be written.
Status importOnce(const Database& database, const std::string& mark,
                  const std::filesystem::path& path, const std::function<Status()>& read);

/// "NVIDIA H200" to "nvidia-h200", the stem of a device's files.
[[nodiscard]] std::string fileStemOf(const std::string& device);

/// "m=1024 n=1024 k=1024": sizes or tunables as a cell.
[[nodiscard]] std::string cellOf(const compile::Bindings& values);
/// Nothing if the text is not one that cellOf() makes of at most 64 values, each within ±2^40.
[[nodiscard]] std::optional<compile::Bindings> valuesIn(std::string_view cell);

}  // namespace tilestep::lab
