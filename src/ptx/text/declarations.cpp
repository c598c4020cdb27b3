// SPDX-License-Identifier: Apache-2.0
#include "ptx/text/declarations.h"

#include <bit>

#include "ptx/names.h"
#include "ptx/text/initialiser.h"

namespace tilestep::ptx {
namespace {

constexpr uint64_t kMaxBytes = uint64_t{1} << 40;
constexpr uint64_t kMaxParameterBytes = 32764;  // the limit for a kernel since sm_70
constexpr uint64_t kMaxAlignment = 1 << 16;

/// The qualifiers between the state space and the name.
struct Qualifiers {
  Type type = Type::none;
  uint32_t alignment = 0;
  unsigned width = 1;
};

void parseAlignment(Cursor& cursor, Qualifiers& qualifiers) {
  const Token at = cursor.peek();
  const uint64_t alignment = cursor.expectInteger("an alignment", kMaxAlignment);
  if (!std::has_single_bit(alignment)) {
    cursor.fail(at, "an alignment must be a power of two, not " + std::to_string(alignment));
  }
  qualifiers.alignment = static_cast<uint32_t>(alignment);
}

void parseAttribute(Cursor& cursor) {
  if (!cursor.expect('(', ".attribute")) return;
  while (!cursor.atEnd() && !cursor.peek().isMark(')') && !cursor.peek().isMark(';')) cursor.take();
  cursor.expect(')', "the attribute");
}

bool isOpaque(std::string_view word) {
  return word == ".texref" || word == ".samplerref" || word == ".surfref";
}

void parseQualifier(Cursor& cursor, Qualifiers& qualifiers) {
  const Token token = cursor.take();
  const std::string_view word = token.text.substr(1);
  if (word == "align") {
    parseAlignment(cursor, qualifiers);
  } else if (word == "attribute") {
    parseAttribute(cursor);
  } else if (word == "v2" || word == "v4") {
    qualifiers.width = word == "v2" ? 2 : 4;
  } else if (const auto type = typeOf(word)) {
    qualifiers.type = *type;
  } else if (isOpaque(token.text)) {
    qualifiers.type = Type::b64;
  } else if (word != "ptr" && word != "unified" && !spaceOf(word)) {
    cursor.fail(token, "unknown word '" + std::string(token.text) + "' in a declaration");
  }
}

Qualifiers parseQualifiers(Cursor& cursor) {
  Qualifiers qualifiers;
  while (cursor.peek().kind == Token::Kind::dot) parseQualifier(cursor, qualifiers);
  if (qualifiers.type == Type::none) cursor.fail("a declaration needs a type, such as .f32");
  if (qualifiers.alignment == 0) qualifiers.alignment = bytesOf(qualifiers.type) * qualifiers.width;
  return qualifiers;
}

/// The number of elements of extents such as `[4][8]`; 0 if one of them is open (`[]`).
uint64_t parseExtents(Cursor& cursor, uint64_t elementBytes) {
  uint64_t elements = 1;
  while (cursor.accept('[')) {
    if (cursor.accept(']')) {
      elements = 0;
      continue;
    }
    const uint64_t extent = cursor.expectInteger("an array's extent", kMaxBytes);
    cursor.expect(']', "the extent");
    if (extent != 0 && elements > kMaxBytes / elementBytes / extent) {
      cursor.fail("an array is larger than " + std::to_string(kMaxBytes) + " bytes");
      return 0;
    }
    elements *= extent;
  }
  return elements;
}

Variable parseOne(Cursor& cursor, Space space, const Qualifiers& qualifiers) {
  Variable variable;
  variable.name = cursor.expectWord("a variable's name");
  variable.space = space;
  variable.type = qualifiers.type;
  variable.alignment = qualifiers.alignment;
  const unsigned elementBytes = bytesOf(qualifiers.type) * qualifiers.width;
  if (cursor.failed() || elementBytes == 0) return variable;
  variable.elements = parseExtents(cursor, elementBytes) * qualifiers.width;
  if (cursor.accept('=')) parseInitialiser(cursor, variable);
  return variable;
}

Parameter parseParameter(Cursor& cursor) {
  Parameter parameter;
  const Token start = cursor.peek();
  parameter.isRegister = start.isDot(".reg");
  if (!parameter.isRegister && !start.isDot(".param")) {
    cursor.fail("expected .param, found " + describe(start));
    return parameter;
  }
  cursor.take();
  const Qualifiers qualifiers = parseQualifiers(cursor);
  parameter.name = cursor.expectWord("a parameter's name");
  if (cursor.failed()) return parameter;
  parameter.type = qualifiers.type;
  parameter.alignment = qualifiers.alignment;
  const Token at = cursor.peek();
  parameter.elements =
      parseExtents(cursor, bytesOf(qualifiers.type) * qualifiers.width) * qualifiers.width;
  if (parameter.bytes() > kMaxParameterBytes) {
    cursor.fail(at, "parameter '" + parameter.name + "' has " + std::to_string(parameter.bytes()) +
                        " bytes; the maximum is " + std::to_string(kMaxParameterBytes));
  }
  parameter.declaration = cursor.textFrom(start);
  return parameter;
}

/// Sets the parameters' offsets. `.ptr .align` is the alignment of the pointee, so the alignment of
/// a pointer itself is its size.
void place(std::vector<Parameter>& parameters) {
  uint32_t offset = 0;
  for (Parameter& parameter : parameters) {
    if (parameter.declaration.find(".ptr") != std::string::npos) {
      parameter.alignment = bytesOf(parameter.type);
    }
    const uint32_t alignment = parameter.alignment;
    offset = (offset + alignment - 1) / alignment * alignment;
    parameter.offset = offset;
    offset += static_cast<uint32_t>(parameter.bytes());
  }
}

}  // namespace

std::vector<Variable> parseVariables(Cursor& cursor, const Token& start, bool isExtern) {
  std::vector<Variable> variables;
  const Space space = *spaceOf(cursor.take().text.substr(1));
  const Qualifiers qualifiers = parseQualifiers(cursor);
  const std::string prefix(cursor.textFrom(start));
  do {
    const Token name = cursor.peek();
    Variable variable = parseOne(cursor, space, qualifiers);
    if (cursor.failed()) break;
    variable.isExtern = isExtern;
    variable.declaration = prefix + " " + std::string(cursor.textFrom(name));
    variables.push_back(std::move(variable));
  } while (cursor.accept(','));
  return variables;
}

std::vector<Parameter> parseParameters(Cursor& cursor) {
  std::vector<Parameter> parameters;
  cursor.expect('(', "the function's name");
  if (cursor.accept(')')) return parameters;
  do {
    parameters.push_back(parseParameter(cursor));
  } while (cursor.accept(','));
  cursor.expect(')', "the parameters");
  if (!cursor.failed()) place(parameters);
  return parameters;
}

RegisterType parseRegisterType(Cursor& cursor) {
  const Qualifiers qualifiers = parseQualifiers(cursor);
  return {qualifiers.width, qualifiers.type};
}

bool startsVariable(const Token& token) {
  return token.kind == Token::Kind::dot && spaceOf(token.text.substr(1)).has_value();
}

}  // namespace tilestep::ptx
