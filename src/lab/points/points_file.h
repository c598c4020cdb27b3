// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "compile/kernel.h"
#include "lab/points/database.h"

/// The one file of what was measured and counted for a user: the points of sweeps
/// (features/sweeps/sweep_store.h) and the best tunables (lab/tune/tuned.h). docs/sweeps.md
/// describes its tables. Windows and commands share it, on several machines, too.
namespace tilestep::lab {

/// "points.db" in the folder of the user's state.
[[nodiscard]] std::filesystem::path pointsFileIn(const std::filesystem::path& state);

/// Errors: as Database::open.
Result<Database> openPoints(const std::filesystem::path& file);

/// Takes over a CSV file that an earlier version kept in `path`, once for each `mark`: runs `read`
/// in a transaction of `database` if the file is there and the mark is not in the table "imported".
/// The file stays as it is. Errors: those of `read`, after which it is tried again the next time;
/// the database cannot be written.
Status importOnce(const Database& database, const std::string& mark,
                  const std::filesystem::path& path, const std::function<Status()>& read);

/// "NVIDIA H200" to "nvidia-h200", as files for a device are named.
[[nodiscard]] std::string fileStemOf(const std::string& device);

/// "m=1024 n=1024 k=1024": sizes or tunables as a cell.
[[nodiscard]] std::string cellOf(const compile::Bindings& values);
/// Nothing where cellOf() does not make the text of 64 values at most, each within ±2^40.
[[nodiscard]] std::optional<compile::Bindings> valuesIn(std::string_view cell);

}  // namespace tilestep::lab
