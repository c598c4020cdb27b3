// SPDX-License-Identifier: Apache-2.0
#include "compile/front_matter/operand_parser.h"

#include <algorithm>

#include "compile/front_matter/entries.h"
#include "compile/front_matter/structure.h"

namespace tilestep::compile {
namespace {

constexpr size_t kMostOperands = 64;
constexpr size_t kMostFields = 256;
constexpr int64_t kMostStructureBytes = 4096;

class OperandParser {
 public:
  OperandParser(TomlReader& reader, const toml::table& root, const std::set<std::string>& names,
                FoundExpressions& expressions)
      : reader_(reader), root_(root), names_(names), expressions_(expressions) {}

  std::vector<OperandSpec> parse();

 private:
  void operand(const toml::table& table);
  ElementType type(const toml::table& table, ElementType fallback);
  void extent(const toml::table& table, OperandSpec& operand);
  void expect(const toml::table& table, OperandSpec& operand);
  void fields(const toml::table& table, OperandSpec& operand);
  FieldSpec field(const toml::table& table);
  void hold();

  TomlReader& reader_;
  const toml::table& root_;
  const std::set<std::string>& names_;
  FoundExpressions& expressions_;
  std::vector<OperandSpec> operands_;
};

std::vector<OperandSpec> OperandParser::parse() {
  for (const toml::table* table : reader_.tables(root_, "operand")) {
    operand(*table);
    if (operands_.size() > kMostOperands) {
      reader_.fail(*table, "a kernel has at most 64 operands");
      return operands_;
    }
  }
  hold();
  return operands_;
}

ElementType OperandParser::type(const toml::table& table, ElementType fallback) {
  const std::string text = reader_.text(table, "type");
  if (text.empty()) return fallback;
  const auto known = elementTypeOf(text);
  if (!known) {
    reader_.fail(*table.get("type"),
                 "type is " + text +
                     "; it must be one of f32, f64, f16, bf16, i8, u8, i32, u32, i64 and u64");
  }
  return known.value_or(fallback);
}

FieldSpec OperandParser::field(const toml::table& table) {
  reader_.onlyKeys(table, {"type", "value", "pointer", "offset"}, "a field");
  FieldSpec field;
  field.type = type(table, ElementType::i32);
  field.value = expressions_.number(reader_, table, "value");
  field.pointer = reader_.text(table, "pointer");
  field.offset = reader_.integer(table, "offset", -1);
  const bool fits = field.offset < kMostStructureBytes &&
                    field.offset % static_cast<int64_t>(bytesOf(field)) == 0;
  if (table.contains("offset") && (field.offset < 0 || !fits)) {
    reader_.fail(*table.get("offset"),
                 "an offset must be a multiple of the field's size and below 4096");
  }
  if (field.pointer.empty() == field.value.empty()) {
    reader_.fail(table,
                 "a field needs a value, or in pointer the name of the operand that it points to");
  }
  return field;
}

/// Reads the members of a structure that is passed by value.
void OperandParser::fields(const toml::table& table, OperandSpec& operand) {
  for (const toml::table* each : reader_.tables(table, "fields")) {
    operand.fields.push_back(field(*each));
    if (operand.fields.size() > kMostFields) {
      return reader_.fail(*each, "a structure has at most 256 fields");
    }
  }
  operand.align = reader_.integer(table, "align", 0);
  const bool power = operand.align > 0 && (operand.align & (operand.align - 1)) == 0;
  if (table.contains("align") && (!power || operand.align > 128 || operand.fields.empty())) {
    reader_.fail(*table.get("align"), "align must be the alignment of a structure: 1, 2, 4, … 128");
  }
  if (table.contains("fields") && operand.kind != OperandKind::scalar) {
    reader_.fail(*table.get("fields"), "only a scalar can have fields");
  }
}

/// Marks operands to which fields point, which are not parameters themselves.
void OperandParser::hold() {
  for (OperandSpec& operand : operands_) {
    for (const FieldSpec& field : operand.fields) {
      if (field.pointer.empty()) continue;
      const auto to = std::find_if(operands_.begin(), operands_.end(), [&](const OperandSpec& o) {
        return o.name == field.pointer && o.kind == OperandKind::buffer;
      });
      if (to != operands_.end()) {
        to->held = true;
        continue;
      }
      reader_.fail(root_, "a field of " + operand.name + " points to " + field.pointer +
                              ", but no buffer has this name; write an [[operand]] for it");
    }
  }
}

void OperandParser::operand(const toml::table& table) {
  reader_.onlyKeys(table,
                   {"name", "kind", "type", "direction", "fill", "rows", "columns", "extent",
                    "value", "expect", "fields", "align"},
                   "operand");
  OperandSpec operand;
  operand.name = reader_.text(table, "name");
  if (!isIdentifier(operand.name)) {
    reader_.fail(table.contains("name") ? *table.get("name") : table,
                 "an operand needs a name: the name of the kernel's parameter");
  }
  for (const OperandSpec& other : operands_) {
    if (other.name == operand.name) reader_.fail(table, "there are two operands " + other.name);
  }
  operand.kind = reader_.choice<OperandKind>(table, "kind", OperandKind::buffer,
                                             {{"buffer", OperandKind::buffer},
                                              {"scalar", OperandKind::scalar},
                                              {"symbol", OperandKind::symbol}});
  operand.type = operand.kind == OperandKind::scalar ? ElementType::i32 : ElementType::f32;
  operand.type = type(table, operand.type);
  operand.direction = reader_.choice<Direction>(
      table, "direction", Direction::in,
      {{"in", Direction::in}, {"out", Direction::out}, {"inout", Direction::inout}});
  operand.fill = reader_.choice<Fill>(table, "fill", Fill::random,
                                      {{"random", Fill::random},
                                       {"zero", Fill::zero},
                                       {"ones", Fill::ones},
                                       {"index", Fill::index},
                                       {"wide", Fill::wide}});
  fields(table, operand);
  extent(table, operand);
  expect(table, operand);
  operands_.push_back(std::move(operand));
}

void OperandParser::extent(const toml::table& table, OperandSpec& operand) {
  operand.rows = expressions_.one(reader_, table, "rows");
  operand.columns = expressions_.one(reader_, table, "columns");
  operand.extent = expressions_.one(reader_, table, "extent");
  operand.value = expressions_.number(reader_, table, "value");
  const bool matrix = !operand.rows.empty() && !operand.columns.empty();
  const bool half = operand.rows.empty() != operand.columns.empty();
  if (operand.kind == OperandKind::scalar) {
    if (matrix || half || !operand.extent.empty()) {
      reader_.fail(table, "a scalar needs a value and cannot have rows, columns or an extent");
    }
    if (!operand.fields.empty()) {
      if (!operand.value.empty())
        reader_.fail(table,
                     "a structure has its values in its fields, so it cannot have a value itself");
      return;
    }
    if (operand.value.empty() && names_.count(operand.name)) operand.value = operand.name;
    if (operand.value.empty()) {
      reader_.fail(
          table, "the scalar " + operand.name + " needs a value; no size or tunable has its name");
    }
  } else if (half || matrix == !operand.extent.empty()) {
    reader_.fail(table, "the buffer " + operand.name + " needs rows and columns, or an extent");
  } else if (!operand.value.empty()) {
    reader_.fail(*table.get("value"),
                 "only a scalar can have a value; use fill to set a buffer's contents");
  } else if (matrix) {
    operand.extent = "(" + operand.rows + ") * (" + operand.columns + ")";
  }
}

void OperandParser::expect(const toml::table& table, OperandSpec& operand) {
  operand.expect = reader_.expression(table, "expect");
  if (operand.expect.empty()) return;
  expressions_.ofElements.emplace_back(table.get("expect"), operand.expect);
  if (operand.kind != OperandKind::buffer || operand.direction == Direction::in) {
    reader_.fail(*table.get("expect"),
                 "only a buffer of direction out or inout can have an expect");
  }
}

}  // namespace

std::string FoundExpressions::one(TomlReader& reader, const toml::table& table, const char* key) {
  std::string text = reader.expression(table, key);
  if (!text.empty()) all.emplace_back(table.get(key), text);
  return text;
}

std::string FoundExpressions::number(TomlReader& reader, const toml::table& table,
                                     const char* key) {
  std::string text = reader.real(table, key);
  if (!text.empty()) all.emplace_back(table.get(key), text);
  return text;
}

std::vector<std::string> FoundExpressions::list(TomlReader& reader, const toml::table& table,
                                                const char* key) {
  std::vector<std::string> found = reader.expressions(table, key);
  for (const std::string& text : found) all.emplace_back(table.get(key), text);
  return found;
}

std::vector<OperandSpec> parseOperands(TomlReader& reader, const toml::table& root,
                                       const std::set<std::string>& names,
                                       FoundExpressions& expressions) {
  return OperandParser(reader, root, names, expressions).parse();
}

}  // namespace tilestep::compile
