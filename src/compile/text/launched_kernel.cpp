// SPDX-License-Identifier: Apache-2.0
#include "compile/text/launched_kernel.h"

#include <algorithm>

#include "compile/text/bracket_pairs.h"
#include "compile/text/host_calls.h"
#include "compile/text/kernel_heads.h"
#include "compile/text/parameter_uses.h"
#include "compile/text/written_numbers.h"

namespace tilestep::compile {
namespace {

using Kind = CudaToken::Kind;

class LaunchReader {
 public:
  explicit LaunchReader(std::string_view source)
      : source_(source),
        tokens_(cudaTokens(source)),
        numbers_(tokens_),
        pairs_(tokens_),
        calls_(tokens_) {}

  std::vector<LaunchedKernel> run() {
    std::vector<LaunchedKernel> found;
    size_t left = kMostReadings * tokens_.size();
    KernelHeads heads = kernelHeads(source_, tokens_);
    for (KernelHead& head : heads.kernels) {
      if (head.bodyEnd - head.body > left) head.bodyEnd = head.body + 1;
      left -= std::min(left, head.bodyEnd - head.body);
      found.push_back(kernelAt(head));
    }
    for (LaunchedKernel& kernel : found) findLaunch(kernel);
    const std::vector<ConstantVariable> constants = constantVariables();
    for (LaunchedKernel& kernel : found) {
      for (const ConstantVariable& each : constants)
        if (kernel.uses(each.name) && !isKnown(kernel, each.name)) kernel.constants.push_back(each);
    }
    return found;
  }

 private:
  /// A parameter hides a variable; several branches of an `#if` may declare one each.
  static bool isKnown(const LaunchedKernel& kernel, const std::string& name) {
    return std::ranges::count(kernel.parameters, name, &KernelParameter::name) > 0 ||
           std::ranges::count(kernel.constants, name, &ConstantVariable::name) > 0;
  }

  static constexpr size_t kMostParameters = 64;
  /// Heads in branches of an `#if` may share a body, which is read for each of them.
  static constexpr size_t kMostReadings = 16;
  static constexpr int64_t kMostElements = int64_t{1} << 40;

  [[nodiscard]] LaunchedKernel kernelAt(const KernelHead& head) const {
    LaunchedKernel kernel;
    kernel.name = head.name;
    kernel.qualified = head.qualified;
    kernel.line = head.line;
    kernel.isTemplate = head.isTemplate;
    if (kernel.isTemplate) templateParameters(kernel, head);
    kernel.body = slice(tokens_, head.body + 1, head.bodyEnd - 1);
    for (const CudaTokens& part :
         atCommas(slice(tokens_, head.parameters + 1, head.parametersEnd - 1))) {
      if (kernel.parameters.size() == kMostParameters) break;
      kernel.parameters.push_back(parameterOf(part));
      lookAtUses(kernel.parameters.back(), kernel.body);
    }
    return kernel;
  }

  void templateParameters(LaunchedKernel& kernel, const KernelHead& head) const {
    kernel.templateDefaults = true;
    for (const CudaTokens& part :
         atCommas(slice(tokens_, head.templateOpen + 1, head.templateClose))) {
      size_t end = 0;
      while (end < part.size() && !part[end].is("=")) ++end;
      kernel.templateDefaults &= end < part.size();
      if (end == 0) continue;
      kernel.templateNames.emplace_back(part[end - 1].text);
      kernel.templateTypes.push_back(part[0].is("typename") || part[0].is("class"));
    }
  }

  /// __constant__ TYPE NAME[COUNT], and several of them after commas.
  [[nodiscard]] std::vector<ConstantVariable> constantVariables() const {
    std::vector<ConstantVariable> found;
    for (size_t at = 0; at + 2 < tokens_.size(); ++at) {
      if (!tokens_[at].is("__constant__") || found.size() >= kMostParameters) continue;
      size_t end = at;
      while (end < tokens_.size() && !tokens_[end].is(";")) ++end;
      std::string type;
      for (const CudaTokens& part : atCommas(slice(tokens_, at + 1, end)))
        found.push_back(constantOf(part, type));
    }
    return found;
  }

  /// `type` is that of the first of a list, for those behind it.
  [[nodiscard]] ConstantVariable constantOf(const CudaTokens& part, std::string& type) const {
    size_t end = 0;  // One past the name.
    while (end < part.size() && !part[end].is("[") && !part[end].is("=")) ++end;
    const KernelParameter declared = parameterOf(slice(part, 0, end));
    if (!declared.type.empty()) type = declared.type;
    ConstantVariable variable{declared.name, type, 1, !declared.pointer};
    for (size_t at = end; at < part.size() && part[at].is("[");) {
      const size_t behind = behindBracket(part, at);
      const auto count = numbers_.of(slice(part, at + 1, behind - 1));
      variable.known = variable.known && count && *count < kMostElements / variable.elements;
      if (variable.known) variable.elements *= *count;
      at = behind;
    }
    return variable;
  }

  void findLaunch(LaunchedKernel& kernel) const {
    const std::optional<HostCalls::Launch> launch = calls_.launch(kernel.name);
    if (!launch) return;
    if (tokens_[launch->name + 1].is("<"))
      kernel.instance = joined(slice(tokens_, launch->name + 2, launch->open - 1));
    size_t close = launch->open;
    while (close < tokens_.size() && !tokens_[close].is(">>>") && !tokens_[close].is(";")) ++close;
    readLaunch(kernel, atCommas(slice(tokens_, launch->open + 1, close)), close + 1);
  }

  void readLaunch(LaunchedKernel& kernel, const std::vector<CudaTokens>& shape,
                  size_t arguments) const {
    kernel.launched = true;
    if (!shape.empty()) kernel.grid = shapeOf(shape[0], 0);
    if (shape.size() > 1) kernel.block = shapeOf(shape[1], 0);
    if (shape.size() > 2) kernel.dynamicSharedBytes = numbers_.of(shape[2]);
    if (arguments >= tokens_.size() || !tokens_[arguments].is("(")) return;
    const size_t end = pairs_.behind(arguments);
    const auto given = atCommas(slice(tokens_, arguments + 1, end - 1));
    for (size_t i = 0; i < given.size(); ++i) {
      kernel.arguments.push_back(numbers_.of(given[i]));
      kernel.literals.push_back(joined(given[i]));
      if (i >= kernel.parameters.size() || given[i].size() != 1) continue;
      kernel.parameters[i].bytes = allocated(given[i][0].text);
      kernel.parameters[i].zeroed = calls_.isZeroed(given[i][0].text);
    }
  }

  /// Bytes that cudaMalloc or cudaMallocManaged is asked for in &name.
  [[nodiscard]] std::optional<int64_t> allocated(std::string_view name) const {
    const std::optional<size_t> open = calls_.allocation(name);
    if (!open) return {};
    const auto given = atCommas(slice(tokens_, *open + 1, pairs_.behind(*open) - 1));
    return given.size() >= 2 ? numbers_.of(given[1]) : std::nullopt;
  }

  /// A number, dim3(a, b), {a, b}, or a variable that is declared as one of these.
  [[nodiscard]] LaunchShape shapeOf(const CudaTokens& tokens, int depth) const {
    if (const auto number = numbers_.of(tokens)) return {number, 1, 1};
    const size_t open = tokens.size() > 1 && tokens[0].is("dim3") ? 1 : 0;
    if (tokens.size() > open + 1 && isOpen(tokens[open]) &&
        behindBracket(tokens, open) == tokens.size()) {
      LaunchShape shape = {1, 1, 1};
      const auto parts = atCommas(slice(tokens, open + 1, tokens.size() - 1));
      for (size_t i = 0; i < std::min<size_t>(parts.size(), 3); ++i)
        shape[i] = numbers_.of(parts[i]);
      return shape;
    }
    if (depth > 0 || tokens.size() != 1 || tokens[0].kind != Kind::word) return {};
    const std::optional<size_t> first = calls_.shape(tokens[0].text);
    if (!first) return {};
    return shapeOf(slice(tokens_, *first, pairs_.behind(*first)), depth + 1);
  }

  const std::string_view source_;
  const CudaTokens tokens_;
  const WrittenNumbers numbers_;
  const BracketPairs pairs_;
  const HostCalls calls_;
};

}  // namespace

bool LaunchedKernel::uses(std::string_view variable, char dimension) const {
  for (size_t at = 0; at + 2 < body.size(); ++at) {
    if (body[at].is(variable) && body[at + 1].is(".") && body[at + 2].text.size() == 1 &&
        body[at + 2].text[0] == dimension)
      return true;
  }
  return false;
}

bool LaunchedKernel::uses(std::string_view word) const {
  return std::any_of(body.begin(), body.end(), [&](const CudaToken& t) { return t.is(word); });
}

std::vector<LaunchedKernel> launchedKernels(std::string_view source) {
  return LaunchReader(source).run();
}

}  // namespace tilestep::compile
