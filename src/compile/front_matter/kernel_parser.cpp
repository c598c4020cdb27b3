// SPDX-License-Identifier: Apache-2.0
// Builds a KernelSpec from front matter. docs/kernels.md describes the fields.
#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "base/library_product.h"
#include "base/toml/parse_toml.h"
#include "base/toml/toml_reader.h"
#include "compile/front_matter/entries.h"
#include "compile/front_matter/entry_choice.h"
#include "compile/front_matter/expression.h"
#include "compile/front_matter/front_matter.h"
#include "compile/front_matter/operand_parser.h"
#include "compile/front_matter/tunable_values.h"
#include "compile/kernel.h"
#include "compile/text/tunable_defines.h"

namespace tilestep::compile {
namespace {

constexpr int64_t kLargestTunable = int64_t{1} << 31;
constexpr size_t kMostTunables = 64, kMostRules = 64;

int lineOf(const toml::node& node) {
  return static_cast<int>(node.source().begin.line);
}

class KernelParser {
 public:
  KernelParser(TomlReader& reader, const toml::table& root, KernelSpec& spec, EntryPlaces& places)
      : reader_(reader), root_(root), spec_(spec), places_(places) {}

  void parse() {
    header();
    sizes();
    tunables();
    spec_.operands = parseOperands(reader_, root_, names_, expressions_);
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
  void launches();
  void rules();
  void shared();
  void checkExpressions();
  void check(const FoundExpressions::Places& places, const std::set<std::string>& names);
  void claim(const std::string& name, const toml::source_region& where, const char* what);

  TomlReader& reader_;
  const toml::table& root_;
  KernelSpec& spec_;
  EntryPlaces& places_;
  std::set<std::string> names_{"MULTIPROCESSORS", "SHARED_BYTES_MAX", "SHARED_BYTES_STATIC",
                               "THREADS_MAX"};
  FoundExpressions expressions_;
};

void KernelParser::claim(const std::string& name, const toml::source_region& where,
                         const char* what) {
  if (!isIdentifier(name)) {
    reader_.fail(where, "the " + std::string(what) + " name " + name +
                            " is not an identifier; use letters, digits and _");
  } else if (isFunctionName(name)) {
    reader_.fail(where, name + " is a function in expressions; give the " + std::string(what) +
                            " another name");
  } else if (!names_.insert(name).second) {
    reader_.fail(where, "the name " + name + " is already used; give the " + std::string(what) +
                            " another name");
  }
}

void KernelParser::header() {
  reader_.onlyKeys(
      root_,
      {"title", "summary", "entry", "operand", "sizes", "tunable", "launch", "rules", "shared",
       "operations", "phases", "epochs_per_phase", "epochs_before", "phase_length", "reference",
       "arch", "elements_per_block", "exercise", "grading"},
      "front matter");
  // [exercise] and [grading] are parsed elsewhere (model/files/exercise_file.h, grade/rules.h).
  if (const toml::node* exercise = root_.get("exercise"); exercise && !exercise->is_table())
    reader_.fail(*exercise, "exercise must be a table: [exercise]");
  if (const toml::node* grading = root_.get("grading"); grading && !grading->is_table())
    reader_.fail(*grading, "grading must be a table: [grading]");
  spec_.exercise = root_.contains("exercise");
  spec_.title = reader_.text(root_, "title", spec_.name);
  spec_.summary = reader_.text(root_, "summary");
  spec_.entry = reader_.text(root_, "entry");
  // Only the front matter that Tilestep itself writes for a library product has the product's name.
  const bool isLibrary = isLibraryProduct(spec_.name) && spec_.entry == spec_.name;
  if (root_.contains("entry")) {
    places_.entry = lineOf(*root_.get("entry"));
    if (!isLibrary && !isEntryName(spec_.entry))
      reader_.fail(*root_.get("entry"),
                   "entry must be the name of a __global__ function, with its arguments if it is a "
                   "template");
  }
  spec_.operations = expressions_.one(reader_, root_, "operations");
  spec_.phases = expressions_.one(reader_, root_, "phases");
  spec_.phaseLength = expressions_.one(reader_, root_, "phase_length");
  const int64_t epochs = reader_.integer(root_, "epochs_per_phase", 0);
  if (epochs < 0 || epochs > 1000) {
    reader_.fail(*root_.get("epochs_per_phase"), "epochs_per_phase must be 0 to 1000");
  }
  spec_.epochsPerPhase = static_cast<int>(epochs);
  const int64_t before = reader_.integer(root_, "epochs_before", 0);
  if (before < 0 || before > 1000) {
    reader_.fail(*root_.get("epochs_before"), "epochs_before must be 0 to 1000");
  }
  spec_.epochsBefore = static_cast<int>(before);
  reference();
  spec_.arch = reader_.text(root_, "arch");
  const bool plain = spec_.arch.rfind("compute_", 0) == 0 && isIdentifier(spec_.arch);
  if (!spec_.arch.empty() && !plain) {
    reader_.fail(*root_.get("arch"), "arch must be written like compute_75");
  }
}

void KernelParser::reference() {
  spec_.reference = reader_.choice<std::string>(root_, "reference", "",
                                                {{"matmul", "matmul"},
                                                 {"matmul_tf32", "matmul_tf32"},
                                                 {"sum", "sum"},
                                                 {"transpose", "transpose"},
                                                 {"block_sums", "block_sums"},
                                                 {"block_scan", "block_scan"},
                                                 {"convolution", "convolution"}});
  spec_.elementsPerBlock = expressions_.one(reader_, root_, "elements_per_block");
  const bool sums = spec_.reference == "block_sums" || spec_.reference == "block_scan";
  if (sums && spec_.elementsPerBlock.empty()) {
    reader_.fail(*root_.get("reference"),
                 "the reference " + spec_.reference +
                     " needs elements_per_block, the number of elements that a block adds up");
  } else if (!sums && !spec_.elementsPerBlock.empty()) {
    reader_.fail(*root_.get("elements_per_block"),
                 "elements_per_block is only for reference = \"block_sums\" or \"block_scan\"");
  }
}

void KernelParser::sizes() {
  const toml::node* node = root_.get("sizes");
  if (!node) return;
  const toml::table* table = node->as_table();
  if (!table) return reader_.fail(*node, "sizes must be a table: { m = 1024, n = 1024 }");
  for (const std::string& name : TomlReader::keysInOrder(*table)) {
    claim(name, table->get(name)->source(), "size");
    const int64_t value = reader_.integer(*table, name.c_str(), 1);
    if (value < 1) reader_.fail(*table->get(name), "the size " + name + " must be 1 or more");
    spec_.sizes[name] = value;
    spec_.sizeOrder.push_back(name);
  }
}

void KernelParser::tunables() {
  const toml::node* node = root_.get("tunable");
  if (!node) return;
  const toml::table* table = node->as_table();
  if (!table) return reader_.fail(*node, "write a tunable as [tunable.NAME]");
  if (table->size() > kMostTunables)
    return reader_.fail(*node, "a kernel has at most " + std::to_string(kMostTunables) +
                                   " tunables; this one has " + std::to_string(table->size()));
  for (const std::string& name : TomlReader::keysInOrder(*table)) {
    const toml::node& entry = *table->get(name);
    claim(name, entry.source(), "tunable");
    if (!entry.is_table()) return reader_.fail(entry, "write a tunable as [tunable." + name + "]");
    tunable(name, *entry.as_table());
  }
}

void KernelParser::tunable(const std::string& name, const toml::table& table) {
  reader_.onlyKeys(table, {"default", "range", "step", "values", "names", "title", "note"},
                   "tunable." + name);
  TunableSpec tunable;
  tunable.name = name;
  tunable.title = reader_.text(table, "title");
  tunable.note = reader_.text(table, "note");
  tunable.values = reader_.integers(table, "values");
  range(table, tunable);
  tunable.names = reader_.texts(table, "names");
  if (!tunable.names.empty() && tunable.names.size() != tunable.values.size())
    reader_.fail(*table.get("names"), "names must contain one name for each value of " + name +
                                          ", in ascending order of the values");
  if (!table.contains("default")) {
    reader_.fail(table, "tunable." + name + " has no default");
  } else {
    tunable.defaultValue = reader_.integer(table, "default", tunable.minimum);
    if (!takes(tunable, tunable.defaultValue))
      reader_.fail(*table.get("default"), "the default of " + name + ", " +
                                              std::to_string(tunable.defaultValue) +
                                              ", is not one of its values");
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
    reader_.fail(table, "values of a tunable must be from -2^31 to 2^31");
  }
  tunable.step = reader_.integer(table, "step", 1);
  if (tunable.step < 1 || tunable.step > kLargestTunable) {
    reader_.fail(*table.get("step"), "step must be 1 or more");
    tunable.step = 1;
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
      reader_.fail(*table->get("entry"), "entry must be the name of a __global__ function");
    }
    places_.ofLaunches.push_back(launch.entry.empty() ? 0 : lineOf(*table->get("entry")));
    launch.block = expressions_.list(reader_, *table, "block");
    launch.grid = expressions_.list(reader_, *table, "grid");
    launch.dynamicSharedBytes = expressions_.one(reader_, *table, "dynamic_shared_bytes");
    launch.cooperative = reader_.boolean(*table, "cooperative", false);
    if (launch.block.empty() || launch.grid.empty()) {
      reader_.fail(*table, "a launch needs block and grid, each a list x, y, z");
    }
    spec_.launches.push_back(std::move(launch));
  }
}

void KernelParser::rules() {
  const std::vector<const toml::table*> tables = reader_.tables(root_, "rules");
  if (tables.size() > kMostRules)
    return reader_.fail(*root_.get("rules"), "a kernel has at most " + std::to_string(kMostRules) +
                                                 " rules; this one has " +
                                                 std::to_string(tables.size()));
  for (const toml::table* table : tables) {
    reader_.onlyKeys(*table, {"expr", "say"}, "a rule");
    Rule rule{expressions_.one(reader_, *table, "expr"), reader_.text(*table, "say")};
    if (rule.expression.empty() || rule.say.empty()) {
      reader_.fail(*table,
                   "a rule needs expr, which is true for a legal choice, and say, the message for "
                   "an illegal choice");
    }
    spec_.rules.push_back(std::move(rule));
  }
}

void KernelParser::shared() {
  for (const toml::table* table : reader_.tables(root_, "shared")) {
    reader_.onlyKeys(*table, {"name", "rows", "columns", "holds", "offset"}, "shared");
    SharedSpec shared;
    shared.name = reader_.text(*table, "name");
    shared.rows = expressions_.one(reader_, *table, "rows");
    shared.columns = expressions_.one(reader_, *table, "columns");
    shared.holds = reader_.text(*table, "holds");
    shared.offset = expressions_.one(reader_, *table, "offset");
    if (!isIdentifier(shared.name) || shared.rows.empty() || shared.columns.empty()) {
      reader_.fail(*table, "a shared array needs a name, rows and columns");
    }
    const auto& operands = spec_.operands;
    const bool known = std::any_of(operands.begin(), operands.end(), [&](const OperandSpec& o) {
      return o.name == shared.holds && o.kind != OperandKind::scalar;
    });
    if (!shared.holds.empty() && !known) {
      reader_.fail(*table->get("holds"),
                   "holds is " + shared.holds + ", but no buffer has this name");
    }
    spec_.shared.push_back(std::move(shared));
  }
}

void KernelParser::checkExpressions() {
  std::set<std::string> ofElements = names_;
  ofElements.insert("i");
  check(expressions_.all, names_);
  check(expressions_.ofElements, ofElements);
}

void KernelParser::check(const FoundExpressions::Places& places,
                         const std::set<std::string>& names) {
  Evaluator evaluator;
  for (const std::string& name : names) evaluator.set(name, 1);
  if (names.contains("i"))
    for (const OperandSpec& operand : spec_.operands)
      if (isInput(operand)) evaluator.setElements(operand.name, {});
  for (const auto& [node, text] : places) {
    const Status checked = evaluator.check(text);
    if (!checked) return reader_.fail(*node, checked.error().message);
  }
}

/// `shown` is the text whose lines errors quote.
Result<KernelSpec> parsed(const FrontMatter& front, std::string_view shown, const std::string& name,
                          EntryPlaces& places) {
  TomlReader reader(front.file, shown);
  KernelSpec spec;
  spec.name = name;
  const Result<toml::table> root = parseToml(front.toml);
  if (root)
    KernelParser(reader, *root, spec, places).parse();
  else
    reader.failToParse(root.error(), "the front matter is not TOML: ");
  if (reader.error()) return *reader.error();
  return spec;
}

/// Whether the source contains a name that needs compute capability 8.0, even in a comment.
bool needsNewerGpu(const std::string& text) {
  constexpr const char* kThings[] = {"cuda_pipeline.h",
                                     "cuda_pipeline_primitives.h",
                                     "cooperative_groups/memcpy_async.h",
                                     "cp.async",
                                     "redux.sync",
                                     "m16n8k16",
                                     "__reduce_add_sync",
                                     "__reduce_min_sync",
                                     "__reduce_max_sync",
                                     "__reduce_and_sync",
                                     "__reduce_or_sync",
                                     "__reduce_xor_sync"};
  return std::ranges::any_of(
      kThings, [&](const char* thing) { return text.find(thing) != std::string::npos; });
}

Result<KernelSpec> parsedKernel(const KernelSource& source) {
  const Result<FrontMatter> front = findFrontMatter(source);
  if (!front) return front.error();
  const std::string_view shown = front->file == source.path ? source.text : front->toml;
  EntryPlaces places{front->file, shown, 0, {}};
  Result<KernelSpec> spec = parsed(*front, shown, stemOf(source.path), places);
  if (!spec || isLibraryProduct(spec->name)) return spec;
  if (Status settled = settleEntries(source, places, *spec); !settled) return settled.error();
  if (Status defines = checkTunableDefines(source, *spec); !defines) return defines.error();
  spec->needsNewerGpu = needsNewerGpu(source.text);
  return spec;
}

}  // namespace

Result<KernelSpec> parseFrontMatter(const FrontMatter& front, const std::string& name) {
  EntryPlaces places{front.file, front.toml, 0, {}};
  return parsed(front, front.toml, name, places);
}

Result<KernelSpec> parseKernel(const KernelSource& source) {
  Result<KernelSpec> spec = parsedKernel(source);
  if (spec || source.text.find("__global__") != std::string::npos) return spec;
  // The file is not a kernel, and might be a link to a private file, so no line of it is quoted.
  Error error = std::move(spec).error();
  if (error.where && error.where->file == source.path) error.sourceLine.clear();
  return error;
}

}  // namespace tilestep::compile
