// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ptx/opcode.h"

/// The program as PTX has it (PTX ISA 9.0), close enough to the text to print it again.
namespace tilestep::ptx {

enum class Type : uint8_t {
  none,
  b8, b16, b32, b64, b128,
  u8, u16, u32, u64,
  s8, s16, s32, s64,
  f16, f16x2, bf16, bf16x2, f32, f64,
  pred,
};
[[nodiscard]] std::string_view toText(Type type);
/// Size in memory; 0 for none, 1 for pred.
[[nodiscard]] unsigned bytesOf(Type type);
[[nodiscard]] bool isFloat(Type type);
[[nodiscard]] bool isSigned(Type type);

enum class Space : uint8_t { none, param, global, shared, local, constant, generic };
[[nodiscard]] std::string_view toText(Space space);

enum class Rounding : uint8_t { none, rn, rz, rm, rp, rna, rni, rzi, rmi, rpi };
enum class Compare : uint8_t {
  none, eq, ne, lt, le, gt, ge, lo, ls, hi, hs, equ, neu, ltu, leu, gtu, geu, num, nan
};
enum class BoolOp : uint8_t { none, bitAnd, bitOr, bitXor };
/// .lo, .hi and .wide of mul and mad.
enum class Part : uint8_t { none, lo, hi, wide };

enum class SpecialRegister : uint8_t {
  tidX, tidY, tidZ, ntidX, ntidY, ntidZ, ctaidX, ctaidY, ctaidZ, nctaidX, nctaidY, nctaidZ,
  laneid, warpid, nwarpid, smid, nsmid, gridid, clock, clockHi, clock64, globaltimer,
  lanemaskEq, lanemaskLt, lanemaskLe, lanemaskGt, lanemaskGe,
  dynamicSmemSize, totalSmemSize,
};
[[nodiscard]] std::string_view toText(SpecialRegister name);  ///< With its '%'.

constexpr uint32_t kNone = 0xffffffff;

struct Register {
  std::string name;  ///< With its '%'; unique in the function (nested scopes are renamed).
  Type type = Type::none;  ///< As declared. Take an operation's type from the instruction.
};

/// A .global, .const, .shared, .local variable or an extern of one.
struct Variable {
  std::string name;
  Space space = Space::none;
  Type type = Type::b8;
  uint64_t elements = 1;   ///< 0: `[]`, sized by the host at launch.
  uint32_t alignment = 1;  ///< Bytes.
  bool isExtern = false;
  std::vector<uint8_t> initial;  ///< Empty, or bytes of its size.
  std::string declaration;       ///< As written, for the printer.

  [[nodiscard]] uint64_t bytes() const { return elements * bytesOf(type); }
};

struct Parameter {
  std::string name;
  Type type = Type::none;
  uint64_t elements = 1;  ///< More than 1 for `.align N .b8 name[M]`.
  uint32_t alignment = 1;
  uint32_t offset = 0;  ///< In the parameter block, naturally aligned.
  std::string declaration;

  [[nodiscard]] uint64_t bytes() const { return elements * bytesOf(type); }
};

struct Operand {
  enum class Kind : uint8_t {
    none,
    reg,        ///< reg
    immediate,  ///< bits, immediateType (u64/s64 for integers, f32 for 0f…, f64 for 0d… and decimals)
    symbol,     ///< name (+ offset): the address of a variable, parameter or function
    address,    ///< [reg + offset] or [name + offset] or [offset]
    special,    ///< special
    label,      ///< name; target is the index of the instruction it names
    vector,     ///< {elements}
    pair,       ///< a|b in a destination: elements[0] | elements[1]
    list,       ///< (elements): parameters of a call
    sink,       ///< _
  };
  Kind kind = Kind::none;
  bool negated = false;  ///< !p
  uint32_t reg = kNone;  ///< Index into Function::registers.
  int64_t offset = 0;
  uint64_t bits = 0;
  Type immediateType = Type::none;
  SpecialRegister special = SpecialRegister::tidX;
  uint32_t target = kNone;
  std::string name;
  std::vector<Operand> elements;
};

struct SourceLine {
  uint32_t file = 0;  ///< Key of Module::files.
  uint32_t line = 0;  ///< 0: no line (hoisted code).
  uint32_t column = 0;
  bool operator==(const SourceLine&) const = default;
};

struct Guard {
  uint32_t reg = kNone;  ///< kNone: not guarded.
  bool negated = false;
};

/// One instruction. `suffixes` is the truth for the printer, the decoded fields are for the rest.
struct Instruction {
  Opcode opcode = Opcode::none;
  std::vector<std::string> suffixes;  ///< Without dots, in the order of the text.
  Guard guard;
  std::vector<Operand> operands;  ///< Destination first, as written.

  Type type = Type::none;   ///< First type suffix (for cvt, set, mul.wide … the destination's
                            ///< rule of the ISA applies; cvt's destination type is first).
  Type type2 = Type::none;  ///< Second type suffix: cvt's source, set's source.
  Space space = Space::none;   ///< ld, st, atom, red, cvta; generic where none is written.
  uint8_t vectorWidth = 1;     ///< .v2 .v4 .v8
  Rounding rounding = Rounding::none;
  Compare compare = Compare::none;
  BoolOp boolOp = BoolOp::none;
  Part part = Part::none;
  bool ftz = false;
  bool sat = false;
  bool approx = false;
  bool isVolatile = false;

  SourceLine source;      ///< The innermost line that the compiler wrote.
  SourceLine outerLine;   ///< Following inlined_at outward: the line in the kernel's own file.
  uint32_t ptxLine = 0;   ///< Line in the PTX text, from 1.

  [[nodiscard]] bool has(std::string_view suffix) const;
};

struct Label {
  std::string name;
  uint32_t at = 0;  ///< Index of the instruction that follows; may equal body.size().
};

struct Function {
  std::string name;
  bool isEntry = false;
  bool isExtern = false;              ///< A declaration only.
  std::vector<Parameter> results;     ///< A .func's return parameters.
  std::vector<Parameter> parameters;
  std::vector<Register> registers;
  std::vector<Variable> variables;    ///< Declared inside: shared and local.
  std::vector<Instruction> body;
  std::vector<Label> labels;          ///< Ordered by `at`.
  std::vector<std::string> directives;  ///< .maxntid … , .minnctapersm …, as written.
};

struct Module {
  std::string version;  ///< "9.0"
  std::string target;   ///< "sm_75"
  unsigned addressSize = 64;
  std::map<uint32_t, std::string> files;  ///< .file table.
  std::vector<Variable> variables;        ///< Module scope.
  std::vector<Function> functions;

  [[nodiscard]] const Function* find(std::string_view function) const;
};

}  // namespace tilestep::ptx
