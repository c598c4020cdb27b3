// SPDX-License-Identifier: Apache-2.0
// base/toml/parse_toml.h without exceptions.
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
  toml::parse_result parsed = toml::parse(text, file);
  if (parsed) return std::move(parsed).table();
  const toml::parse_error& problem = parsed.error();
  return errorAt(std::string(problem.description()), file, problem.source().begin);
}

}  // namespace tilestep
