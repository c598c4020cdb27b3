// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/toml/toml_reader.h"
#include "compile/kernel.h"

/// Parses [[operand]] tables. toml++ is a heavy header, so include this file only in .cpp files.
namespace tilestep::compile {

/// Reads expressions and their locations, so that they can be checked once all names are known.
struct FoundExpressions {
  using Places = std::vector<std::pair<const toml::node*, std::string>>;
  Places all;
  Places ofElements;  ///< Expressions that may also use i and the inputs' elements.

  std::string one(TomlReader& reader, const toml::table& table, const char* key);
  /// Like one(), but the number may have a fraction.
  std::string number(TomlReader& reader, const toml::table& table, const char* key);
  std::vector<std::string> list(TomlReader& reader, const toml::table& table, const char* key);
};

/// `names` contains the names of all sizes and tunables; a scalar with such a name needs no value.
/// Errors go to the reader.
std::vector<OperandSpec> parseOperands(TomlReader& reader, const toml::table& root,
                                       const std::set<std::string>& names,
                                       FoundExpressions& expressions);

}  // namespace tilestep::compile
