// SPDX-License-Identifier: Apache-2.0
#include "compile/text/host_variables.h"

#include <algorithm>
#include <optional>
#include <set>

#include "base/text_lines.h"
#include "compile/front_matter/symbols.h"
#include "compile/text/declaration.h"

namespace tilestep::compile {
namespace {

/// Simple types have at most this size; compilers inline their values.
constexpr uint64_t kSimpleBytes = 8;

/// The variable's name in the source. clang adds a suffix to copies of host constants.
std::string nameInText(std::string_view symbol) {
  constexpr std::string_view kCopy = "_$_const";
  if (symbol.ends_with(kCopy)) symbol.remove_suffix(kCopy.size());
  return plainName(symbol);
}

void addNames(const std::vector<ptx::Operand>& operands, std::set<std::string_view>& names) {
  for (const ptx::Operand& operand : operands) {
    if (!operand.name.empty()) names.insert(operand.name);
    addNames(operand.elements, names);
  }
}

/// The names that occur in functions.
std::set<std::string_view> namesInCode(const ptx::Module& module) {
  std::set<std::string_view> names;
  for (const ptx::Function& function : module.functions)
    for (const ptx::Instruction& instruction : function.body) addNames(instruction.operands, names);
  return names;
}

/// The names of arrays and structures that the module's code uses.
std::set<std::string> largeVariables(const ptx::Module& module) {
  const std::set<std::string_view> used = namesInCode(module);
  std::set<std::string> names;
  for (const ptx::Variable& variable : module.variables) {
    const bool isPlaced =
        variable.space == ptx::Space::global || variable.space == ptx::Space::constant;
    const bool isSimple = variable.elements == 1 && variable.bytes() <= kSimpleBytes;
    if (isPlaced && !isSimple && !variable.isExtern && used.contains(variable.name))
      names.insert(nameInText(variable.name));
  }
  return names;
}

/// The token of the first host constant with one of these names.
std::optional<size_t> hostConstant(const CudaTokens& tokens, const std::vector<size_t>& partner,
                                   const std::set<std::string>& names) {
  const DeclarationReader reader(tokens, partner);
  for (size_t i = 0; i < tokens.size();) {
    if (const size_t behind = reader.behindOther(i); behind > i) {
      i = behind;
      continue;
    }
    const Declaration found = reader.read(i);
    const bool mayBe = found.value && !found.isDevice && !found.isFunction && !found.isType;
    if (mayBe)
      for (const std::string_view name : reader.namesOf(found))
        if (names.contains(std::string(name))) return i;
    i = found.end;
  }
  return std::nullopt;
}

}  // namespace

Status checkHostVariables(const ptx::Module& module, std::string_view source,
                          const std::string& path) {
  const std::set<std::string> names = largeVariables(module);
  if (names.empty()) return {};
  const CudaTokens tokens = cudaTokens(source);
  const auto partner = matchBrackets(tokens);
  const auto found = partner ? hostConstant(tokens, *partner, names) : std::nullopt;
  if (!found) return {};
  const auto offset = static_cast<size_t>(tokens[*found].text.data() - source.data());
  const int line = 1 + static_cast<int>(std::ranges::count(source.substr(0, offset), '\n'));
  Error error = requestError(
      "this constant belongs to the host, and nvcc does not let device code read the host's arrays "
      "and structures: write __constant__ or __device__ before it");
  error.where = TextLocation{path, line, 0};
  error.sourceLine = lineOf(source, line);
  return error;
}

}  // namespace tilestep::compile
