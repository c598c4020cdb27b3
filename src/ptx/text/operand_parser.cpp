// SPDX-License-Identifier: Apache-2.0
#include "ptx/text/operand_parser.h"

#include <algorithm>

#include "ptx/names.h"
#include "ptx/text/literal.h"

namespace tilestep::ptx {
namespace {

constexpr size_t kMaxElements = 256;
constexpr size_t kMaxOperands = 16;
constexpr uint64_t kMaxOffset = 0x7fffffffffffffffULL;
constexpr uint64_t kWarpSize = 32;

using Kind = Operand::Kind;

Operand registerOperand(uint32_t reg) {
  Operand operand;
  operand.kind = Kind::reg;
  operand.reg = reg;
  return operand;
}

Operand immediateOperand(Literal literal) {
  Operand operand;
  operand.kind = Kind::immediate;
  operand.bits = literal.bits;
  operand.immediateType = literal.type;
  return operand;
}

class OperandParser {
 public:
  OperandParser(Cursor& cursor, Scopes& scopes, Opcode opcode)
      : cursor_(cursor), scopes_(scopes), opcode_(opcode) {}

  /// Reads a whole operand: a simple operand, `a|b`, `{…}`, `(…)` or `[…]`.
  Operand parse() {
    if (cursor_.peek().isMark('(')) return parseElements('(', ')', Kind::list);
    if (cursor_.peek().isMark('{')) return parseElements('{', '}', Kind::vector);
    if (cursor_.peek().isMark('[')) return parseAddress();
    Operand operand = parseSimple();
    if (!cursor_.accept('|')) return operand;
    Operand pair;
    pair.kind = Kind::pair;
    pair.elements.push_back(std::move(operand));
    pair.elements.push_back(parseSimple());
    return pair;
  }

 private:
  /// Reads an operand that may be inside braces: a register, a constant, a name or '_'.
  Operand parseSimple() {
    if (cursor_.accept('!')) {
      Operand operand = registerOperand(parseRegister(cursor_, scopes_));
      operand.negated = true;
      return operand;
    }
    const Token& token = cursor_.peek();
    const bool isSigned = token.isMark('-') || token.isMark('+');
    if (isSigned || token.kind == Token::Kind::number) return parseImmediate();
    if (token.kind == Token::Kind::word) return parseName();
    cursor_.fail("expected an operand, found " + describe(token));
    return {};
  }

  Operand parseImmediate() {
    const bool isNegative = cursor_.accept('-');
    if (!isNegative) cursor_.accept('+');
    const Token token = cursor_.peek();
    const auto literal =
        token.kind == Token::Kind::number ? parseLiteral(token.text) : std::nullopt;
    if (!literal) {
      cursor_.fail(describe(token) + " is not a PTX constant");
      return {};
    }
    cursor_.take();
    return immediateOperand(isNegative ? negate(*literal) : *literal);
  }

  Operand parseName() {
    const Token token = cursor_.take();
    if (token.text == "_") return ofKind(Kind::sink);
    if (opcode_ == Opcode::bra) return named(Kind::label, token.text);
    const Scopes::Found found = scopes_.find(token.text);
    switch (found.kind) {
      case Scopes::Found::Kind::reg:
        return registerOperand(found.reg);
      case Scopes::Found::Kind::vectorRegister:
        return vectorRegister(token.text, found.width);
      case Scopes::Found::Kind::symbol:
        return cursor_.peek().isMark('[') ? element(found) : symbolWithOffset(found.symbol);
      case Scopes::Found::Kind::nothing:
        break;
    }
    return special(token);
  }

  Operand special(const Token& token) {
    std::string text(token.text);
    if (cursor_.peek().kind == Token::Kind::dot) text += cursor_.take().text;
    if (text == "WARP_SZ") return immediateOperand({kWarpSize, Type::s64});
    const auto name = specialRegisterOf(text);
    if (!name) {
      cursor_.fail(token, "'" + text.substr(0, 80) + "' is not declared");
      return {};
    }
    Operand operand = ofKind(Kind::special);
    operand.special = *name;
    return operand;
  }

  /// After `.reg .v4 .f32 v`, `v` means all its elements, and `v.x` one element.
  Operand vectorRegister(std::string_view name, unsigned width) {
    if (cursor_.peek().kind != Token::Kind::dot) {
      Operand operand = ofKind(Kind::vector);
      for (unsigned i = 0; i < width; ++i) {
        operand.elements.push_back(registerOperand(scopes_.element(name, i)));
      }
      return operand;
    }
    const Token part = cursor_.take();
    size_t index = std::string_view(".x.y.z.w").find(part.text);
    if (index == std::string_view::npos) index = std::string_view(".r.g.b.a").find(part.text);
    if (part.text.size() != 2 || index / 2 >= width) {
      cursor_.fail(part,
                   "the vector has no element '" + std::string(part.text.substr(0, 40)) + "'");
      return {};
    }
    return registerOperand(scopes_.element(name, static_cast<unsigned>(index / 2)));
  }

  Operand symbolWithOffset(std::string_view symbol) {
    Operand operand = named(Kind::symbol, symbol);
    parseOffset(operand);
    return operand;
  }

  /// Reads "A[3]": the element, or its address if the instruction operates on addresses. The index
  /// counts elements (PTX ISA, "Arrays as Operands").
  Operand element(const Scopes::Found& found) {
    const Token at = cursor_.take();
    Operand operand = named(takesAddresses() ? Kind::symbol : Kind::address, found.symbol);
    if (found.type == Type::none) cursor_.fail(at, "only an array can be indexed");
    const uint64_t bytes = std::max(1U, bytesOf(found.type));
    operand.offset =
        static_cast<int64_t>(bytes * cursor_.expectInteger("a constant index", kMaxOffset / bytes));
    cursor_.expect(']', "the index");
    return operand;
  }
  [[nodiscard]] bool takesAddresses() const {
    return opcode_ == Opcode::mov || opcode_ == Opcode::cvta;
  }

  /// Reads "+4", "-4", "+-4" or nothing.
  void parseOffset(Operand& operand) {
    bool isNegative = cursor_.peek().isMark('-');
    if (!isNegative && !cursor_.peek().isMark('+')) return;
    cursor_.take();
    if (cursor_.accept('-')) isNegative = !isNegative;
    const auto offset = static_cast<int64_t>(cursor_.expectInteger("an offset", kMaxOffset));
    operand.offset = isNegative ? -offset : offset;
  }

  Operand parseAddress() {
    cursor_.take();
    Operand operand = parseBase();
    operand.kind = Kind::address;
    while (cursor_.accept(',')) {
      const bool isVector = cursor_.peek().isMark('{');
      operand.elements.push_back(isVector ? parseElements('{', '}', Kind::vector) : parseSimple());
      if (operand.elements.size() > kMaxElements) cursor_.fail("an address has too many parts");
    }
    cursor_.expect(']', "the address");
    return operand;
  }

  Operand parseBase() {
    const Token at = cursor_.peek();
    if (at.kind == Token::Kind::number || at.isMark('-') || at.isMark('+')) {
      Operand operand = parseImmediate();
      if (isFloat(operand.immediateType))
        cursor_.fail(at, "an address cannot be a floating-point constant");
      operand.offset = static_cast<int64_t>(operand.bits);
      operand.bits = 0;
      operand.immediateType = Type::none;
      return operand;
    }
    Operand operand = parseSimple();
    const bool isBase = operand.kind == Kind::symbol || operand.kind == Kind::reg;
    if (!isBase || operand.negated) cursor_.fail(at, "an address must be a register or a name");
    if (operand.kind == Kind::reg) parseOffset(operand);
    return operand;
  }

  Operand parseElements(char open, char close, Kind kind) {
    cursor_.take();
    Operand operand = ofKind(kind);
    if (cursor_.accept(close)) return operand;
    do {
      operand.elements.push_back(parseSimple());
      if (operand.elements.size() > kMaxElements) {
        cursor_.fail("more than " + std::to_string(kMaxElements) + " elements in one operand");
      }
    } while (cursor_.accept(','));
    cursor_.expect(close, open == '{' ? "the vector" : "the list");
    return operand;
  }

  static Operand ofKind(Kind kind) {
    Operand operand;
    operand.kind = kind;
    return operand;
  }

  static Operand named(Kind kind, std::string_view name) {
    Operand operand = ofKind(kind);
    operand.name = name;
    return operand;
  }

  Cursor& cursor_;
  Scopes& scopes_;
  Opcode opcode_;
};

}  // namespace

std::vector<Operand> parseOperands(Cursor& cursor, Scopes& scopes, Opcode opcode) {
  std::vector<Operand> operands;
  if (cursor.peek().isMark(';')) return operands;
  OperandParser parser(cursor, scopes, opcode);
  do {
    operands.push_back(parser.parse());
    if (operands.size() > kMaxOperands) cursor.fail("an instruction has too many operands");
  } while (cursor.accept(','));
  return operands;
}

uint32_t parseRegister(Cursor& cursor, Scopes& scopes) {
  const Token token = cursor.peek();
  const std::string_view name = cursor.expectWord("a register");
  if (cursor.failed()) return kNone;
  const Scopes::Found found = scopes.find(name);
  if (found.kind == Scopes::Found::Kind::reg) return found.reg;
  cursor.fail(token, "'" + std::string(name.substr(0, 80)) + "' is not a declared register");
  return kNone;
}

}  // namespace tilestep::ptx
