// SPDX-License-Identifier: Apache-2.0
#include "ptx/text/function_parser.h"

#include <deque>
#include <map>
#include <set>
#include <vector>

#include "ptx/analysis/size_limits.h"
#include "ptx/text/declarations.h"
#include "ptx/text/operand_parser.h"
#include "ptx/text/source_lines.h"
#include "ptx/text/suffixes.h"

namespace tilestep::ptx {
namespace {

constexpr uint64_t kMaxRegisters = 1 << 24;
constexpr size_t kMaxSuffixes = 32;

using Kind = Operand::Kind;

std::string quoted(std::string_view name) {
  return "'" + std::string(name.substr(0, 80)) + "'";
}

bool isWordCharacter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '$' || c == '%' || c == '.';
}

/// Replaces the first whole word `from` in the declaration. That word is the declared name, because
/// only directives and numbers precede the name.
void renameIn(std::string& declaration, std::string_view from, std::string_view to) {
  for (size_t at = declaration.find(from); at != std::string::npos;
       at = declaration.find(from, at + 1)) {
    const size_t end = at + from.size();
    const bool startsHere = at == 0 || !isWordCharacter(declaration[at - 1]);
    const bool endsHere = end == declaration.size() || !isWordCharacter(declaration[end]);
    if (!startsHere || !endsHere) continue;
    declaration.replace(at, from.size(), to);
    return;
  }
}

class FunctionParser {
 public:
  FunctionParser(Cursor& cursor, Function& function, const ModuleNames& names)
      : cursor_(cursor), function_(function), scopes_(function, names) {}

  /// Reads from '{' to the matching '}'.
  void parseBody() {
    for (Parameter& parameter : function_.results) declareParameter(parameter);
    for (Parameter& parameter : function_.parameters) declareParameter(parameter);
    const Token brace = cursor_.peek();
    cursor_.expect('{', "the function's head");
    while (!cursor_.atEnd() && !isClosed_) parseStatement();
    if (!isClosed_) return cursor_.fail(brace, "this brace is not closed");
    resolveTables();
    resolveBranches();
    if (cursor_.failed()) return;
    if (const std::string why = whyTooLarge(function_); !why.empty()) cursor_.fail(brace, why);
    showLines();
  }

 private:
  struct PendingBranch {
    uint32_t instruction;
    uint32_t scope;
    Token at;
  };
  struct PendingTable {
    size_t table;
    uint32_t scope;
    std::vector<Token> labels;
  };

  void declareParameter(Parameter& parameter) {
    const std::string written = parameter.name;
    const std::string_view name = names_.emplace_back(written);
    const bool isNew = parameter.isRegister ? scopes_.declareRegister(name, parameter.type, 1)
                                            : scopes_.declareSymbol(name, parameter.name);
    if (!isNew) return cursor_.fail("parameter " + quoted(written) + " is declared twice");
    if (parameter.name != written) renameIn(parameter.declaration, written, parameter.name);
  }

  void parseStatement() {
    const Token token = cursor_.peek();
    if (token.isMark('{')) return openScope();
    if (token.isMark('}')) return closeScope();
    if (cursor_.accept(';')) return;
    if (token.kind == Token::Kind::dot) return parseDirective();
    if (token.kind == Token::Kind::word && cursor_.ahead().isMark(':')) return parseLabel();
    parseInstruction();
  }

  void openScope() {
    if (!scopes_.open()) return cursor_.fail("this function has too many nested scopes");
    cursor_.take();
  }

  void closeScope() {
    isClosed_ = scopes_.depth() == 1;
    if (!isClosed_) scopes_.close();
    cursor_.take();
  }

  void parseDirective() {
    const Token start = cursor_.peek();
    if (cursor_.acceptDot(".loc"))
      return start.isInlineAsm ? SourceLines::skip(cursor_) : lines_.parse(cursor_);
    if (cursor_.acceptDot(".reg")) return parseRegisters();
    if (cursor_.acceptDot(".pragma")) return parsePragma();
    if (startsVariable(start)) return parseLocalVariables(start);
    cursor_.fail("unknown directive " + quoted(start.text) + " in a function");
  }

  void parsePragma() {
    const Token text = cursor_.take();
    if (text.kind != Token::Kind::string) return cursor_.fail(text, ".pragma needs a string");
    // Loop pragmas precede instruction pragmas, as in the printed text.
    std::string pragma(text.text.substr(1, text.text.size() - 2));
    const bool isOfLoop = pragma == "nounroll";
    pragmas_.insert(isOfLoop ? pragmas_.begin() : pragmas_.end(), std::move(pragma));
    cursor_.expect(';', ".pragma");
  }

  void parseRegisters() {
    const RegisterType type = parseRegisterType(cursor_);
    do {
      const Token token = cursor_.peek();
      const std::string_view name = cursor_.expectWord("a register's name");
      if (cursor_.failed()) return;
      if (!declareRegister(name, type)) {
        cursor_.fail(token, quoted(name) + " is declared twice in this scope");
      }
    } while (cursor_.accept(','));
    cursor_.expect(';', "the registers");
  }

  bool declareRegister(std::string_view name, const RegisterType& type) {
    if (!cursor_.accept('<')) return scopes_.declareRegister(name, type.type, type.width);
    if (type.width > 1) cursor_.fail("vector registers must be declared one by one");
    const uint64_t count = cursor_.expectInteger("a register count", kMaxRegisters);
    cursor_.expect('>', "the count");
    return scopes_.declareRange(name, type.type, count);
  }

  void parseLocalVariables(const Token& start) {
    const Token at = cursor_.ahead();
    for (Variable& variable : parseVariables(cursor_, start, false)) {
      const std::string written = variable.name;
      const std::string_view name = names_.emplace_back(written);
      if (!scopes_.declareSymbol(name, variable.name, variable.type)) {
        return cursor_.fail(at, quoted(written) + " is declared twice in this scope");
      }
      if (variable.name != written) renameIn(variable.declaration, written, variable.name);
      function_.variables.push_back(std::move(variable));
    }
    cursor_.expect(';', "the declaration");
  }

  void parseLabel() {
    const Token label = cursor_.take();
    cursor_.take();
    const Token& next = cursor_.peek();
    if (next.isDot(".branchtargets") || next.isDot(".calltargets") ||
        next.isDot(".callprototype")) {
      return parseTable(label);
    }
    if (!scopes_.declareLabel(label.text)) {
      cursor_.fail(label, "label " + quoted(label.text) + " is declared twice in this scope");
    }
  }

  void parseTable(const Token& label) {
    Table table;
    if (!scopes_.declareSymbol(label.text, table.name)) {
      return cursor_.fail(label, quoted(label.text) + " is declared twice in this scope");
    }
    const Token start = cursor_.take();
    PendingTable pending{function_.tables.size(), scopes_.current(), {}};
    while (!cursor_.atEnd() && !cursor_.peek().isMark(';')) {
      const Token token = cursor_.take();
      if (token.kind == Token::Kind::word) pending.labels.push_back(token);
    }
    table.text = cursor_.textFrom(start);
    if (start.isDot(".branchtargets")) pendingTables_.push_back(std::move(pending));
    function_.tables.push_back(std::move(table));
    cursor_.expect(';', "the table");
  }

  void parseInstruction() {
    Instruction instruction;
    if (cursor_.accept('@')) parseGuard(instruction.guard);
    const Token root = cursor_.peek();
    const std::string_view word = cursor_.expectWord("an instruction");
    if (cursor_.failed()) return;
    instruction.opcode = opcodeOf(word);
    if (instruction.opcode == Opcode::none) {
      return cursor_.fail(root, "unknown instruction " + quoted(word));
    }
    parseSuffixes(instruction);
    const Token label = cursor_.peek();
    instruction.operands = parseOperands(cursor_, scopes_, instruction.opcode);
    instruction.source = lines_.current();
    instruction.ptxLine = root.line;
    check(instruction, root);
    cursor_.expect(';', "the instruction " + quoted(word));
    if (!cursor_.failed()) append(std::move(instruction), label);
  }

  void parseGuard(Guard& guard) {
    guard.negated = cursor_.accept('!');
    guard.reg = parseRegister(cursor_, scopes_);
  }

  void parseSuffixes(Instruction& instruction) {
    while (cursor_.peek().kind == Token::Kind::dot) {
      instruction.suffixes.emplace_back(cursor_.take().text.substr(1));
    }
    if (instruction.suffixes.size() > kMaxSuffixes) cursor_.fail("too many suffixes");
    decodeSuffixes(instruction);
  }

  void check(const Instruction& instruction, const Token& root) {
    const FormRule rule = ruleOf(formOf(instruction.opcode));
    const size_t count = instruction.operands.size();
    const std::string name = quoted(root.text);
    if (rule.needsType && instruction.type == Type::none) {
      return cursor_.fail(root, name + " needs a type, such as .f32");
    }
    if (count < rule.minOperands || count > rule.maxOperands) {
      const std::string least = std::to_string(rule.minOperands);
      const std::string most = std::to_string(rule.maxOperands);
      const std::string range = least == most ? least : least + " to " + most;
      return cursor_.fail(root,
                          name + " needs " + range + " operands, not " + std::to_string(count));
    }
    if (rule.usesMemory && instruction.vectorWidth > 1) checkVector(instruction, root);
  }

  void checkVector(const Instruction& instruction, const Token& root) {
    for (const Operand& operand : instruction.operands) {
      if (operand.kind != Kind::vector) continue;
      if (operand.elements.size() == instruction.vectorWidth) return;
      return cursor_.fail(root, "this vector access needs " +
                                    std::to_string(instruction.vectorWidth) + " elements, not " +
                                    std::to_string(operand.elements.size()));
    }
    cursor_.fail(root, "this vector access needs " + std::to_string(instruction.vectorWidth) +
                           " elements in braces");
  }

  /// `label` is the token of the branch target.
  void append(Instruction instruction, const Token& label) {
    instruction.pragmas.swap(pragmas_);
    pragmas_.clear();
    const auto index = static_cast<uint32_t>(function_.body.size());
    const bool isBranch = instruction.opcode == Opcode::bra || instruction.opcode == Opcode::brx;
    if (isBranch) branches_.push_back({index, scopes_.current(), label});
    function_.body.push_back(std::move(instruction));
    places_.push_back(lines_.place());
  }

  /// Sets each instruction's outerLine, which the user sees. Inlined instructions get the line of
  /// the call, except in functions with a barrier, whose phases would otherwise all be on one line.
  void showLines() {
    std::set<uint32_t> withBarrier;
    for (size_t i = 0; i < places_.size(); ++i) {
      const Opcode opcode = function_.body[i].opcode;
      if (opcode == Opcode::bar || opcode == Opcode::barrier)
        withBarrier.insert(lines_.functionAt(places_[i]));
    }
    for (size_t i = 0; i < places_.size(); ++i)
      function_.body[i].outerLine = lines_.shownLine(places_[i], withBarrier);
  }

  bool resolve(Operand& label, uint32_t scope, const Token& at) {
    const Scopes::LabelSite site = scopes_.findLabel(label.name, scope);
    if (site.at == kNone) {
      cursor_.fail(at, "there is no label " + quoted(label.name));
      return false;
    }
    label.kind = Kind::label;
    label.name = site.name;
    label.target = site.at;
    return true;
  }

  void resolveTables() {
    for (const PendingTable& pending : pendingTables_) {
      Table& table = function_.tables[pending.table];
      table.text = ".branchtargets";
      for (const Token& token : pending.labels) {
        Operand label;
        label.name = token.text;
        if (!resolve(label, pending.scope, token)) return;
        table.text += (table.targets.empty() ? " " : ", ") + label.name;
        table.targets.push_back(label.target);
      }
      branchTables_.emplace(table.name, pending.table);
    }
  }

  void resolveBranches() {
    for (const PendingBranch& branch : branches_) {
      Instruction& instruction = function_.body[branch.instruction];
      const bool isIndexed = instruction.opcode == Opcode::brx;
      const bool isFine = isIndexed ? findTable(instruction.operands[1], branch.at)
                                    : resolve(instruction.operands[0], branch.scope, branch.at);
      if (!isFine) return;
    }
  }

  bool findTable(Operand& operand, const Token& at) {
    const auto found = branchTables_.find(operand.name);
    if (found == branchTables_.end()) {
      cursor_.fail(at, "brx needs a .branchtargets table");
      return false;
    }
    operand.kind = Kind::table;
    operand.target = static_cast<uint32_t>(found->second);
    return true;
  }

  Cursor& cursor_;
  Function& function_;
  Scopes scopes_;
  SourceLines lines_;
  std::vector<size_t> places_;  ///< For each instruction, its SourceLines::place().
  bool isClosed_ = false;
  std::vector<std::string> pragmas_;
  std::deque<std::string> names_;  ///< A deque, because scopes_ points into the strings.
  std::vector<PendingBranch> branches_;
  std::vector<PendingTable> pendingTables_;
  std::map<std::string, size_t> branchTables_;  ///< From names to indices in Function::tables.
};

/// Reads directives such as ".maxntid 256, 1, 1", up to '{' or ';'.
void parseDirectives(Cursor& cursor, Function& function) {
  while (cursor.peek().kind == Token::Kind::dot) {
    const Token start = cursor.take();
    while (!cursor.atEnd() && cursor.peek().kind != Token::Kind::dot &&
           !cursor.peek().isMark('{') && !cursor.peek().isMark(';')) {
      cursor.take();
    }
    if (start.isDot(".pragma")) cursor.expect(';', ".pragma");
    function.directives.emplace_back(cursor.textFrom(start));
  }
}

}  // namespace

Function parseFunction(Cursor& cursor, std::string_view linkage, ModuleNames& names) {
  Function function;
  function.linkage = linkage;
  function.isEntry = cursor.take().isDot(".entry");
  if (!function.isEntry && cursor.peek().isMark('(')) function.results = parseParameters(cursor);
  const std::string_view name = cursor.expectWord("a function's name");
  function.name = name;
  if (cursor.peek().isMark('(')) function.parameters = parseParameters(cursor);
  parseDirectives(cursor, function);
  if (cursor.failed()) return function;
  names.emplace(name, Type::none);
  function.isExtern = cursor.accept(';');
  if (!function.isExtern) FunctionParser(cursor, function, names).parseBody();
  return function;
}

}  // namespace tilestep::ptx
