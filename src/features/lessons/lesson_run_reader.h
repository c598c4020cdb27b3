// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "compile/front_matter/toml_reader.h"
#include "features/lessons/lesson_run.h"

namespace tilestep::model {

/// The tables [run.NAME] of `document`, checked; what is wrong is the reader's error. For .cpp
/// files alone: toml++ is a heavy header.
[[nodiscard]] std::vector<LessonRun> readLessonRuns(compile::TomlReader& reader,
                                                    const toml::table& document);

/// A table of names and whole numbers: { TILE_WIDTH = 4 }.
[[nodiscard]] compile::Bindings readBindings(compile::TomlReader& reader, const toml::table& table,
                                             const char* key);

}  // namespace tilestep::model
