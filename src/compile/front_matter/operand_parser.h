// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/toml/toml_reader.h"
#include "compile/kernel.h"

/// Parses the [[operand]] tables of front matter. Includes toml++: for .cpp files only.
namespace tilestep::compile {

/// Expressions with their locations, to be checked once all names are known.
struct FoundExpressions {
  using Places = std::vector<std::pair<const toml::node*, std::string>>;
  Places all;
  Places ofElements;  ///< These may also use i.

  std::string one(TomlReader& reader, const toml::table& table, const char* key);
  /// The same for a number that may have a fraction.
  std::string number(TomlReader& reader, const toml::table& table, const char* key);
  std::vector<std::string> list(TomlReader& reader, const toml::table& table, const char* key);
};

/// `names` are those of sizes and tunables: a scalar with such a name needs no value. Errors go to
/// the reader.
std::vector<OperandSpec> parseOperands(TomlReader& reader, const toml::table& root,
                                       const std::set<std::string>& names,
                                       FoundExpressions& expressions);

}  // namespace tilestep::compile
