// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/toml/toml_reader.h"
#include "compile/kernel.h"

/// The [[operand]] tables of front matter. Brings toml++: for .cpp files alone.
namespace tilestep::compile {

/// Expressions with their places, to check them once all names are known.
struct FoundExpressions {
  using Places = std::vector<std::pair<const toml::node*, std::string>>;
  Places all;
  Places ofElements;  ///< These know i as well.

  std::string one(TomlReader& reader, const toml::table& table, const char* key);
  /// The same where a number may have a fraction.
  std::string number(TomlReader& reader, const toml::table& table, const char* key);
  std::vector<std::string> list(TomlReader& reader, const toml::table& table, const char* key);
};

/// `names` are those of sizes and tunables: a scalar of such a name needs no value. Errors
/// go to the reader.
std::vector<OperandSpec> parseOperands(TomlReader& reader, const toml::table& root,
                                       const std::set<std::string>& names,
                                       FoundExpressions& expressions);

}  // namespace tilestep::compile
