// SPDX-License-Identifier: Apache-2.0
#include "compile/text/draft.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <set>

#include "base/element.h"
#include "compile/front_matter/expression.h"
#include "compile/front_matter/front_matter.h"
#include "compile/nearest_name.h"
#include "compile/text/function_choice.h"
#include "compile/text/kernel_heads.h"
#include "compile/text/launched_kernel.h"

namespace tilestep::compile {
namespace {

constexpr size_t kMostText = size_t{1} << 20;
constexpr int64_t kMostSize = 2147483647;  // The largest size that front matter takes.
constexpr int64_t kLineSize = 1024, kSquareSize = 64;
constexpr int64_t kLineBlock = 256, kSquareBlock = 16;

/// The element type that front matter has for a C++ type; empty where there is none.
std::string elementOf(const std::string& type) {
  static const std::map<std::string, std::string> kTypes = {
      {"float", "f32"},
      {"double", "f64"},
      {"half", "f16"},
      {"__half", "f16"},
      {"__nv_bfloat16", "bf16"},
      {"nv_bfloat16", "bf16"},
      {"int", "i32"},
      {"signed int", "i32"},
      {"signed", "i32"},
      {"int32_t", "i32"},
      {"long long", "i64"},
      {"long long int", "i64"},
      {"long", "i64"},
      {"int64_t", "i64"},
      {"unsigned", "u32"},
      {"unsigned int", "u32"},
      {"uint32_t", "u32"},
      {"uint", "u32"},
      {"size_t", "u64"},
      {"unsigned long", "u64"},
      {"uint64_t", "u64"},
      {"unsigned long long", "u64"},
      {"char", "i8"},
      {"signed char", "i8"},
      {"int8_t", "i8"},
      {"unsigned char", "u8"},
      {"uint8_t", "u8"},
      {"bool", "u8"},
  };
  const auto found = kTypes.find(type);
  return found == kTypes.end() ? std::string() : found->second;
}

/// What begins this text, as C++ writes numbers; nothing where another thing does.
std::optional<double> literalOf(const std::string& text) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  const bool suffix = *end == '\0' || std::string_view(end) == "f" || std::string_view(end) == "F";
  if (end == text.c_str() || !suffix || !std::isfinite(value)) return {};
  return value;
}

bool isCount(const KernelParameter& parameter) {
  const std::string type = elementOf(parameter.type);
  return !parameter.pointer && (type == "i32" || type == "u32" || type == "i64" || type == "u64");
}

class Draft {
 public:
  explicit Draft(const LaunchedKernel& kernel) : kernel_(kernel) {
    square_ = kernel.uses("threadIdx", 'y') || kernel.uses("blockIdx", 'y');
    for (size_t i = 0; i < kernel.parameters.size(); ++i) {
      if (!isCount(kernel.parameters[i])) continue;
      const bool given =
          i < kernel.arguments.size() && kernel.arguments[i] && *kernel.arguments[i] <= kMostSize;
      const int64_t usual = square_ ? kSquareSize : kLineSize;
      sizes_.emplace_back(kernel.parameters[i].name, given ? *kernel.arguments[i] : usual);
    }
    if (sizes_.empty()) sizes_.emplace_back("n", square_ ? kSquareSize : kLineSize);
  }

  Result<std::string> text() {
    head();
    launch();
    for (size_t i = 0; i < kernel_.parameters.size(); ++i) {
      const std::string literal = i < kernel_.literals.size() ? kernel_.literals[i] : "";
      if (Status told = operand(kernel_.parameters[i], literal); !told) return told.error();
    }
    for (const ConstantVariable& variable : kernel_.constants) constant(variable);
    return text_;
  }

 private:
  void line(const std::string& words, const std::string& comment = {}) {
    text_ += words + (comment.empty() ? "" : "  # " + comment) + "\n";
  }

  void head() {
    line("# A draft: read every line, above all the sizes of the operands (docs/kernels.md).");
    line("title = \"" + kernel_.name + "\"");
    if (kernel_.isTemplate) {
      line("entry = \"" + kernel_.qualified + "<" + instance() + ">\"",
           kernel_.instance.empty() ? "no launch shows the template's arguments" : "");
    } else {
      line("entry = \"" + kernel_.name + "\"");
    }
    std::string sizes;
    for (const auto& [name, value] : sizes_)
      sizes += (sizes.empty() ? "" : ", ") + name + " = " + std::to_string(value);
    line("sizes = { " + sizes + " }");
    reference();
    line("");
  }

  /// The template's arguments; where no launch writes them out, float and 1.
  [[nodiscard]] std::string instance() const {
    if (!kernel_.instance.empty()) return kernel_.instance;
    std::string text;
    for (const bool isType : kernel_.templateTypes)
      text += (text.empty() ? "" : ", ") + std::string(isType ? "float" : "1");
    return text.empty() ? "1" : text;
  }

  /// A line to uncomment where matrices look like what a reference checks.
  void reference() {
    size_t in = 0, out = 0;
    for (const KernelParameter& parameter : kernel_.parameters) {
      if (!parameter.pointer || extentOf(parameter).columns.empty()) continue;
      ++(parameter.written ? out : in);
    }
    const std::string checked = ": --check compares with float64";
    if (in == 2 && out == 1)
      line("# reference = \"matmul\"",
           "where it is a product, \"sum\" where it is a sum" + checked);
    if (in == 1 && out == 1) line("# reference = \"transpose\"", "where it is one" + checked);
  }

  [[nodiscard]] bool isSize(std::string_view name) const {
    return std::any_of(sizes_.begin(), sizes_.end(),
                       [&](const auto& size) { return size.first == name; });
  }

  /// The size that the body compares these tokens with: "row < m" gives m; empty: none.
  [[nodiscard]] std::string boundOf(const CudaTokens& what) const {
    const CudaTokens& body = kernel_.body;
    if (what.empty()) return {};
    for (size_t at = 0; at + what.size() + 1 < body.size(); ++at) {
      const bool same = std::equal(what.begin(), what.end(), body.begin() + static_cast<long>(at),
                                   [](const auto& a, const auto& b) { return a.text == b.text; });
      if (!same || !body[at + what.size()].is("<")) continue;
      size_t size = at + what.size() + 1;
      if (body[size].is("=") && size + 1 < body.size()) ++size;
      if (isSize(body[size].text)) return std::string(body[size].text);
    }
    return {};
  }

  struct Extent {
    std::string rows, columns;  ///< Columns empty: so many elements in a row.
    bool sure = false;
  };

  [[nodiscard]] Extent extentOf(const KernelParameter& parameter) const {
    Extent extent;
    if (isSize(parameter.columns)) {
      extent.columns = parameter.columns;
      extent.rows = boundOf(parameter.row);
      extent.sure = !extent.rows.empty();
      if (!extent.sure) extent.rows = extent.columns;
      return extent;
    }
    extent.rows = boundOf(parameter.index);
    extent.sure = !extent.rows.empty();
    if (extent.sure) return extent;
    extent.rows = sizes_.front().first;
    if (square_) extent.columns = sizes_.back().first;
    return extent;
  }

  /// What the grid covers: the first operand that the kernel writes.
  [[nodiscard]] Extent covered() const {
    for (const KernelParameter& parameter : kernel_.parameters)
      if (parameter.pointer && parameter.written) return extentOf(parameter);
    return {sizes_.front().first, square_ ? sizes_.back().first : std::string(), false};
  }

  [[nodiscard]] int64_t valueOf(const std::string& size) const {
    for (const auto& [name, value] : sizes_)
      if (name == size) return value;
    return 0;
  }

  /// So many blocks of `by` as cover `count`, written out by the first of ceildiv and floordiv that
  /// gives what the program launches.
  static std::string blocks(const std::string& size, int64_t count, int64_t by,
                            std::optional<int64_t> launched) {
    const std::string divided = "(" + size + ", " + std::to_string(by) + ")\"";
    if (!launched || (count + by - 1) / by == *launched) return "\"ceildiv" + divided;
    if (count / by == *launched) return "\"floordiv" + divided;
    return std::to_string(*launched);
  }

  void grid(int64_t x, int64_t y) {
    const LaunchShape& launched = kernel_.grid;
    const bool known = launched[0] && launched[1] && launched[2];
    const std::string guess = known ? "" : "a guess: the launch's grid was not found";
    const Extent extent = covered();
    const int64_t rows = valueOf(extent.rows), columns = valueOf(extent.columns);
    if (known && *launched[2] > 1) {
      line("grid = [" + std::to_string(*launched[0]) + ", " + std::to_string(*launched[1]) + ", " +
           std::to_string(*launched[2]) + "]");
    } else if (known && *launched[0] == 1 && *launched[1] == 1) {
      line("grid = [1]");
    } else if (!known && !kernel_.uses("blockIdx")) {
      line("grid = [1]", guess);
    } else if (!extent.columns.empty() && (known ? *launched[1] > 1 : square_)) {
      // The transposed shape is as common: x along the rows.
      const bool turned =
          known && (columns + x - 1) / x != *launched[0] && (rows + x - 1) / x == *launched[0];
      line("grid = [" +
               blocks(turned ? extent.rows : extent.columns, turned ? rows : columns, x,
                      launched[0]) +
               ", " +
               blocks(turned ? extent.columns : extent.rows, turned ? columns : rows, y,
                      launched[1]) +
               "]",
           guess);
    } else if (known && *launched[1] > 1) {
      line("grid = [" + std::to_string(*launched[0]) + ", " + std::to_string(*launched[1]) + "]");
    } else {
      const std::string all =
          extent.columns.empty() ? extent.rows : extent.rows + " * " + extent.columns;
      const int64_t count = extent.columns.empty() ? rows : rows * columns;
      line("grid = [" + blocks(all, count, x, launched[0]) + "]", guess);
    }
  }

  void launch() {
    const bool known = kernel_.block[0].has_value();
    const int64_t usual = square_ ? kSquareBlock : kLineBlock;
    const int64_t x = kernel_.block[0].value_or(usual);
    const int64_t y = kernel_.block[1].value_or(square_ && !known ? usual : 1);
    const int64_t z = kernel_.block[2].value_or(1);
    std::string block = std::to_string(x);
    if (square_ || y > 1 || z > 1) block += ", " + std::to_string(y);
    if (z > 1) block += ", " + std::to_string(z);
    line("[launch]");
    line("block = [" + block + "]", known ? "" : "the launch's shape was not found");
    grid(x, y);
    if (kernel_.uses("this_grid")) line("cooperative = true", "for grid.sync()");
    if (kernel_.uses("extern")) {
      const int64_t bytes = kernel_.dynamicSharedBytes.value_or(x * y * z * 4);
      line("dynamic_shared_bytes = " + std::to_string(bytes),
           kernel_.dynamicSharedBytes ? "" : "a guess: four bytes a thread");
    }
  }

  /// Why the parameter gets no operand; empty: it gets one.
  std::string refusal(const KernelParameter& parameter) {
    const std::string of = "the kernel " + kernel_.name + " has ";
    if (parameter.name.empty()) return of + "a parameter without a name; give it one";
    if (!names_.insert(parameter.name).second)
      return of + "two parameters of the name " + parameter.name;
    const std::string what = of + "a parameter " + parameter.name + " of type \"" + parameter.type +
                             std::string(static_cast<size_t>(std::max(parameter.stars, 0)), '*') +
                             "\"";
    if (parameter.stars > 1)
      return what + ": pointers to pointers cannot be filled; pass one array, in rows";
    if (!elementOf(parameter.type).empty()) return {};
    if (parameter.pointer)
      return what +
             ": arrays are of numbers; where it is an array of structures, write its numbers "
             "as an array each, or the front matter by hand with their element's type";
    return what +
           ": where it is a structure, no draft can be made; write the front matter by hand "
           "and list its members in fields (docs/kernels.md)";
  }

  void scalar(const KernelParameter& parameter, const std::string& type,
              const std::string& literal) {
    line("kind = \"scalar\"");
    if (type != "i32") line("type = \"" + type + "\"");
    if (isCount(parameter)) return;
    const auto launched = literalOf(literal);
    const bool fits =
        launched && (type[0] == 'f' || type[0] == 'b' || *launched == std::floor(*launched));
    line("value = " + (fits ? asExpression(*launched) : "1"), fits ? "as launched" : "a guess");
  }

  void constant(const ConstantVariable& variable) {
    const std::string type = elementOf(variable.type);
    line("");
    if (type.empty()) {
      line("# The __constant__ variable " + variable.name + " of type " + variable.type +
           " stays as the program initialises it.");
      return;
    }
    line("[[operand]]");
    line("name = \"" + variable.name + "\"");
    line("kind = \"symbol\"");
    if (type != "f32") line("type = \"" + type + "\"");
    line("extent = " + std::to_string(variable.elements), variable.known ? "" : "a guess");
  }

  Status operand(const KernelParameter& parameter, const std::string& literal) {
    if (const std::string why = refusal(parameter); !why.empty()) return requestError(why);
    const std::string type = elementOf(parameter.type);
    line("");
    line("[[operand]]");
    line("name = \"" + parameter.name + "\"");
    if (!parameter.pointer) {
      scalar(parameter, type, literal);
      return {};
    }
    if (type != "f32") line("type = \"" + type + "\"");
    const Extent extent = extentOf(parameter);
    const int64_t count =
        valueOf(extent.rows) * (extent.columns.empty() ? 1 : valueOf(extent.columns));
    const int64_t bytes = parameter.bytes.value_or(0);
    const auto element = static_cast<int64_t>(bytesOf(elementTypeOf(type).value()));
    const bool matches = bytes == count * element;
    const std::string guess = extent.sure || matches ? "" : "a guess";
    if (parameter.single && (bytes == 0 || bytes == element)) {
      line("extent = 1");
    } else if (bytes > 0 && !matches) {
      line("extent = " + std::to_string(std::max<int64_t>(bytes / element, 1)), "as allocated");
    } else if (extent.columns.empty()) {
      line("extent = \"" + extent.rows + "\"", guess);
    } else {
      line("rows = \"" + extent.rows + "\"", guess);
      line("columns = \"" + extent.columns + "\"");
    }
    if (parameter.written) {
      line(std::string("direction = \"") + (parameter.read ? "inout" : "out") + "\"");
      if (parameter.read && parameter.zeroed) line("fill = \"zero\"", "as the program sets it");
    }
    return {};
  }

  const LaunchedKernel& kernel_;
  bool square_ = false;  ///< Threads lie in a plane.
  std::vector<std::pair<std::string, int64_t>> sizes_;
  std::set<std::string> names_;
  std::string text_;
};

}  // namespace

namespace {

/// The first that is launched, else the first.
const LaunchedKernel& usualOf(const std::vector<LaunchedKernel>& kernels) {
  const auto launched = std::ranges::find_if(kernels, &LaunchedKernel::launched);
  return launched == kernels.end() ? kernels.front() : *launched;
}

/// With template arguments such as "<float, 16>", whose types the parameters then have.
LaunchedKernel instanceOf(LaunchedKernel kernel, const std::string& arguments) {
  if (!arguments.empty()) kernel.instance = arguments.substr(1, arguments.size() - 2);
  const CudaTokens words = cudaTokens(kernel.instance);
  const std::vector<CudaTokens> given = atCommas(words);
  for (size_t i = 0; i < kernel.templateNames.size(); ++i) {
    if (!kernel.templateTypes[i]) continue;
    std::string type = i < given.size() ? "" : "float";
    for (size_t k = 0; i < given.size() && k < given[i].size(); ++k)
      type += (k == 0 ? "" : " ") + std::string(given[i][k].text);
    for (KernelParameter& parameter : kernel.parameters)
      if (parameter.type == kernel.templateNames[i]) parameter.type = type;
  }
  return kernel;
}

}  // namespace

Result<std::string> draftFrontMatter(std::string_view source, std::string_view entry) {
  if (source.size() > kMostText) return requestError("the file has more than 1 MiB of text");
  const std::vector<LaunchedKernel> kernels = launchedKernels(source);
  if (kernels.empty()) return requestError("this file has no __global__ function");
  const KernelSource file{"", std::string(source), {}, std::string(entry)};
  const FunctionChoice choice(file, {});
  const Result<const KernelHead*> head =
      entry.empty() ? choice.named(usualOf(kernels).qualified) : choice.asked();
  if (!head) return head.error();
  if (*head == nullptr) {
    return requestError("the text of this file does not show " + file.entry + ", only " +
                        listedKernels(kernels) +
                        "; write the front matter by hand for a function that a macro makes");
  }
  const LaunchedKernel& kernel =
      *std::ranges::find(kernels, (*head)->qualified, &LaunchedKernel::qualified);
  auto text = Draft(instanceOf(kernel, argumentsOf(file.entry))).text();
  if (text && kernels.size() > 1) {
    *text = "# This file has " + listedKernels(kernels) + "; this is " + kernel.name +
            " (--entry NAME chooses).\n" + *text;
  }
  const bool isPlain =
      !text || std::ranges::all_of(*text, [](char c) { return (c & 0x80) == 0 && c != '$'; });
  if (!isPlain)
    return requestError(
        "a name in this file has a character that front matter does not take; "
        "write it with letters, digits and _");
  if (!text) return text;
  if (const auto read = parseFrontMatter({"draft", *text}, kernel.name); !read)
    return requestError(
        "no draft can be made of this file, because front matter does not take its names (of at "
        "most 64 letters, digits and _, and no function of expressions): " +
        read.error().message);
  return text;
}

}  // namespace tilestep::compile
