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
/// commands on several machines may use it at the same time.
namespace tilestep::lab {

/// "points.db" in the folder of the user's state.
[[nodiscard]] std::filesystem::path pointsFileIn(const std::filesystem::path& state);

/// Errors: see Database::open.
Result<Database> openPoints(const std::filesystem::path& file);

/// Imports the CSV file `name`, which an earlier version stored beside the database: calls `read`
/// with its path and text in a transaction of `database`, once for each `purpose`. Does nothing if
/// there is no such file; the file stays unchanged. Errors: those of `read`, after which the next
/// call tries again; the file cannot be read, or the database cannot be written.
Status importOnce(
    const Database& database, const std::string& name, const std::string& purpose,
    const std::function<Status(const std::string& path, const std::string& text)>& read);

/// "NVIDIA H200" to "nvidia-h200", the stem of a device's files.
[[nodiscard]] std::string fileStemOf(const std::string& device);

/// "m=1024 n=1024 k=1024": sizes or tunables as a cell.
[[nodiscard]] std::string cellOf(const compile::Bindings& values);
/// The inverse of cellOf(). Nothing if the cell has a different form, more than 64 values, or a
/// value beyond ±2^40.
[[nodiscard]] std::optional<compile::Bindings> valuesIn(std::string_view cell);

}  // namespace tilestep::lab
