// SPDX-License-Identifier: Apache-2.0
#include "base/toml/parse_toml.h"

#include <utility>

#include "base/toml/toml_depth.h"

namespace tilestep {
namespace {

Error errorAt(std::string message, const std::string& file, const toml::source_position& at) {
  Error error = requestError(std::move(message));
  error.where = TextLocation{file, static_cast<int>(at.line), static_cast<int>(at.column)};
  return error;
}

}  // namespace

Result<toml::table> parseToml(std::string_view text, const std::string& file) {
  if (const auto place = whereTooDeep(text))
    return errorAt(place->what, file, toml::source_position{place->line, place->column});
  try {
    return toml::parse(text, file);
  } catch (const toml::parse_error& problem) {
    return errorAt(std::string(problem.description()), file, problem.source().begin);
  }
}

}  // namespace tilestep
