// SPDX-License-Identifier: Apache-2.0
#include "ptx/text/printer.h"

#include <algorithm>

#include "ptx/text/literal.h"
#include "ptx/text/register_text.h"

namespace tilestep::ptx {
namespace {

// A .loc of inlined code must name its function through a label in .debug_str. The module does not
// keep the names, so all functions share one label.
constexpr std::string_view kInlinedLabel = "$L__inlined";
constexpr std::string_view kInlinedSection =
    "\n.section .debug_str\n{\n$L__inlined:\n.b8 105,110,108,105,110,101,100,0\n}\n";

using Kind = Operand::Kind;

std::string offsetText(int64_t offset) {
  return offset == 0 ? "" : "+" + std::to_string(offset);
}

class OperandPrinter {
 public:
  explicit OperandPrinter(const Function& function) : function_(function) {}

  void print(std::string& out, const Operand& operand) const {
    if (operand.negated) out += '!';
    switch (operand.kind) {
      case Kind::none:
        break;
      case Kind::reg:
        out += nameOf(operand);
        break;
      case Kind::immediate:
        out += toText(Literal{operand.bits, operand.immediateType});
        break;
      case Kind::symbol:
        out += operand.name + offsetText(operand.offset);
        break;
      case Kind::address:
        printAddress(out, operand);
        break;
      case Kind::special:
        out += toText(operand.special);
        break;
      case Kind::label:
      case Kind::table:
        out += operand.name;
        break;
      case Kind::vector:
        printElements(out, operand, "{", ", ", "}");
        break;
      case Kind::pair:
        printElements(out, operand, "", "|", "");
        break;
      case Kind::list:
        printElements(out, operand, "(", ", ", ")");
        break;
      case Kind::sink:
        out += '_';
        break;
    }
  }

 private:
  [[nodiscard]] const std::string& nameOf(const Operand& operand) const {
    return function_.registers[operand.reg].name;
  }

  void printAddress(std::string& out, const Operand& operand) const {
    const bool isBare = operand.reg == kNone && operand.name.empty();
    out += '[';
    if (isBare) {
      out += std::to_string(operand.offset);
    } else {
      out += (operand.reg == kNone ? operand.name : nameOf(operand)) + offsetText(operand.offset);
    }
    for (const Operand& part : operand.elements) {
      out += ", ";
      print(out, part);
    }
    out += ']';
  }

  void printElements(std::string& out, const Operand& operand, std::string_view open,
                     std::string_view between, std::string_view close) const {
    out += open;
    for (size_t i = 0; i < operand.elements.size(); ++i) {
      if (i > 0) out += between;
      print(out, operand.elements[i]);
    }
    out += close;
  }

  const Function& function_;
};

void printInstruction(std::string& out, const Instruction& instruction, const Function& function) {
  if (instruction.guard.reg != kNone) {
    out += instruction.guard.negated ? "@!" : "@";
    out += function.registers[instruction.guard.reg].name + " ";
  }
  out += toText(instruction.opcode);
  for (const std::string& suffix : instruction.suffixes) out += "." + suffix;
  const OperandPrinter printer(function);
  for (size_t i = 0; i < instruction.operands.size(); ++i) {
    out += i == 0 ? " " : ", ";
    printer.print(out, instruction.operands[i]);
  }
  out += ';';
}

std::string placeText(const SourceLine& line) {
  return std::to_string(line.file) + " " + std::to_string(line.line) + " " +
         std::to_string(line.column);
}

class FunctionPrinter {
 public:
  FunctionPrinter(std::string& out, const Function& function, const Weave& weave)
      : out_(out), function_(function), weave_(weave) {}

  void print() {
    printHead();
    if (function_.isExtern) {
      out_ += ";\n";
      return;
    }
    out_ += "\n{\n";
    printDeclarations();
    printLines(weave_.start);
    for (size_t i = 0; i < function_.body.size(); ++i) printStep(static_cast<uint32_t>(i));
    printLabels(static_cast<uint32_t>(function_.body.size()));
    out_ += "}\n";
  }

 private:
  void printHead() {
    if (!function_.linkage.empty()) out_ += "." + function_.linkage + " ";
    out_ += function_.isEntry ? ".entry " : ".func ";
    if (!function_.results.empty()) printParameters(function_.results, {});
    if (!function_.results.empty()) out_ += ' ';
    out_ += function_.name;
    printParameters(function_.parameters, weave_.parameters);
    for (const std::string& directive : function_.directives) out_ += "\n" + directive;
    for (const std::string& directive : weave_.directives) out_ += "\n" + directive;
  }

  void printParameters(const std::vector<Parameter>& parameters,
                       const std::vector<std::string>& more) {
    std::string_view separator = "(\n\t";
    const auto printOne = [&](std::string_view declaration) {
      out_ += separator;
      out_ += declaration;
      separator = ",\n\t";
    };
    for (const Parameter& parameter : parameters) printOne(parameter.declaration);
    for (const std::string& declaration : more) printOne(declaration);
    out_ += parameters.empty() && more.empty() ? "()" : "\n)";
  }

  void printDeclarations() {
    for (const std::string& line : registerDeclarations(function_)) out_ += "\t" + line + "\n";
    printLines(weave_.declarations);
    for (const Variable& variable : function_.variables) {
      out_ += "\t" + variable.declaration + ";\n";
    }
    for (const Table& table : function_.tables) {
      out_ += table.name + ": " + table.text + ";\n";
    }
  }

  void printStep(uint32_t index) {
    const Instruction& instruction = function_.body[index];
    printLabels(index);
    printPragmas(instruction, true);
    printLocation(instruction);
    printWoven(weave_.before, index);
    printPragmas(instruction, false);
    if (!weave_.absent.contains(index)) {
      out_ += '\t';
      printInstruction(out_, instruction, function_);
      out_ += '\n';
    }
    printWoven(weave_.after, index);
  }

  void printLabels(uint32_t index) {
    while (label_ < function_.labels.size() && function_.labels[label_].at <= index) {
      out_ += function_.labels[label_++].name + ":\n";
    }
  }

  // "nounroll" applies to the loop whose header starts here, and must precede all statements of
  // that loop. Other pragmas apply to the next instruction.
  void printPragmas(const Instruction& instruction, bool ofLoop) {
    for (const std::string& pragma : instruction.pragmas) {
      if ((pragma == "nounroll") == ofLoop) out_ += "\t.pragma \"" + pragma + "\";\n";
    }
  }

  void printLocation(const Instruction& instruction) {
    const bool isSame = source_ == instruction.source && outer_ == instruction.outerLine;
    if (isSame) return;
    source_ = instruction.source;
    outer_ = instruction.outerLine;
    if (source_ == outer_) {
      out_ += "\t.loc " + placeText(source_) + "\n";
      return;
    }
    out_ += "\t.loc " + placeText(outer_) + "\n";
    out_ += "\t.loc " + placeText(source_) + ", function_name " + std::string(kInlinedLabel) +
            ", inlined_at " + placeText(outer_) + "\n";
  }

  void printLines(const std::vector<std::string>& lines) {
    for (const std::string& line : lines) out_ += "\t" + line + "\n";
  }

  void printWoven(const std::map<uint32_t, std::vector<std::string>>& woven, uint32_t index) {
    const auto found = woven.find(index);
    if (found != woven.end()) printLines(found->second);
  }

  std::string& out_;
  const Function& function_;
  const Weave& weave_;
  size_t label_ = 0;
  SourceLine source_;
  SourceLine outer_;
};

bool hasInlined(const Module& module) {
  const auto isInlined = [](const Instruction& i) { return !(i.source == i.outerLine); };
  return std::any_of(module.functions.begin(), module.functions.end(), [&](const Function& f) {
    return std::any_of(f.body.begin(), f.body.end(), isInlined);
  });
}

void printFunction(std::string& out, const Function& function, const Edits& edits) {
  static const Weave kNothing;
  const auto weave = edits.functions.find(function.name);
  out += '\n';
  FunctionPrinter(out, function, weave == edits.functions.end() ? kNothing : weave->second).print();
}

}  // namespace

std::string print(const Module& module, const Edits& edits) {
  std::string out = ".version " + module.version + "\n.target " + module.target +
                    "\n.address_size " + std::to_string(module.addressSize) + "\n";
  for (const std::string& text : edits.moduleStart) out += text + "\n";
  // Initialisers of variables may refer to declared functions, and function bodies to variables.
  const auto isDefinition = [](const Function& function) { return !function.isExtern; };
  const auto& functions = module.functions;
  const auto bodies = std::find_if(functions.begin(), functions.end(), isDefinition);
  for (auto each = functions.begin(); each != bodies; ++each) printFunction(out, *each, edits);
  for (const Variable& variable : module.variables) out += variable.declaration + ";\n";
  for (auto each = bodies; each != functions.end(); ++each) printFunction(out, *each, edits);
  if (!module.files.empty()) out += '\n';
  for (const auto& [index, path] : module.files) {
    out += ".file " + std::to_string(index) + " \"" + path + "\"\n";
  }
  if (hasInlined(module)) out += kInlinedSection;
  return out;
}

std::string print(const Instruction& instruction, const Function& function) {
  std::string out;
  printInstruction(out, instruction, function);
  return out;
}

}  // namespace tilestep::ptx
