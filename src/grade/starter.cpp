// SPDX-License-Identifier: Apache-2.0
#include "grade/starter.h"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <array>
#include <set>
#include <sstream>
#include <string_view>
#include <utility>

#include "base/element.h"
#include "base/printable.h"
#include "base/toml/parse_toml.h"
#include "compile/front_matter/front_matter.h"
#include "compile/front_matter/tunable_values.h"
#include "compile/text/cuda_lexer.h"
#include "compile/text/kernel_heads.h"
#include "grade/hidden_launches.h"
#include "grade/model_declarations.h"
#include "grade/rules.h"
#include "lab/figures.h"

namespace tilestep::grade {
namespace {

/// Sizes 19, 25, 31, …, which are not multiples of the usual block sizes.
constexpr int64_t kFirstOdd = 19, kOddStep = 6;

/// The TOML without leading and trailing blank lines.
std::string bare(const std::string& toml) {
  const size_t start = toml.find_first_not_of(" \t\r\n");
  std::string text = start == std::string::npos ? std::string() : toml.substr(start);
  while (text.ends_with('\n') || text.ends_with(' ')) text.pop_back();
  return text + "\n";
}

/// The model's parameters: "(const float* M, int n)".
std::string parametersOf(const std::string& text, const compile::CudaTokens& tokens,
                         const compile::KernelHead& head) {
  const char* first = tokens[head.parameters].text.data();
  const std::string_view last = tokens[head.parametersEnd - 1].text;
  return text.substr(static_cast<size_t>(first - text.data()),
                     static_cast<size_t>(last.data() + last.size() - first));
}

/// The TOML without the model's `entry`, because the starter's function has another name.
std::string withoutEntry(const std::string& toml) {
  const toml::table spec = parseToml(toml).value();  // It has been parsed before.
  const toml::node* entry = spec.get("entry");
  if (entry == nullptr) return toml;
  const toml::source_region at = entry->source();
  std::istringstream lines(toml);
  std::string text, line;
  for (toml::source_index number = 1; std::getline(lines, line); ++number)
    if (number < at.begin.line || number > at.end.line) text += line + "\n";
  return text;
}

/// The TOML with the name of the function that is graded if a file has several.
std::string withEntry(const std::string& toml, const std::string& name) {
  return "entry = \"" + name + "\"\n" + bare(withoutEntry(toml));
}

/// The TOML without keys that reveal the model's method: its tiles, phases and notes.
std::string withoutMethod(const std::string& text) {
  toml::table spec = parseToml(text).value();  // It has been parsed before.
  for (const char* key : {"shared", "phases", "phase_length", "epochs_per_phase", "epochs_before",
                          "summary", "grading"})
    spec.erase(key);
  if (toml::table* tunables = spec["tunable"].as_table())
    for (auto&& [name, tunable] : *tunables)
      if (toml::table* one = tunable.as_table()) one->erase("note");
  std::ostringstream written;
  written << spec;
  return bare(written.str());
}

std::string tunablesText(const compile::KernelSpec& kernel) {
  std::string text;
  for (const compile::TunableSpec& tunable : kernel.tunables)
    text += fmt::format(
        "// {} is defined when the file is compiled: {}, or another value. Do not define it "
        "here.\n",
        tunable.name, tunable.defaultValue);
  return text;
}

/// "M: m x k float elements, read"
std::string operandText(const compile::OperandSpec& operand) {
  if (operand.kind == OperandKind::scalar) return {};
  const std::string count =
      operand.rows.empty() ? operand.extent : operand.rows + " x " + operand.columns;
  const char* use = operand.direction == Direction::in    ? "read"
                    : operand.direction == Direction::out ? "written"
                                                          : "read and written";
  return fmt::format("{}: {} elements of type {}{}, {}", operand.name, count, toText(operand.type),
                     operand.rows.empty() ? "" : ", row after row", use);
}

/// The required result, in sentences.
std::string taskText(const compile::KernelSpec& kernel) {
  if (kernel.reference == "block_sums")
    return fmt::format(
        "Each element of the output is the sum of the next {} elements of the input.",
        kernel.elementsPerBlock);
  if (kernel.reference == "block_scan")
    return fmt::format(
        "Each element of the output is the sum of the input's elements from the beginning of its "
        "block of {} elements up to its own index.",
        kernel.elementsPerBlock);
  constexpr std::array<std::pair<std::string_view, const char*>, 5> kReferences{{
      {"matmul", "The output is the matrix product of the two inputs."},
      {"matmul_tf32", "The output is the matrix product of the two inputs."},
      {"sum", "Each element of the output is the sum of the two inputs' elements."},
      {"transpose", "The output is the input transposed."},
      {"convolution",
       "Each element of the output is the sum of the filter times the input's elements around it. "
       "Elements outside the input count as 0."},
  }};
  for (const auto& [name, sentence] : kReferences)
    if (name == kernel.reference) return sentence;
  std::string text;
  for (const compile::OperandSpec& operand : kernel.operands)
    if (!operand.expect.empty())
      text += fmt::format("{}Element i of {} is {}.", text.empty() ? "" : " ", operand.name,
                          printableLine(operand.expect));
  return text;
}

std::string launchText(const compile::KernelSpec& kernel, const char* what,
                       const std::vector<std::string>& expressions) {
  if (expressions.empty() || kernel.launches.size() != 1) return {};
  std::string text = fmt::format("// {}: ", what);
  for (size_t i = 0; i < expressions.size(); ++i) text += (i == 0 ? "" : " x ") + expressions[i];
  return text + "\n";
}

/// Declarations that the interface needs: types of parameters, and variables that are operands.
std::string interfaceText(const std::string& model, const std::string& parameters,
                          const compile::KernelSpec& kernel) {
  std::set<std::string, std::less<>> wanted;
  for (const compile::CudaToken& token : compile::cudaTokens(parameters))
    wanted.emplace(token.text);
  for (const compile::OperandSpec& operand : kernel.operands)
    if (operand.kind == OperandKind::symbol) wanted.insert(operand.name);
  std::set<std::string, std::less<>> tunables;
  for (const compile::TunableSpec& tunable : kernel.tunables) tunables.insert(tunable.name);
  const std::string text = declarationsOf(model, std::move(wanted), tunables);
  return text.empty() ? text : "\n" + text + "\n";
}

std::string kernelText(const std::string& name, const std::string& parameters,
                       const std::string& declarations, const compile::KernelSpec& kernel) {
  std::string text = fmt::format("// {}\n", printableLine(kernel.title));
  text += fmt::format("// {}\n", taskText(kernel));
  for (const compile::OperandSpec& operand : kernel.operands)
    if (const std::string line = operandText(operand); !line.empty())
      text += fmt::format("// {}\n", line);
  text += tunablesText(kernel);
  text += launchText(kernel, "Threads of a block", kernel.launches.front().block);
  text += launchText(kernel, "Blocks of the grid", kernel.launches.front().grid);
  return text + declarations +
         fmt::format("__global__ void {}{} {{\n  // Your code.\n}}\n", name, parameters);
}

/// Sizes that increase by `step`.
compile::Bindings sizesFrom(const compile::KernelSpec& kernel, int64_t first, int64_t step) {
  compile::Bindings sizes;
  for (const auto& [name, usual] : lab::orderedSizes(kernel.sizes)) {
    sizes[name] = first;
    first += step;
  }
  return sizes;
}

/// "m = 19, n = 25, TILE_WIDTH = 8". Empty if the launch is not legal.
std::string legalLaunch(const compile::KernelSpec& kernel, const compile::Bindings& sizes,
                        const compile::Bindings& tunables) {
  if (!compile::plan(kernel, sizes, tunables, Limits{})) return {};
  return toText(HiddenLaunch{sizes, tunables});
}

/// The smallest sizes for which the default launch has several blocks and is not a multiple of
/// them.
compile::Bindings sizesOfSeveralBlocks(const compile::KernelSpec& kernel) {
  constexpr int64_t kLargest = 5000;
  for (int64_t first = kFirstOdd; first <= kLargest; first = 2 * first + 1) {
    compile::Bindings sizes = sizesFrom(kernel, first, kOddStep);
    const auto plan = compile::plan(kernel, sizes, {}, Limits{});
    const bool isLarge = plan && std::ranges::all_of(plan->launches, [](const Launch& launch) {
                           return launch.grid.count() > 2;
                         });
    if (isLarge) return sizes;
  }
  return {};
}

/// For each tunable with several values, another value: about half of the default, or the next
/// value.
compile::Bindings otherTunables(const compile::KernelSpec& kernel) {
  compile::Bindings others;
  for (const compile::TunableSpec& tunable : kernel.tunables) {
    const int64_t usual = tunable.defaultValue;
    const int64_t half = compile::nearestValue(tunable, usual / 2);
    others[tunable.name] = half != usual ? half : compile::steppedValue(tunable, usual, 1);
  }
  return others;
}

/// Launches that students may know, as a list in TOML; empty if no such launch is legal.
std::string publicLaunches(const compile::KernelSpec& kernel) {
  const compile::Bindings odd = sizesFrom(kernel, kFirstOdd, kOddStep);
  const compile::Bindings several = sizesOfSeveralBlocks(kernel);
  std::vector<std::string> launches;
  const auto add = [&](const compile::Bindings& sizes, const compile::Bindings& tunables) {
    const std::string text = sizes.empty() ? "" : legalLaunch(kernel, sizes, tunables);
    if (!text.empty() && std::ranges::find(launches, text) == launches.end())
      launches.push_back(text);
  };
  add(sizesFrom(kernel, 32, 0), {});
  add(odd, {});
  add(several, {});
  if (const compile::Bindings others = otherTunables(kernel); !others.empty())
    add(several.empty() ? odd : several, others);
  std::string list;
  for (const std::string& launch : launches) list += fmt::format("  {{ {} }},\n", launch);
  return list;
}

/// The marks, the same in both specs, so that students know them.
constexpr const char* kMarks = R"(
[grading.marks]
compiles = 1
result = 4
bounds = 1
races = 1
barriers = 1
end = 1
)";

constexpr const char* kOtherData =
    "  \"Other data: the teacher's check fills the operands with other values.\",\n";

std::string publicSpec(const std::string& toml, const compile::KernelSpec& kernel) {
  const std::string launches = publicLaunches(kernel);
  std::string names;
  for (const compile::TunableSpec& tunable : kernel.tunables)
    names += (names.empty() ? "" : ", ") + tunable.name;
  const std::string tunables =
      names.empty() ? "" : "  \"Values of " + names + " that are not named here.\",\n";
  return "# What the kernel must do. Anyone may read this file.\n" + withoutMethod(toml) +
         "\n[grading]\n" +
         (launches.empty() ? "drawn = 3\n" : "drawn = 0\nlaunches = [\n" + launches + "]\n") +
         R"(untested = [
  "Other sizes: the teacher's check uses sizes that are not named here.",
)" + (hidesResults(kernel) ? kOtherData : "") +
         tunables + "]\n" + kMarks;
}

constexpr const char* kTeachersSpec = "# The teacher's spec. Students must not see this file.\n";

/// The private spec for a model that has a table [grading].
std::string withOwnRules(toml::table spec) {
  spec["grading"].as_table()->insert_or_assign("solution", "solution.cu");
  std::ostringstream written;
  written << spec;
  return kTeachersSpec + bare(written.str());
}

std::string privateSpec(const std::string& toml, const compile::KernelSpec& kernel) {
  toml::table spec = parseToml(toml).value();  // It has been parsed before.
  if (spec["grading"].is_table()) return withOwnRules(std::move(spec));
  std::string counts =
      "\n# Limits a count to this many times the solution's. It is marked only if the kernel is "
      "right.\n# [[grading.count]]\n# counter = \"global_load_sectors\"\n# at_most = 1.2\n# marks "
      "= 2\n";
  const bool hasTunables = !kernel.tunables.empty();
  return kTeachersSpec + toml + R"(
[grading]
# In addition to the launches named here, this many are drawn from the hidden seed, which the first
# grading makes up and keeps in its results.
drawn = 12
# launches = [{ )" +
         (kernel.sizes.empty() ? std::string() : kernel.sizes.begin()->first + " = 100 ") + "}]" +
         (hasTunables ? "  # Tunables may be named as well." : "") + R"(
solution = "solution.cu"
)" + kMarks +
         counts;
}

/// " --size m=19 --size n=25", which are not multiples of the blocks; empty if the launch is not
/// legal.
std::string oddSizes(const compile::KernelSpec& kernel) {
  if (legalLaunch(kernel, sizesFrom(kernel, kFirstOdd, kOddStep), {}).empty()) return {};
  std::string text;
  int64_t size = kFirstOdd;
  for (const auto& [name, usual] : lab::orderedSizes(kernel.sizes)) {
    text += fmt::format(" --size {}={}", name, size);
    size += kOddStep;
  }
  return text;
}

/// Checks that a generated spec is valid.
Status checkSpec(const StarterFile& file) {
  if (!file.path.ends_with(".toml")) return {};
  const Result<compile::Spec> spec = compile::parseSpec(file.path, file.text);
  if (!spec) return spec.error();
  const Result<Rules> rules = readRules(*spec);
  return rules ? Status() : Status(rules.error());
}

std::string readme(const std::string& name, const compile::KernelSpec& kernel) {
  return fmt::format(R"(# {}

{}

Write the kernel in `{}.cu`. Its parameters stay as they are.

Check it, with or without a GPU:

    tilestep grade {}.cu --spec public.toml --hidden-seed 1

The check says what it does not test. To look at a single launch:

    tilestep run {}.cu --spec public.toml --check{}
)",
                     printableLine(kernel.title), taskText(kernel), name, name, name,
                     oddSizes(kernel));
}

}  // namespace

Result<std::vector<StarterFile>> starterFor(const std::string& name,
                                            const compile::KernelSource& model,
                                            const compile::Spec& spec) {
  const compile::KernelSpec& kernel = spec.kernel;
  if (kernel.exercise)
    return requestError(model.path + " is an exercise, whose solution is not known");
  if (!compile::isCheckable(kernel))
    return requestError(model.path +
                        " has neither a reference nor an output with expect, so it cannot be used "
                        "for grading");
  const compile::CudaTokens tokens = compile::cudaTokens(model.text);
  const compile::KernelHeads heads = compile::kernelHeads(model.text, tokens);
  if (heads.kernels.size() != 1 || !heads.complete || heads.kernels.front().isTemplate)
    return requestError(
        model.path +
        " cannot be the model of an assignment: a model has one __global__ function "
        "that is not a template");
  const Result<compile::BareText> code = compile::withoutFrontMatter(model);
  if (!code) return code.error();
  const std::string parameters = parametersOf(model.text, tokens, heads.kernels.front());
  const std::string toml = withEntry(spec.front.toml, name);
  const size_t start = code->text.find_first_not_of(" \t\r\n", code->behind);
  const std::string solution = start == std::string::npos ? "" : code->text.substr(start);
  std::vector<StarterFile> files{
      {"student/" + name + ".cu",
       kernelText(name, parameters, interfaceText(model.text, parameters, kernel), kernel)},
      {"student/public.toml", publicSpec(toml, kernel)},
      {"student/README.md", readme(name, kernel)},
      {"teacher/" + name + ".toml", privateSpec(toml, kernel)},
      {"teacher/solution.cu", solution},
  };
  for (const StarterFile& file : files)
    if (const Status whole = checkSpec(file); !whole) return whole.error();
  return files;
}

}  // namespace tilestep::grade
