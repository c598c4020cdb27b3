// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <toml++/toml.h>

#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "base/toml/toml_reader.h"
#include "features/lessons/lesson_ask.h"
#include "features/names.h"

namespace tilestep::features {

/// Called with each text read and its line.
using CountFigures = std::function<void(const LessonText&, int line)>;

/// Reads the question at `node`, the `[ask]` of a step. `text` is the whole file, for the positions
/// of errors. Errors go to `reader`; after an error, the result must not be used.
[[nodiscard]] std::optional<Ask> readAsk(const toml::node& node, std::string_view text,
                                         const std::vector<LessonRun>& runs, TomlReader& reader,
                                         const CountFigures& count);

}  // namespace tilestep::features
