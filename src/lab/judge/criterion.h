// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilestep::lab {

/// What a kernel is judged by at one launch.
enum class Criterion : uint8_t {
  compiles,  ///< The text is a kernel with the interface that is wanted.
  result,    ///< Each output element is written and has the value that the reference gives.
  bounds,    ///< Accesses stay within their memory and their row.
  races,     ///< Accesses to one place are ordered.
  barriers,  ///< Nobody waits for threads that never come.
  end,       ///< The launch ends.
};
inline constexpr size_t kCriteria = 6;
/// The word for it in files: "bounds".
[[nodiscard]] const char* nameOf(Criterion criterion);
/// All of them, in their order.
[[nodiscard]] std::vector<std::string> criterionNames();
/// The criterion with this name, if there is one.
[[nodiscard]] std::optional<Criterion> criterionNamed(std::string_view name);

}  // namespace tilestep::lab
