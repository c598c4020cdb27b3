// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <toml++/toml.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "base/dim3.h"
#include "compile/front_matter/toml_reader.h"
#include "compile/kernel.h"

/// Parts of the files that a session keeps. Brings toml++: for .cpp files alone.
namespace tilestep::model {

[[nodiscard]] toml::table bindingsTable(const compile::Bindings& bindings);
[[nodiscard]] toml::array arrayOf(const Dim3& index);

/// What is no TOML, with file and line.
[[nodiscard]] Error syntaxError(const toml::parse_error& error, const std::string& file,
                                std::string_view text);

/// Typed access with ranges on top of TomlReader's; the first thing that is wrong is kept there.
class CheckedToml {
 public:
  CheckedToml(const std::string& file, std::string_view text) : toml_(file, text) {}

 protected:
  /// At the key, or at the table where it has none.
  void fail(const toml::table& table, const char* key, const std::string& message);
  /// `fallback` where the key is missing, or out of the range.
  int64_t whole(const toml::table& table, const char* key, int64_t fallback, int64_t low,
                int64_t high);
  double number(const toml::table& table, const char* key, double fallback, double low,
                double high);

  compile::TomlReader toml_;
};

}  // namespace tilestep::model
