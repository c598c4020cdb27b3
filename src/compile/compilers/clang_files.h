// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilestep::compile {

/// The files of a rule as a compiler writes it for make (`-MD`): "out: a b\\ c \" and so on.
[[nodiscard]] std::vector<std::string> dependenciesIn(std::string_view rule);

/// The first file of the rule in `file` that lies in none of `folders`; nothing where all do. Links
/// are followed. A rule that cannot be read names itself.
[[nodiscard]] std::optional<std::string> foreignFile(
    const std::filesystem::path& file, const std::vector<std::filesystem::path>& folders);

}  // namespace tilestep::compile
