// SPDX-License-Identifier: Apache-2.0
#include "lab/launch/draft.h"

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/element.h"
#include "compile/front_matter/front_matter.h"

namespace tilestep::lab {
namespace {

using compile::FieldSpec;
using compile::ResolvedOperand;

std::string quoted(const std::string& text) {
  return "\"" + text + "\"";
}

class Draft {
 public:
  Draft(const device::CapturedLaunch& launch, const InferredLaunch& inferred)
      : launch_(launch), spec_(inferred.spec), plan_(inferred.plan), views_(inferred.views) {}

  std::string text() {
    head();
    launch();
    for (size_t i = 0; i < plan_.operands.size(); ++i) operand(i);
    return text_;
  }

 private:
  void line(const std::string& words, const std::string& comment = {}) {
    text_ += words + (comment.empty() ? "" : "  # " + comment) + "\n";
  }

  void head() {
    line("# A draft from launch " + std::to_string(launch_.number) + " of " + launch_.program +
         (launch_.line > 0 ? ", line " + std::to_string(launch_.line) : std::string()) +
         ". Check every line, especially the sizes of the operands.");
    line("title = " + quoted(launch_.kernel.substr(0, launch_.kernel.find('<'))));
    line("entry = " + quoted(launch_.kernel));
    std::string sizes;
    for (const std::string& name : spec_.sizeOrder)
      sizes += (sizes.empty() ? "" : ", ") + name + " = " + std::to_string(spec_.sizes.at(name));
    line("sizes = { " + sizes + " }");
    line("");
  }

  /// The sizes that a grid may cover along x (or y). Sizes of written operands come first.
  [[nodiscard]] std::vector<std::string> covered(bool alongX) const {
    std::vector<std::string> names;
    for (const ResolvedOperand& operand : plan_.operands) {
      const bool isOutput =
          operand.spec.kind == OperandKind::buffer && operand.spec.direction != Direction::in;
      if (!isOutput) continue;
      names.push_back(alongX ? operand.spec.columns : operand.spec.rows);
      names.push_back(alongX ? operand.spec.rows : operand.spec.columns);
      names.push_back(operand.spec.extent);
    }
    names.insert(names.end(), spec_.sizeOrder.begin(), spec_.sizeOrder.end());
    return names;
  }

  /// The block count as text: "ceildiv(n, 256)" if a size divided by `threads` gives `count`, else
  /// a number.
  [[nodiscard]] std::string blocks(uint32_t count, uint32_t threads, bool alongX) const {
    for (const std::string& name : covered(alongX)) {
      const auto size = spec_.sizes.find(name);
      if (count < 2 || size == spec_.sizes.end()) continue;
      if ((size->second + threads - 1) / threads == count)
        return quoted("ceildiv(" + name + ", " + std::to_string(threads) + ")");
    }
    return std::to_string(count);
  }

  void launch() {
    const Launch& made = launch_.launch;
    line("[launch]");
    line("block = [" + std::to_string(made.block.x) + ", " + std::to_string(made.block.y) + ", " +
         std::to_string(made.block.z) + "]");
    line("grid = [" + blocks(made.grid.x, made.block.x, true) + ", " +
         blocks(made.grid.y, made.block.y, false) + ", " + std::to_string(made.grid.z) + "]");
    if (made.cooperative) line("cooperative = true");
    if (made.dynamicSharedBytes > 0)
      line("dynamic_shared_bytes = " + std::to_string(made.dynamicSharedBytes));
  }

  void operand(size_t i) {
    const ResolvedOperand& operand = plan_.operands[i];
    line("");
    line("[[operand]]");
    line("name = " + quoted(operand.spec.name));
    if (operand.spec.kind == OperandKind::scalar) return scalar(operand);
    if (operand.spec.kind == OperandKind::symbol) line("kind = \"symbol\"");
    if (operand.spec.type != ElementType::f32)
      line("type = " + quoted(std::string(toText(operand.spec.type))));
    if (operand.rows > 0 && operand.columns > 0) {
      line("rows = " + quoted(operand.spec.rows));
      line("columns = " + quoted(operand.spec.columns));
    } else {
      line("extent = " + quoted(operand.spec.extent));
    }
    if (operand.spec.direction == Direction::out) line("direction = \"out\"");
    if (operand.spec.direction == Direction::inout) {
      line("direction = \"inout\"");
      if (wasZero(i)) line("fill = \"zero\"", "as the program had set it");
    }
  }

  void scalar(const ResolvedOperand& operand) {
    line("kind = \"scalar\"");
    if (!operand.spec.fields.empty()) {
      line("fields = [");
      for (const FieldSpec& field : operand.spec.fields) line("  " + fieldText(field) + ",");
      return line("]");
    }
    if (operand.spec.type != ElementType::i32)
      line("type = " + quoted(std::string(toText(operand.spec.type))));
    if (!spec_.sizes.contains(operand.spec.name))
      line("value = " + quoted(operand.spec.value), "as launched");
  }

  static std::string fieldText(const FieldSpec& field) {
    const std::string at = ", offset = " + std::to_string(field.offset) + " }";
    if (!field.pointer.empty()) return "{ pointer = " + quoted(field.pointer) + at;
    return "{ type = " + quoted(std::string(toText(field.type))) +
           ", value = " + quoted(field.value.empty() ? "0" : field.value) + at;
  }

  /// Whether all of the operand's bytes were 0 before the launch.
  [[nodiscard]] bool wasZero(size_t i) const {
    const View& view = views_[i];
    if (view.range < 0 || !launch_.hasContents) return false;
    const device::MemoryRange& range = launch_.ranges[static_cast<size_t>(view.range)];
    const uint64_t bytes = plan_.operands[i].elements * bytesOf(plan_.operands[i].spec.type);
    if (bytes == 0 || view.offset + bytes > range.bytes) return false;
    std::vector<std::byte> contents(bytes);
    device::copyContents(range, view.offset, bytes, contents.data());
    return std::ranges::all_of(contents, [](std::byte each) { return each == std::byte{0}; });
  }

  const device::CapturedLaunch& launch_;
  const compile::KernelSpec& spec_;
  const compile::Plan& plan_;
  const std::vector<View>& views_;
  std::string text_;
};

}  // namespace

Result<std::string> draftOf(const device::CapturedLaunch& launch, const InferredLaunch& inferred) {
  std::string text = Draft(launch, inferred).text();
  const std::string name = launch.kernel.substr(0, launch.kernel.find('<'));
  if (const auto read = compile::parseFrontMatter({"draft", text}, name); !read)
    return requestError("no front matter can be written for the kernel " + launch.kernel + ": " +
                        read.error().message);
  return text;
}

}  // namespace tilestep::lab
