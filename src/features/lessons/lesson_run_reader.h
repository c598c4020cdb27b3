// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "base/toml/toml_reader.h"
#include "features/lessons/lesson_run.h"
#include "features/names.h"

namespace tilestep::features {

/// Reads and checks the tables [run.NAME] of `document`. Errors go to `reader`. Include this file
/// only in .cpp files, because toml++ is a large header.
[[nodiscard]] std::vector<LessonRun> readLessonRuns(TomlReader& reader,
                                                    const toml::table& document);

/// A table of names and integers: { TILE_WIDTH = 4 }.
[[nodiscard]] compile::Bindings readBindings(TomlReader& reader, const toml::table& table,
                                             const char* key);

}  // namespace tilestep::features
