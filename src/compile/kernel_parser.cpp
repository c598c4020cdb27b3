// SPDX-License-Identifier: Apache-2.0
// From front matter to a KernelSpec. What the fields mean is in docs/kernels.md.
#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "compile/entries.h"
#include "compile/expression.h"
#include "compile/front_matter.h"
#include "compile/kernel.h"
#include "compile/nearest_name.h"
#include "compile/structure.h"
#include "compile/toml_reader.h"

namespace tilestep::compile {
namespace {

constexpr int64_t kLargestTunable = int64_t{1} << 31;
constexpr size_t kMostOperands = 64;
constexpr size_t kMostFields = 256;
constexpr int64_t kMostStructureBytes = 4096;

template <class T>
using Choices = std::initializer_list<std::pair<const char*, T>>;

class KernelParser {
 public:
  KernelParser(TomlReader& reader, const toml::table& root, KernelSpec& spec)
      : reader_(reader), root_(root), spec_(spec) {}

  void parse() {
    header();
    sizes();
    tunables();
    operands();
    launches();
    rules();
    shared();
    if (!reader_.error()) checkExpressions();
  }

 private:
  void header();
  void reference();
  void sizes();
  void tunables();
  void tunable(const std::string& name, const toml::table& table);
  void range(const toml::table& table, TunableSpec& tunable);
  void operands();
  void operand(const toml::table& table);
  ElementType type(const toml::table& table, ElementType fallback);
  void extent(const toml::table& table, OperandSpec& operand);
  void expect(const toml::table& table, OperandSpec& operand);
  void fields(const toml::table& table, OperandSpec& operand);
  FieldSpec field(const toml::table& table);
  void hold();
  void launches();
  void rules();
  void shared();
  void checkExpressions();
  void claim(const std::string& name, const toml::source_region& where, const char* what);

  template <class T>
  T choice(const toml::table& table, const char* key, T fallback, Choices<T> choices) {
    const std::string chosen = reader_.text(table, key);
    if (chosen.empty()) return fallback;
    std::vector<std::string> names;
    for (const auto& [name, value] : choices) {
      if (chosen == name) return value;
      names.emplace_back(name);
    }
    reader_.fail(*table.get(key),
                 std::string(key) + " is " + chosen + "; it is one of " + listed(names));
    return fallback;
  }

  // Remembers the expression with its place, to check it once all names are known.
  std::string expression(const toml::table& table, const char* key) {
    std::string text = reader_.expression(table, key);
    if (!text.empty()) toCheck_.emplace_back(table.get(key), text);
    return text;
  }
  std::vector<std::string> expressions(const toml::table& table, const char* key) {
    std::vector<std::string> list = reader_.expressions(table, key);
    for (const std::string& text : list) toCheck_.emplace_back(table.get(key), text);
    return list;
  }

  TomlReader& reader_;
  const toml::table& root_;
  KernelSpec& spec_;
  std::set<std::string> names_{"SHARED_BYTES_MAX", "SHARED_BYTES_STATIC", "THREADS_MAX"};
  std::vector<std::pair<const toml::node*, std::string>> toCheck_;
  std::vector<std::pair<const toml::node*, std::string>> expected_;  // These know i as well.
};

void KernelParser::claim(const std::string& name, const toml::source_region& where,
                         const char* what) {
  if (!isIdentifier(name)) {
    reader_.fail(where, "the " + std::string(what) + " name " + name +
                            " is no identifier; write letters, digits and _");
  } else if (isFunctionName(name)) {
    reader_.fail(where, name + " is a function of expressions; give the " + std::string(what) +
                            " another name");
  } else if (!names_.insert(name).second) {
    reader_.fail(where,
                 "the name " + name + " is taken; give the " + std::string(what) + " another name");
  }
}

void KernelParser::header() {
  reader_.onlyKeys(root_,
                   {"title", "summary", "entry", "operand", "sizes", "tunable", "launch", "rules",
                    "shared", "operations", "phases", "epochs_per_phase", "phase_length",
                    "reference", "arch", "elements_per_block"},
                   "front matter");
  spec_.title = reader_.text(root_, "title", spec_.name);
  spec_.summary = reader_.text(root_, "summary");
  spec_.entry = reader_.text(root_, "entry", spec_.name);
  if (!isEntryName(spec_.entry)) {
    const std::string message =
        "entry is the name of a __global__ function, with its arguments where it is a template";
    root_.contains("entry") ? reader_.fail(*root_.get("entry"), message)
                            : reader_.fail(1, 0, message);
  }
  spec_.operations = expression(root_, "operations");
  spec_.phases = expression(root_, "phases");
  spec_.phaseLength = expression(root_, "phase_length");
  const int64_t epochs = reader_.integer(root_, "epochs_per_phase", 0);
  if (epochs < 0 || epochs > 1000) {
    reader_.fail(*root_.get("epochs_per_phase"), "epochs_per_phase is 0 to 1000");
  }
  spec_.epochsPerPhase = static_cast<int>(epochs);
  reference();
  spec_.arch = reader_.text(root_, "arch");
  const bool plain = spec_.arch.rfind("compute_", 0) == 0 && isIdentifier(spec_.arch);
  if (!spec_.arch.empty() && !plain) {
    reader_.fail(*root_.get("arch"), "arch is written like compute_75");
  }
}

void KernelParser::reference() {
  spec_.reference = choice<std::string>(root_, "reference", "",
                                        {{"matmul", "matmul"},
                                         {"sum", "sum"},
                                         {"transpose", "transpose"},
                                         {"block_sums", "block_sums"}});
  spec_.elementsPerBlock = expression(root_, "elements_per_block");
  const bool sums = spec_.reference == "block_sums";
  if (sums && spec_.elementsPerBlock.empty()) {
    reader_.fail(*root_.get("reference"),
                 "the reference block_sums needs elements_per_block, how many elements a sum has");
  } else if (!sums && !spec_.elementsPerBlock.empty()) {
    reader_.fail(*root_.get("elements_per_block"),
                 "elements_per_block goes with reference = \"block_sums\"");
  }
}

void KernelParser::sizes() {
  const toml::node* node = root_.get("sizes");
  if (!node) return;
  const toml::table* table = node->as_table();
  if (!table) return reader_.fail(*node, "sizes is a table: { m = 1024, n = 1024 }");
  for (const std::string& name : TomlReader::keysInOrder(*table)) {
    claim(name, table->get(name)->source(), "size");
    const int64_t value = reader_.integer(*table, name.c_str(), 1);
    if (value < 1) reader_.fail(*table->get(name), "the size " + name + " is 1 or more");
    spec_.sizes[name] = value;
    spec_.sizeOrder.push_back(name);
  }
}

void KernelParser::tunables() {
  const toml::node* node = root_.get("tunable");
  if (!node) return;
  const toml::table* table = node->as_table();
  if (!table) return reader_.fail(*node, "write a tunable as [tunable.NAME]");
  for (const std::string& name : TomlReader::keysInOrder(*table)) {
    const toml::node& entry = *table->get(name);
    claim(name, entry.source(), "tunable");
    if (!entry.is_table()) return reader_.fail(entry, "write a tunable as [tunable." + name + "]");
    tunable(name, *entry.as_table());
  }
}

void KernelParser::tunable(const std::string& name, const toml::table& table) {
  reader_.onlyKeys(table, {"default", "range", "step", "values", "names", "title"},
                   "tunable." + name);
  TunableSpec tunable;
  tunable.name = name;
  tunable.title = reader_.text(table, "title");
  tunable.values = reader_.integers(table, "values");
  range(table, tunable);
  tunable.names = reader_.texts(table, "names");
  if (!tunable.names.empty() && tunable.names.size() != tunable.values.size())
    reader_.fail(*table.get("names"), "give " + name + " as many names as values, ascending");
  if (!table.contains("default")) {
    reader_.fail(table, "tunable." + name + " has no default");
  } else {
    tunable.defaultValue = reader_.integer(table, "default", tunable.minimum);
    const auto& values = tunable.values;
    const int64_t value = tunable.defaultValue;
    const bool legal = values.empty()
                           ? value >= tunable.minimum && value <= tunable.maximum &&
                                 (value - tunable.minimum) % tunable.step == 0
                           : std::find(values.begin(), values.end(), value) != values.end();
    if (!legal) {
      reader_.fail(*table.get("default"), "the default of " + name + ", " + std::to_string(value) +
                                              ", is not one of its own values");
    }
  }
  spec_.tunables.push_back(std::move(tunable));
}

void KernelParser::range(const toml::table& table, TunableSpec& tunable) {
  if (!tunable.values.empty()) {
    std::sort(tunable.values.begin(), tunable.values.end());
    tunable.minimum = tunable.values.front();
    tunable.maximum = tunable.values.back();
    if (table.contains("range"))
      reader_.fail(*table.get("range"), "give range or values, not both");
  } else {
    const std::vector<int64_t> ends = reader_.integers(table, "range");
    if (ends.size() != 2 || ends[0] > ends[1]) {
      reader_.fail(
          table.contains("range") ? *table.get("range") : table,
          "tunable." + tunable.name + " needs range = [FIRST, LAST] or values = [A, B, C]");
      return;
    }
    tunable.minimum = ends[0];
    tunable.maximum = ends[1];
  }
  if (tunable.minimum < -kLargestTunable || tunable.maximum > kLargestTunable) {
    reader_.fail(table, "values of a tunable are within 2^31 of zero");
  }
  tunable.step = reader_.integer(table, "step", 1);
  if (tunable.step < 1 || tunable.step > kLargestTunable) {
    reader_.fail(*table.get("step"), "step is 1 or more");
    tunable.step = 1;
  }
}

void KernelParser::operands() {
  for (const toml::table* table : reader_.tables(root_, "operand")) {
    operand(*table);
    if (spec_.operands.size() > kMostOperands) {
      return reader_.fail(*table, "a kernel has at most 64 operands");
    }
  }
  hold();
}

ElementType KernelParser::type(const toml::table& table, ElementType fallback) {
  const std::string text = reader_.text(table, "type");
  if (text.empty()) return fallback;
  const auto known = elementTypeOf(text);
  if (!known) {
    reader_.fail(*table.get("type"), "type is " + text +
                                         "; it is one of f32, f64, f16, bf16, i8, u8, i32, u32, "
                                         "i64 and u64");
  }
  return known.value_or(fallback);
}

FieldSpec KernelParser::field(const toml::table& table) {
  reader_.onlyKeys(table, {"type", "value", "pointer", "offset"}, "a field");
  FieldSpec field;
  field.type = type(table, ElementType::i32);
  field.value = expression(table, "value");
  field.pointer = reader_.text(table, "pointer");
  field.offset = reader_.integer(table, "offset", -1);
  const bool fits = field.offset < kMostStructureBytes &&
                    field.offset % static_cast<int64_t>(bytesOf(field)) == 0;
  if (table.contains("offset") && (field.offset < 0 || !fits)) {
    reader_.fail(*table.get("offset"), "an offset is a multiple of the field's bytes, below 4096");
  }
  if (field.pointer.empty() == field.value.empty()) {
    reader_.fail(table, "a field has a value, or names in pointer the operand that it points to");
  }
  return field;
}

/// The members of a structure that is passed by value.
void KernelParser::fields(const toml::table& table, OperandSpec& operand) {
  for (const toml::table* each : reader_.tables(table, "fields")) {
    operand.fields.push_back(field(*each));
    if (operand.fields.size() > kMostFields) {
      return reader_.fail(*each, "a structure has at most 256 fields");
    }
  }
  operand.align = reader_.integer(table, "align", 0);
  const bool power = operand.align > 0 && (operand.align & (operand.align - 1)) == 0;
  if (table.contains("align") && (!power || operand.align > 128 || operand.fields.empty())) {
    reader_.fail(*table.get("align"), "align is that of a structure: 1, 2, 4, … 128");
  }
  if (table.contains("fields") && operand.kind != OperandKind::scalar) {
    reader_.fail(*table.get("fields"), "only a scalar has fields");
  }
}

/// What a field points to is no parameter of its own.
void KernelParser::hold() {
  for (OperandSpec& operand : spec_.operands) {
    for (const FieldSpec& field : operand.fields) {
      if (field.pointer.empty()) continue;
      const auto to =
          std::find_if(spec_.operands.begin(), spec_.operands.end(), [&](const OperandSpec& o) {
            return o.name == field.pointer && o.kind == OperandKind::buffer;
          });
      if (to != spec_.operands.end()) {
        to->held = true;
        continue;
      }
      reader_.fail(root_, "a field of " + operand.name + " points to " + field.pointer +
                              ", and no buffer has that name; write an [[operand]] for it");
    }
  }
}

void KernelParser::operand(const toml::table& table) {
  reader_.onlyKeys(table,
                   {"name", "kind", "type", "direction", "fill", "rows", "columns", "extent",
                    "value", "expect", "fields", "align"},
                   "operand");
  OperandSpec operand;
  operand.name = reader_.text(table, "name");
  if (!isIdentifier(operand.name)) {
    reader_.fail(table.contains("name") ? *table.get("name") : table,
                 "an operand has a name, as the kernel's parameter has");
  }
  for (const OperandSpec& other : spec_.operands) {
    if (other.name == operand.name)
      reader_.fail(table, "there is an operand " + other.name + " already");
  }
  operand.kind = choice<OperandKind>(table, "kind", OperandKind::buffer,
                                     {{"buffer", OperandKind::buffer},
                                      {"scalar", OperandKind::scalar},
                                      {"symbol", OperandKind::symbol}});
  operand.type = operand.kind == OperandKind::scalar ? ElementType::i32 : ElementType::f32;
  operand.type = type(table, operand.type);
  operand.direction = choice<Direction>(
      table, "direction", Direction::in,
      {{"in", Direction::in}, {"out", Direction::out}, {"inout", Direction::inout}});
  operand.fill = choice<Fill>(table, "fill", Fill::random,
                              {{"random", Fill::random},
                               {"zero", Fill::zero},
                               {"ones", Fill::ones},
                               {"index", Fill::index}});
  fields(table, operand);
  extent(table, operand);
  expect(table, operand);
  spec_.operands.push_back(std::move(operand));
}

void KernelParser::extent(const toml::table& table, OperandSpec& operand) {
  operand.rows = expression(table, "rows");
  operand.columns = expression(table, "columns");
  operand.extent = expression(table, "extent");
  operand.value = expression(table, "value");
  const bool matrix = !operand.rows.empty() && !operand.columns.empty();
  const bool half = operand.rows.empty() != operand.columns.empty();
  if (operand.kind == OperandKind::scalar) {
    if (matrix || half || !operand.extent.empty()) {
      reader_.fail(table, "a scalar has a value, and no rows, columns or extent");
    }
    if (!operand.fields.empty()) {
      if (!operand.value.empty()) reader_.fail(table, "a structure has values in its fields");
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
                 "only a scalar has a value; say how a buffer is filled with fill");
  } else if (matrix) {
    operand.extent = "(" + operand.rows + ") * (" + operand.columns + ")";
  }
}

void KernelParser::expect(const toml::table& table, OperandSpec& operand) {
  operand.expect = reader_.expression(table, "expect");
  if (operand.expect.empty()) return;
  expected_.emplace_back(table.get("expect"), operand.expect);
  if (operand.kind != OperandKind::buffer || operand.direction == Direction::in) {
    reader_.fail(*table.get("expect"), "only a buffer of direction out or inout has an expect");
  }
}

void KernelParser::launches() {
  const auto tables = reader_.tables(root_, "launch");
  if (tables.empty()) reader_.fail(1, 0, "front matter has no [launch] with block and grid");
  for (const toml::table* table : tables) {
    reader_.onlyKeys(*table, {"entry", "block", "grid", "dynamic_shared_bytes", "cooperative"},
                     "launch");
    LaunchSpec launch;
    launch.entry = reader_.text(*table, "entry");
    if (!launch.entry.empty() && !isEntryName(launch.entry)) {
      reader_.fail(*table->get("entry"), "entry is the name of a __global__ function");
    }
    launch.block = expressions(*table, "block");
    launch.grid = expressions(*table, "grid");
    launch.dynamicSharedBytes = expression(*table, "dynamic_shared_bytes");
    launch.cooperative = reader_.boolean(*table, "cooperative", false);
    if (launch.block.empty() || launch.grid.empty()) {
      reader_.fail(*table, "a launch needs block and grid, each a list x, y, z");
    }
    spec_.launches.push_back(std::move(launch));
  }
}

void KernelParser::rules() {
  for (const toml::table* table : reader_.tables(root_, "rules")) {
    reader_.onlyKeys(*table, {"expr", "say"}, "a rule");
    Rule rule{expression(*table, "expr"), reader_.text(*table, "say")};
    if (rule.expression.empty() || rule.say.empty()) {
      reader_.fail(*table,
                   "a rule has expr, which holds when legal, and say, a sentence for when not");
    }
    spec_.rules.push_back(std::move(rule));
  }
}

void KernelParser::shared() {
  for (const toml::table* table : reader_.tables(root_, "shared")) {
    reader_.onlyKeys(*table, {"name", "rows", "columns", "holds", "offset"}, "shared");
    SharedSpec shared;
    shared.name = reader_.text(*table, "name");
    shared.rows = expression(*table, "rows");
    shared.columns = expression(*table, "columns");
    shared.holds = reader_.text(*table, "holds");
    shared.offset = expression(*table, "offset");
    if (!isIdentifier(shared.name) || shared.rows.empty() || shared.columns.empty()) {
      reader_.fail(*table, "a shared array has a name, rows and columns");
    }
    const auto& operands = spec_.operands;
    const bool known = std::any_of(operands.begin(), operands.end(), [&](const OperandSpec& o) {
      return o.name == shared.holds && o.kind != OperandKind::scalar;
    });
    if (!shared.holds.empty() && !known) {
      reader_.fail(*table->get("holds"), "there is no buffer " + shared.holds + " to hold");
    }
    spec_.shared.push_back(std::move(shared));
  }
}

void KernelParser::checkExpressions() {
  Evaluator evaluator;
  for (const std::string& name : names_) evaluator.set(name, 1);
  for (const auto& [node, text] : toCheck_) {
    const Status checked = evaluator.check(text);
    if (!checked) return reader_.fail(*node, checked.error().message);
  }
  Evaluator ofElements;
  for (const std::string& name : names_) ofElements.set(name, 1);
  ofElements.set("i", 1);
  for (const auto& [node, text] : expected_) {
    const Status checked = ofElements.check(text);
    if (!checked) return reader_.fail(*node, checked.error().message);
  }
}

}  // namespace

Result<KernelSpec> parseKernel(const KernelSource& source) {
  const Result<FrontMatter> front = findFrontMatter(source);
  if (!front) return front.error();
  const std::string_view shown = front->file == source.path ? source.text : front->toml;
  TomlReader reader(front->file, shown);
  KernelSpec spec;
  spec.name = stemOf(source.path);
  try {
    const toml::table root = toml::parse(front->toml);
    KernelParser(reader, root, spec).parse();
  } catch (const toml::parse_error& problem) {
    reader.fail(problem.source(),
                "the front matter is not TOML: " + std::string(problem.description()));
  }
  if (reader.error()) return *reader.error();
  return spec;
}

}  // namespace tilestep::compile
