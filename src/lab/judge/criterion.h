// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilestep::lab {

/// The criteria by which a kernel is judged at one launch.
enum class Criterion : uint8_t {
  compiles,  ///< The source is a kernel with the required interface.
  result,    ///< Each output element is written and equals the reference.
  bounds,    ///< Accesses stay within their memory and their row.
  races,     ///< Accesses to one address are ordered.
  barriers,  ///< No thread waits at a barrier that others never reach.
  end,       ///< The launch ends.
};
inline constexpr size_t kCriteria = 6;
/// The name used in files: "bounds".
[[nodiscard]] const char* nameOf(Criterion criterion);
/// All names, in the order of the enumeration.
[[nodiscard]] std::vector<std::string> criterionNames();
[[nodiscard]] std::optional<Criterion> criterionNamed(std::string_view name);

}  // namespace tilestep::lab
