// SPDX-License-Identifier: Apache-2.0
#include "base/toml/parse_toml.h"

#include "base/toml/toml_depth.h"

namespace tilestep {

toml::table parseToml(std::string_view text, const std::string& file) {
  if (const auto place = whereTooDeep(text))
    throw toml::parse_error(place->what, toml::source_position{place->line, place->column});
  return toml::parse(text, file);
}

}  // namespace tilestep
