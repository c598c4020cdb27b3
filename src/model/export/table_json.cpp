// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cctype>
#include <cstdio>

#include "model/export/table.h"

namespace tilestep::model {
namespace {

std::string quoted(const std::string& text) {
  std::string table = "\"";
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      table += '\\';
      table += c;
    } else if (code < 0x20) {
      char escape[8];
      std::snprintf(escape, sizeof escape, "\\u%04x", code);
      table += escape;
    } else {
      table += c;
    }
  }
  return table + "\"";
}

size_t afterDigits(const std::string& text, size_t at) {
  while (at < text.size() && std::isdigit(static_cast<unsigned char>(text[at])) != 0) ++at;
  return at;
}

/// JSON's grammar for numbers: no leading zeros, no plus, no hex, no infinity.
bool isNumber(const std::string& text) {
  const size_t first = text.starts_with('-') ? 1 : 0;
  size_t at = afterDigits(text, first);
  if (at == first || (text[first] == '0' && at > first + 1)) return false;
  if (at < text.size() && text[at] == '.') {
    const size_t end = afterDigits(text, at + 1);
    if (end == at + 1) return false;
    at = end;
  }
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    size_t digits = at + 1;
    if (digits < text.size() && (text[digits] == '+' || text[digits] == '-')) ++digits;
    const size_t end = afterDigits(text, digits);
    if (end == digits) return false;
    at = end;
  }
  return at == text.size();
}

std::string cellOf(const std::string& text) {
  if (text.empty()) return "null";
  return isNumber(text) ? text : quoted(text);
}

}  // namespace

std::string jsonOf(std::string_view view, const Table& table) {
  std::string text = "{\"schema\": 1, \"view\": " + quoted(std::string(view)) +
                     ",\n \"title\": " + quoted(table.title) + ",\n \"columns\": [";
  for (size_t i = 0; i < table.columns.size(); ++i)
    text += (i == 0 ? "" : ", ") + quoted(table.columns[i]);
  text += "],\n \"rows\": [";
  for (size_t r = 0; r < table.rows.size(); ++r) {
    text += r == 0 ? "\n  {" : ",\n  {";
    for (size_t i = 0; i < table.columns.size(); ++i)
      text += (i == 0 ? "" : ", ") + quoted(table.columns[i]) + ": " + cellOf(table.rows[r][i]);
    text += "}";
  }
  return text + "\n ],\n \"cut\": " + (table.cut ? "true" : "false") + "}\n";
}

}  // namespace tilestep::model
