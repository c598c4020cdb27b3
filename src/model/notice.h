// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"

namespace tilestep::model {

/// One click that mends what a notice tells of: sets a tunable to a legal value, or else runs the
/// launch that failed on a GPU in the interpreter.
struct Fix {
  std::string tunable;  ///< Empty: the interpreter.
  int64_t value = 0;
  bool operator==(const Fix&) const = default;
};

/// A point that a recording has instead of the one that was asked for.
struct RecordedPlace {
  std::map<std::string, int64_t> sizes, tunables;
  bool operator==(const RecordedPlace&) const = default;
};

/// Something a person should know, as one sentence; the last good picture stays meanwhile.
struct Notice {
  enum class Kind : uint8_t { info, warning, error };
  Kind kind = Kind::error;
  std::string about;  ///< What it is about: "TILE_WIDTH", "scene", "measure", "worker", …; the next
                      ///< news about the same replaces it.
  std::string text;    ///< One sentence.
  std::string source;  ///< A compile error's place and source line; else empty.
  std::optional<Fix> fix;
  std::vector<uint32_t> lines;  ///< Of the kernel's source that it speaks of.
  std::optional<RecordedPlace> nearest;
  bool operator==(const Notice&) const = default;
};

/// Notice::source of an error: empty where it has no place.
[[nodiscard]] inline std::string placeOf(const Error& error) {
  if (!error.where) return {};
  std::string text = error.where->file + ":" + std::to_string(error.where->line);
  if (!error.sourceLine.empty()) text += "\n" + error.sourceLine;
  return text;
}

}  // namespace tilestep::model
