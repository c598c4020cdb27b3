// SPDX-License-Identifier: Apache-2.0
#include "model/files/checked_toml.h"

#include <array>
#include <cstdio>
#include <optional>

namespace tilestep::model {

toml::table bindingsTable(const compile::Bindings& bindings) {
  toml::table table;
  for (const auto& [name, value] : bindings) table.insert(name, value);
  return table;
}

toml::array arrayOf(const Dim3& index) {
  return toml::array{int64_t{index.x}, int64_t{index.y}, int64_t{index.z}};
}

Error syntaxError(const toml::parse_error& error, const std::string& file, std::string_view text) {
  compile::TomlReader reader(file, text);
  reader.fail(error.source(), std::string(error.description()));
  return *reader.error();
}

void CheckedToml::fail(const toml::table& table, const char* key, const std::string& message) {
  const toml::node* node = table.get(key);
  toml_.fail(node != nullptr ? *node : static_cast<const toml::node&>(table), message);
}

int64_t CheckedToml::whole(const toml::table& table, const char* key, int64_t fallback, int64_t low,
                           int64_t high) {
  const int64_t value = toml_.integer(table, key, fallback);
  if (value >= low && value <= high) return value;
  fail(table, key,
       std::string(key) + " is out of range: " + std::to_string(low) + " to " +
           std::to_string(high));
  return fallback;
}

double CheckedToml::number(const toml::table& table, const char* key, double fallback, double low,
                           double high) {
  const toml::node* node = table.get(key);
  if (node == nullptr) return fallback;
  const std::optional<double> value = node->value<double>();
  if ((node->is_floating_point() || node->is_integer()) && value && *value >= low && *value <= high)
    return *value;
  std::array<char, 80> range{};
  std::snprintf(range.data(), range.size(), " is a number from %g to %g", low, high);
  fail(table, key, key + std::string(range.data()));
  return fallback;
}

}  // namespace tilestep::model
