// SPDX-License-Identifier: Apache-2.0
#include "base/toml/toml_reader.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/nearest_name.h"
#include "base/number_text.h"
#include "base/text_lines.h"

namespace tilestep {

void TomlReader::fail(const toml::source_region& where, std::string message) {
  fail(lineIn(where), static_cast<int>(where.begin.column), std::move(message));
}

void TomlReader::failToParse(const Error& error, const std::string& prefix) {
  fail(error.where->line + linesBefore_, error.where->column, prefix + error.message);
}

void TomlReader::fail(int line, int column, std::string message) {
  if (error_) return;
  error_ = requestError(std::move(message));
  error_->where = TextLocation{file_, line, column};
  error_->sourceLine = lineOf(text_, line);
}

void TomlReader::onlyKeys(const toml::table& table, const std::vector<std::string>& known,
                          const std::string& where) {
  for (const auto& [key, node] : table) {
    const std::string name(key.str());
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    fail(key.source(),
         where + " has no key " + name + "; the nearest is " + nearestName(name, known));
  }
}

std::string TomlReader::text(const toml::table& table, const char* key, std::string fallback) {
  const toml::node* node = table.get(key);
  if (!node) return fallback;
  if (const auto value = node->value_exact<std::string>()) return *value;
  fail(*node, std::string(key) + " must be a string in quotes");
  return fallback;
}

int64_t TomlReader::integer(const toml::table& table, const char* key, int64_t fallback) {
  const toml::node* node = table.get(key);
  if (!node) return fallback;
  if (const auto value = node->value_exact<int64_t>()) return *value;
  fail(*node, std::string(key) + " must be a whole number");
  return fallback;
}

bool TomlReader::boolean(const toml::table& table, const char* key, bool fallback) {
  const toml::node* node = table.get(key);
  if (!node) return fallback;
  if (const auto value = node->value_exact<bool>()) return *value;
  fail(*node, std::string(key) + " must be true or false");
  return fallback;
}

namespace {

std::optional<std::string> expressionOf(const toml::node& node) {
  if (const auto value = node.value_exact<int64_t>()) return std::to_string(*value);
  return node.value_exact<std::string>();
}

}  // namespace

std::string TomlReader::expression(const toml::table& table, const char* key) {
  const toml::node* node = table.get(key);
  if (!node) return {};
  if (auto value = expressionOf(*node)) return *value;
  fail(*node, std::string(key) + " must be a whole number or an expression in quotes");
  return {};
}

std::string TomlReader::real(const toml::table& table, const char* key) {
  const toml::node* node = table.get(key);
  const auto value = node ? node->value_exact<double>() : std::nullopt;
  if (!value) return expression(table, key);
  if (std::isfinite(*value)) return shortestText(*value);
  fail(*node, std::string(key) + " must be a finite number or an expression in quotes");
  return {};
}

std::vector<std::string> TomlReader::expressions(const toml::table& table, const char* key) {
  const toml::node* node = table.get(key);
  if (!node) return {};
  if (auto one = expressionOf(*node)) return {*one};
  std::vector<std::string> list;
  const toml::array* array = node->as_array();
  if (array) {
    for (const toml::node& element : *array) {
      if (auto value = expressionOf(element)) list.push_back(*value);
    }
  }
  if (!array || array->empty() || array->size() > 3 || list.size() != array->size()) {
    fail(*node,
         std::string(key) + " must be a list of one to three numbers or expressions: x, y, z");
  }
  return list;
}

template <class Value>
std::vector<Value> TomlReader::listOf(const toml::table& table, const char* key, const char* what) {
  const toml::node* node = table.get(key);
  if (!node) return {};
  std::vector<Value> list;
  const toml::array* array = node->as_array();
  if (array) {
    for (const toml::node& element : *array) {
      if (auto value = element.value_exact<Value>()) list.push_back(*value);
    }
  }
  if (!array || array->empty() || list.size() != array->size()) {
    fail(*node, std::string(key) + " must be a list of " + what);
  }
  return list;
}

std::vector<int64_t> TomlReader::integers(const toml::table& table, const char* key) {
  return listOf<int64_t>(table, key, "whole numbers");
}

std::vector<std::string> TomlReader::texts(const toml::table& table, const char* key) {
  return listOf<std::string>(table, key, "strings");
}

std::vector<const toml::table*> TomlReader::tables(const toml::table& table, const char* key) {
  const toml::node* node = table.get(key);
  if (!node) return {};
  if (const toml::table* one = node->as_table()) return {one};
  std::vector<const toml::table*> list;
  const toml::array* array = node->as_array();
  if (array) {
    for (const toml::node& element : *array) {
      if (element.is_table()) list.push_back(element.as_table());
    }
  }
  if (!array || list.size() != array->size()) {
    fail(*node, std::string(key) + " must be a list of tables: [[" + key + "]]");
  }
  return list;
}

std::vector<std::string> TomlReader::keysInOrder(const toml::table& table) {
  std::vector<std::pair<toml::source_position, std::string>> found;
  for (const auto& [key, node] : table) found.emplace_back(key.source().begin, key.str());
  std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) {
    return std::pair(a.first.line, a.first.column) < std::pair(b.first.line, b.first.column);
  });
  std::vector<std::string> names;
  for (auto& [position, name] : found) names.push_back(std::move(name));
  return names;
}

}  // namespace tilestep
