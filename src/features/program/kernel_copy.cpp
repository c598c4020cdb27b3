// SPDX-License-Identifier: Apache-2.0
#include "features/program/kernel_copy.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include "compile/text/token_ranges.h"
#include "lab/elements.h"

namespace tilestep::features {
namespace {

using compile::KernelSpec;
using compile::Plan;
using compile::ResolvedOperand;

std::optional<std::string> typeOf(ElementType type) {
  switch (type) {
    case ElementType::f32:
      return "float";
    case ElementType::f64:
      return "double";
    case ElementType::i8:
      return "signed char";
    case ElementType::u8:
      return "unsigned char";
    case ElementType::i32:
      return "int";
    case ElementType::u32:
      return "unsigned";
    case ElementType::i64:
      return "long long";
    case ElementType::u64:
      return "unsigned long long";
    case ElementType::f16:
    case ElementType::bf16:
      return std::nullopt;
  }
  return std::nullopt;
}

std::string numberText(double value) {
  if (value == std::floor(value) && std::fabs(value) < 1e15)
    return std::to_string(static_cast<int64_t>(value));
  return std::to_string(value);
}

class Copy {
 public:
  Copy(const compile::KernelSource& source, const KernelSpec& spec, const Plan& plan)
      : source_(source), spec_(spec), plan_(plan) {
    for (const auto& [name, value] : plan.bindings) names_.insert(name);
  }

  [[nodiscard]] std::string trouble() const {
    if (plan_.launches.size() != 1 || spec_.launches.size() != 1)
      return "it consists of several launches";
    for (const ResolvedOperand& operand : plan_.operands) {
      if (operand.spec.kind == OperandKind::symbol) return "it has constants in device memory";
      if (!operand.spec.fields.empty() || operand.spec.held)
        return "it has a structure as argument";
      if (!typeOf(operand.spec.type)) return "it uses 16-bit numbers";
    }
    return {};
  }

  [[nodiscard]] std::string text() const {
    std::string all = "// A copy of " + compile::nameOf(source_) +
                      ", a kernel that comes with Tilestep, with a main function around it.\n"
                      "#include <algorithm>\n#include <cmath>\n#include <cstdio>\n"
                      "#include <vector>\n\n#include <cuda_runtime.h>\n\n";
    for (const auto& [name, value] : plan_.tunables)
      all += "#define " + name + " " + std::to_string(value) + "\n";
    if (!plan_.tunables.empty()) all += "\n";
    all += kernelText() + "\n";
    if (usesCeildiv()) all += "int ceildiv(int a, int b) { return (a + b - 1) / b; }\n\n";
    return all + mainText();
  }

 private:
  /// The kernel's source without front matter.
  [[nodiscard]] std::string kernelText() const {
    constexpr std::string_view kEnd = "---*/";
    const size_t end = source_.text.find(kEnd);
    const size_t start = end == std::string::npos ? 0 : end + kEnd.size();
    std::string text = source_.text.substr(source_.text.find_first_not_of("\r\n", start));
    while (text.ends_with('\n')) text.pop_back();
    return text + "\n";
  }

  /// The front matter's expression if it is valid C++; otherwise its value.
  [[nodiscard]] std::string inCode(const std::string& expression, uint64_t value) const {
    constexpr std::string_view kSigns = "+-*/(),";
    for (const compile::CudaToken& token : compile::cudaTokens(expression)) {
      const bool isName = names_.contains(token.text) || token.is("ceildiv");
      const bool isSign = kSigns.find(token.text) != std::string_view::npos;
      if (token.kind != compile::CudaToken::Kind::number && !isName && !isSign)
        return std::to_string(value);
    }
    return expression.empty() ? std::to_string(value) : expression;
  }
  [[nodiscard]] bool usesCeildiv() const {
    const compile::LaunchSpec& launch = spec_.launches.front();
    const auto has = [](const std::string& text) { return text.find("ceildiv") != text.npos; };
    return std::ranges::any_of(launch.grid, has) || std::ranges::any_of(launch.block, has);
  }

  [[nodiscard]] std::string shapeText(const std::vector<std::string>& expressions,
                                      const Dim3& value) const {
    const uint32_t parts[] = {value.x, value.y, value.z};
    std::string text = "dim3(";
    for (size_t i = 0; i < std::max<size_t>(expressions.size(), 1); ++i)
      text += (i > 0 ? ", " : "") +
              inCode(i < expressions.size() ? expressions[i] : "", parts[std::min<size_t>(i, 2)]);
    return text + ")";
  }

  [[nodiscard]] std::string mainText() const {
    std::string text = "int main() {\n";
    if (!plan_.sizes.empty()) {
      std::string list;
      std::vector<std::string> order = spec_.sizeOrder;
      for (const auto& [name, value] : plan_.sizes)
        if (std::ranges::count(order, name) == 0) order.push_back(name);
      for (const std::string& name : order)
        if (const auto at = plan_.sizes.find(name); at != plan_.sizes.end())
          list += (list.empty() ? "" : ", ") + name + " = " + std::to_string(at->second);
      text += "  const int " + list + ";\n";
    }
    for (const ResolvedOperand& each : plan_.operands)
      if (each.spec.kind == OperandKind::buffer) text += allocation(each);
    text += launchText();
    for (const ResolvedOperand& each : plan_.operands)
      if (isOutput(each))
        text += "  cudaMemcpy(" + host(each) + ".data(), " + each.spec.name + ", " + host(each) +
                ".size() * sizeof(" + *typeOf(each.spec.type) + "), cudaMemcpyDeviceToHost);\n";
    text += resultText();
    for (const ResolvedOperand& each : plan_.operands)
      if (each.spec.kind == OperandKind::buffer) text += "  cudaFree(" + each.spec.name + ");\n";
    return text + "  return 0;\n}\n";
  }

  static bool isOutput(const ResolvedOperand& operand) {
    return operand.spec.kind == OperandKind::buffer && operand.spec.direction != Direction::in;
  }
  static std::string host(const ResolvedOperand& operand) { return "host_" + operand.spec.name; }

  [[nodiscard]] std::string allocation(const ResolvedOperand& operand) const {
    const std::string type = *typeOf(operand.spec.type), name = operand.spec.name;
    const std::string count = operand.spec.rows.empty()
                                  ? inCode(operand.spec.extent, operand.elements)
                                  : inCode(operand.spec.rows, operand.rows) + " * " +
                                        inCode(operand.spec.columns, operand.columns);
    std::string text = "  std::vector<" + type + "> " + host(operand) + "(" + count + ");\n";
    const bool isFilled = operand.spec.direction != Direction::out;
    const bool isWhole = !lab::isFloatingPoint(operand.spec.type);
    if (isFilled)
      text += "  for (size_t i = 0; i < " + host(operand) + ".size(); ++i) " + host(operand) +
              "[i] = " + (isWhole ? "i % 17" : "(i % 17) / 8.0f - 1") + ";\n";
    text += "  " + type + "* " + name + ";\n";
    text += "  cudaMalloc(&" + name + ", " + host(operand) + ".size() * sizeof(" + type + "));\n";
    if (isFilled)
      text += "  cudaMemcpy(" + name + ", " + host(operand) + ".data(), " + host(operand) +
              ".size() * sizeof(" + type + "), cudaMemcpyHostToDevice);\n";
    return text;
  }

  /// The cast for each parameter: to a pointer to a structure if the buffer holds the structure's
  /// members as numbers; otherwise empty.
  [[nodiscard]] std::vector<std::string> castsOf(const std::string& entry) const {
    constexpr std::string_view kPlain[] = {"const", "volatile", "float",    "double",      "int",
                                           "long",  "unsigned", "signed",   "char",        "size_t",
                                           "short", "bool",     "uint64_t", "__restrict__"};
    const compile::CudaTokens tokens = compile::cudaTokens(source_.text);
    const std::string name = entry.substr(0, entry.find('<'));
    std::vector<std::string> casts;
    for (size_t i = 0; i + 1 < tokens.size(); ++i) {
      if (!tokens[i].is(name) || !tokens[i + 1].is("(")) continue;
      size_t close = i + 1;
      while (close < tokens.size() && !tokens[close].is(")")) ++close;
      for (const compile::CudaTokens& each :
           compile::atCommas(compile::slice(tokens, i + 2, close))) {
        bool isPointer = false, isOurs = false;
        std::string type;
        for (size_t k = 0; k + 1 < each.size(); ++k) {
          isPointer = isPointer || each[k].is("*");
          const bool isWord = each[k].kind == compile::CudaToken::Kind::word;
          isOurs =
              isOurs || (isWord && std::ranges::find(kPlain, each[k].text) == std::end(kPlain));
          type += (type.empty() || !isWord ? "" : " ") + std::string(each[k].text);
        }
        casts.push_back(isPointer && isOurs ? "(" + type + ")" : std::string());
      }
      break;
    }
    return casts;
  }

  [[nodiscard]] std::string launchText() const {
    const Launch& launch = plan_.launches.front();
    const compile::LaunchSpec& spec = spec_.launches.front();
    std::string text = "  " + (spec.entry.empty() ? spec_.entry : spec.entry) + "<<<" +
                       shapeText(spec.grid, launch.grid) + ", " +
                       shapeText(spec.block, launch.block);
    if (launch.dynamicSharedBytes > 0)
      text += ", " + inCode(spec.dynamicSharedBytes, launch.dynamicSharedBytes);
    text += ">>>(";
    const std::vector<std::string> casts = castsOf(spec.entry.empty() ? spec_.entry : spec.entry);
    for (size_t i = 0; i < plan_.operands.size(); ++i) {
      const ResolvedOperand& each = plan_.operands[i];
      text += i == 0 ? "" : ", ";
      const bool isName = each.spec.kind == OperandKind::buffer || names_.contains(each.spec.name);
      text +=
          (i < casts.size() ? casts[i] : "") + (isName ? each.spec.name : numberText(each.scalar));
    }
    text += ");\n";
    return text +
           "  if (cudaError_t error = cudaGetLastError(); error != cudaSuccess) {\n"
           "    std::printf(\"%s\\n\", cudaGetErrorString(error));\n"
           "    return 1;\n"
           "  }\n";
  }

  [[nodiscard]] std::string resultText() const {
    const auto output = std::ranges::find_if(plan_.operands, isOutput);
    if (output == plan_.operands.end()) return {};
    std::vector<std::string> inputs;
    for (const ResolvedOperand& each : plan_.operands)
      if (each.spec.kind == OperandKind::buffer && each.spec.direction == Direction::in)
        inputs.push_back(host(each));
    const std::string out = host(*output);
    if (spec_.reference != "matmul" || inputs.size() < 2)
      return "  std::printf(\"" + output->spec.name + "[0] = %g\\n\", double(" + out + "[0]));\n";
    return "  double worst = 0;\n"
           "  for (int row = 0; row < m; ++row)\n"
           "    for (int column = 0; column < n; ++column) {\n"
           "      double sum = 0;\n"
           "      for (int i = 0; i < k; ++i)\n"
           "        sum += double(" +
           inputs[0] + "[row * k + i]) * " + inputs[1] +
           "[i * n + column];\n"
           "      worst = std::max(worst, std::fabs(sum - " +
           out +
           "[row * n + column]));\n"
           "    }\n"
           "  std::printf(\"largest difference: %g\\n\", worst);\n";
  }

  const compile::KernelSource& source_;
  const KernelSpec& spec_;
  const Plan& plan_;
  std::set<std::string, std::less<>> names_;
};

}  // namespace

Result<std::string> programOf(const compile::KernelSource& source, const KernelSpec& spec,
                              const Plan& plan) {
  const Copy copy(source, spec, plan);
  if (const std::string trouble = copy.trouble(); !trouble.empty())
    return requestError(compile::nameOf(source) + " cannot be copied as a program: " + trouble);
  return copy.text();
}

}  // namespace tilestep::features
