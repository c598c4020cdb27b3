// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilestep::compile {

/// The files in a compiler's make rule (`-MD`): "out: a b\\ c \" and so on.
[[nodiscard]] std::vector<std::string> dependenciesIn(std::string_view rule);

/// The first file of the rule in `file` that is outside of all `folders`; nullopt if there is none.
/// Links are followed. For an unreadable rule, the result is the rule's own file.
[[nodiscard]] std::optional<std::string> foreignFile(
    const std::filesystem::path& file, const std::vector<std::filesystem::path>& folders);

}  // namespace tilestep::compile
