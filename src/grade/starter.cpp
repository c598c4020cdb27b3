// SPDX-License-Identifier: Apache-2.0
#include "grade/starter.h"

#include <fmt/format.h>

#include <algorithm>

#include "compile/front_matter/front_matter.h"
#include "compile/text/cuda_lexer.h"
#include "compile/text/kernel_heads.h"
#include "lab/figures.h"

namespace tilestep::grade {
namespace {

/// The TOML from its first line on.
std::string bare(const std::string& toml) {
  const size_t start = toml.find_first_not_of(" \t\r\n");
  std::string text = start == std::string::npos ? std::string() : toml.substr(start);
  while (text.ends_with('\n') || text.ends_with(' ')) text.pop_back();
  return text + "\n";
}

/// The parameters as the model has them: "(const float* M, int n)".
std::string parametersOf(const std::string& text, const compile::CudaTokens& tokens,
                         const compile::KernelHead& head) {
  const char* first = tokens[head.parameters].text.data();
  const std::string_view last = tokens[head.parametersEnd - 1].text;
  return text.substr(static_cast<size_t>(first - text.data()),
                     static_cast<size_t>(last.data() + last.size() - first));
}

std::string tunablesText(const compile::KernelSpec& kernel) {
  std::string text;
  for (const compile::TunableSpec& tunable : kernel.tunables)
    text += fmt::format("// {} is defined when the file is compiled: {}, or another value.\n",
                        tunable.name, tunable.defaultValue);
  return text;
}

std::string launchText(const compile::KernelSpec& kernel, const char* what,
                       const std::vector<std::string>& expressions) {
  if (expressions.empty() || kernel.launches.size() != 1) return {};
  std::string text = fmt::format("// {}: ", what);
  for (size_t i = 0; i < expressions.size(); ++i) text += (i == 0 ? "" : " x ") + expressions[i];
  return text + "\n";
}

std::string kernelText(const std::string& name, const std::string& parameters,
                       const compile::KernelSpec& kernel) {
  std::string text = fmt::format("// {}\n", kernel.title);
  text += tunablesText(kernel);
  text += launchText(kernel, "Threads of a block", kernel.launches.front().block);
  text += launchText(kernel, "Blocks of the grid", kernel.launches.front().grid);
  return text + fmt::format("__global__ void {}{} {{\n  // Your code.\n}}\n", name, parameters);
}

/// "m = 19, n = 25": each size `step` more than the one before. Empty where that is not legal.
std::string sizesFrom(const compile::KernelSpec& kernel, int64_t first, int64_t step) {
  compile::Bindings sizes;
  std::string text;
  for (const auto& [name, usual] : lab::orderedSizes(kernel.sizes)) {
    text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", name, first);
    sizes[name] = first;
    first += step;
  }
  return compile::plan(kernel, sizes, {}, Limits{}) ? text : std::string();
}

/// Launches that students may know, as a list in TOML; empty where none of them is legal.
std::string publicLaunches(const compile::KernelSpec& kernel) {
  std::string list;
  for (const std::string& sizes : {sizesFrom(kernel, 32, 0), sizesFrom(kernel, 19, 6)})
    if (!sizes.empty()) list += fmt::format("  {{ {} }},\n", sizes);
  return list;
}

std::string publicSpec(const std::string& toml, const compile::KernelSpec& kernel) {
  const std::string launches = publicLaunches(kernel);
  return "# What the kernel must do. Anyone may read this file.\n" + toml + "\n[grading]\n" +
         (launches.empty() ? "drawn = 3\n" : "drawn = 0\nlaunches = [\n" + launches + "]\n") +
         R"(untested = [
  "Other sizes: the teacher's check uses sizes that are not named here.",
  "Other data: the teacher's check fills the operands with other values.",
]
)";
}

std::string privateSpec(const std::string& toml, const compile::KernelSpec& kernel) {
  std::string counts =
      "\n# A count, at most this many times the solution's. It is marked only where the kernel is "
      "right.\n# [[grading.count]]\n# counter = \"global_load_sectors\"\n# at_most = 1.2\n# marks "
      "= 2\n";
  const bool hasTunables = !kernel.tunables.empty();
  return "# The teacher's spec. Students must not see this file.\n" + toml + R"(
[grading]
# Besides launches that are named here, this many are drawn from the hidden seed, which the first
# grading makes up and keeps in its results.
drawn = 12
# launches = [{ )" +
         (kernel.sizes.empty() ? std::string() : kernel.sizes.begin()->first + " = 100 ") + "}]" +
         (hasTunables ? "  # Tunables may be named as well." : "") + R"(
solution = "solution.cu"

[grading.marks]
compiles = 1
result = 4
bounds = 1
races = 1
barriers = 1
end = 1
)" + counts;
}

std::string readme(const std::string& name, const compile::KernelSpec& kernel) {
  return fmt::format(R"(# {}

Write the kernel in `{}.cu`. Its parameters stay as they are.

Check it, with or without a GPU:

    tilestep grade {}.cu --spec public.toml --hidden-seed 1

The check says what it does not test. To look at a single launch:

    tilestep run {}.cu --spec public.toml --check
)",
                     kernel.title, name, name, name);
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
                        " has neither a reference nor an output with expect, so nothing can be "
                        "graded by it");
  const compile::CudaTokens tokens = compile::cudaTokens(model.text);
  const compile::KernelHeads heads = compile::kernelHeads(model.text, tokens);
  if (heads.kernels.size() != 1 || !heads.complete || heads.kernels.front().isTemplate)
    return requestError(model.path +
                        " is no model for an assignment, which has one __global__ function that "
                        "is no template");
  const Result<compile::BareText> code = compile::withoutFrontMatter(model);
  if (!code) return code.error();
  const std::string parameters = parametersOf(model.text, tokens, heads.kernels.front());
  const std::string toml = bare(spec.front.toml);
  const size_t start = code->text.find_first_not_of(" \t\r\n", code->behind);
  const std::string solution = start == std::string::npos ? "" : code->text.substr(start);
  return std::vector<StarterFile>{
      {"student/" + name + ".cu", kernelText(name, parameters, kernel)},
      {"student/public.toml", publicSpec(toml, kernel)},
      {"student/README.md", readme(name, kernel)},
      {"teacher/" + name + ".toml", privateSpec(toml, kernel)},
      {"teacher/solution.cu", solution},
  };
}

}  // namespace tilestep::grade
