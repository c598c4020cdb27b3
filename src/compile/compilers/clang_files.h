// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilestep::compile {

/// The files that a compiler's make rule (`-MD`) lists, such as "out: a b\\ c".
[[nodiscard]] std::vector<std::string> dependenciesIn(std::string_view rule);

/// Reads the rule in `file` and returns the first file that is outside of all `folders`; nullopt if
/// there is none. Links are followed. If the rule cannot be read, returns `file`.
[[nodiscard]] std::optional<std::string> foreignFile(
    const std::filesystem::path& file, const std::vector<std::filesystem::path>& folders);

}  // namespace tilestep::compile
