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

/// A PTX module (PTX ISA 9.0), with enough details to print it again.
namespace tilestep::ptx {

// clang-format off
enum class Type : uint8_t {
  none,
  b8, b16, b32, b64, b128,
  u8, u16, u32, u64,
  s8, s16, s32, s64,
  f16, f16x2, bf16, bf16x2, f32, f64,
  pred,
  u16x2, s16x2, tf32,
};
// clang-format on
[[nodiscard]] std::string_view toText(Type type);
/// Size in memory; 0 for none, 1 for pred.
[[nodiscard]] unsigned bytesOf(Type type);
[[nodiscard]] bool isFloat(Type type);
[[nodiscard]] bool isSigned(Type type);

enum class Space : uint8_t { none, param, global, shared, local, constant, generic };
[[nodiscard]] std::string_view toText(Space space);

enum class Rounding : uint8_t { none, rn, rz, rm, rp, rna, rni, rzi, rmi, rpi };
// clang-format off
enum class Compare : uint8_t {
  none, eq, ne, lt, le, gt, ge, lo, ls, hi, hs, equ, neu, ltu, leu, gtu, geu, num, nan
};
// clang-format on
enum class BoolOp : uint8_t { none, bitAnd, bitOr, bitXor };
/// .lo, .hi and .wide of mul and mad.
enum class Part : uint8_t { none, lo, hi, wide };

// clang-format off
enum class SpecialRegister : uint8_t {
  tidX, tidY, tidZ, ntidX, ntidY, ntidZ, ctaidX, ctaidY, ctaidZ, nctaidX, nctaidY, nctaidZ,
  laneid, warpid, nwarpid, smid, nsmid, gridid, clock, clockHi, clock64, globaltimer,
  lanemaskEq, lanemaskLt, lanemaskLe, lanemaskGt, lanemaskGe,
  dynamicSmemSize, totalSmemSize,
  aggrSmemSize, globaltimerLo, globaltimerHi, currentGraphExec,
  reservedSmemBegin, reservedSmemEnd, reservedSmemCap, reservedSmem0, reservedSmem1,
  isExplicitCluster, clusteridX, clusteridY, clusteridZ, nclusteridX, nclusteridY, nclusteridZ,
  clusterCtaidX, clusterCtaidY, clusterCtaidZ, clusterNctaidX, clusterNctaidY, clusterNctaidZ,
  clusterCtarank, clusterNctarank,
  pm0, pm1, pm2, pm3, pm4, pm5, pm6, pm7,
  pm0Wide, pm1Wide, pm2Wide, pm3Wide, pm4Wide, pm5Wide, pm6Wide, pm7Wide,
  envreg0, envreg1, envreg2, envreg3, envreg4, envreg5, envreg6, envreg7,
  envreg8, envreg9, envreg10, envreg11, envreg12, envreg13, envreg14, envreg15,
  envreg16, envreg17, envreg18, envreg19, envreg20, envreg21, envreg22, envreg23,
  envreg24, envreg25, envreg26, envreg27, envreg28, envreg29, envreg30, envreg31,
};
// clang-format on
[[nodiscard]] std::string_view toText(SpecialRegister name);  ///< With its '%'.

constexpr uint32_t kNone = 0xffffffff;

struct Register {
  std::string name;        ///< With its '%'; unique in the function (nested scopes are renamed).
  Type type = Type::none;  ///< As declared. The instruction determines the type of an operation.
  bool operator==(const Register&) const = default;
};

/// Bytes of an initialiser that hold a symbol's address, known only when the module is loaded.
struct SymbolReference {
  uint64_t at = 0;     ///< Byte offset into the variable.
  unsigned bytes = 8;  ///< The number of bytes of the address that are stored.
  std::string name;    ///< A variable or a function.
  int64_t addend = 0;
  bool generic = false;   ///< generic(name): the generic address, not the address in its space.
  uint64_t mask = ~0ULL;  ///< mask(name): only these bits, shifted down.
  bool operator==(const SymbolReference&) const = default;
};

/// A .global, .const, .shared or .local variable, possibly extern. In a function, also a .param
/// variable of a call. Opaque types (.texref …) count as one b64.
struct Variable {
  std::string name;
  Space space = Space::none;
  Type type = Type::b8;
  uint64_t elements = 1;   ///< 0 for `[]`, which the host sizes at launch.
  uint32_t alignment = 1;  ///< Bytes.
  bool isExtern = false;
  std::vector<uint8_t> initial;             ///< Empty, or all bytes of the variable.
  std::vector<SymbolReference> references;  ///< Their bytes in `initial` are 0.
  std::string declaration;                  ///< As written, for the printer.

  [[nodiscard]] uint64_t bytes() const { return elements * bytesOf(type); }
  bool operator==(const Variable&) const = default;
};

struct Parameter {
  std::string name;
  Type type = Type::none;
  uint64_t elements = 1;  ///< M for `.align N .b8 name[M]`.
  uint32_t alignment = 1;
  uint32_t offset = 0;      ///< In the parameter block, naturally aligned.
  bool isRegister = false;  ///< A `.reg` parameter of a .func: a register with this name.
  std::string declaration;

  [[nodiscard]] uint64_t bytes() const { return elements * bytesOf(type); }
  bool operator==(const Parameter&) const = default;
};

struct Operand {
  enum class Kind : uint8_t {
    none,
    reg,        ///< reg
    immediate,  ///< bits, immediateType (u64/s64 for integers, f32 for 0f…, f64 for 0d… and
                ///< decimals)
    symbol,     ///< name (+ offset): the address of a variable, parameter or function
    address,    ///< [reg + offset] or [name + offset] or [offset]; [texture, {x, y}] has its
                ///< coordinates in elements
    special,    ///< special
    label,      ///< name; target is the index of the labelled instruction
    table,      ///< name of a .branchtargets; target is its index in Function::tables
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
  bool operator==(const Operand&) const = default;
};

struct SourceLine {
  uint32_t file = 0;  ///< Key of Module::files.
  uint32_t line = 0;  ///< 0 if none (hoisted code).
  uint32_t column = 0;
  bool operator==(const SourceLine&) const = default;
};

struct Guard {
  uint32_t reg = kNone;  ///< kNone if not guarded.
  bool negated = false;
  bool operator==(const Guard&) const = default;
};

/// One instruction. The printer uses `suffixes`, everything else the decoded fields.
struct Instruction {
  Opcode opcode = Opcode::none;
  std::vector<std::string> suffixes;  ///< Without dots, in order.
  Guard guard;
  std::vector<Operand> operands;  ///< Destination first, as written.

  Type type = Type::none;     ///< First type suffix; for cvt and set, the destination's type.
  Type type2 = Type::none;    ///< Second type suffix; for cvt and set, the source's type.
  Space space = Space::none;  ///< Of ld, st, atom, red and cvta; generic if the text has none.
  uint8_t vectorWidth = 1;    ///< .v2 .v4 .v8
  Rounding rounding = Rounding::none;
  Compare compare = Compare::none;
  BoolOp boolOp = BoolOp::none;
  Part part = Part::none;
  bool ftz = false;
  bool sat = false;
  bool approx = false;
  bool isVolatile = false;

  SourceLine source;                 ///< The innermost line, possibly in an inlined function.
  SourceLine outerLine;              ///< The line in the kernel's file, from inlined_at.
  uint32_t ptxLine = 0;              ///< Line in the PTX text, from 1.
  std::vector<std::string> pragmas;  ///< .pragma texts before it, without quotes.

  [[nodiscard]] bool has(std::string_view suffix) const;
  bool operator==(const Instruction&) const = default;
};

struct Label {
  std::string name;
  uint32_t at = 0;  ///< Index of the next instruction; may equal body.size().
  bool operator==(const Label&) const = default;
};

/// .branchtargets, .calltargets or .callprototype of a function.
struct Table {
  std::string name;
  std::string text;               ///< ".branchtargets L1, L2", with renamed labels.
  std::vector<uint32_t> targets;  ///< Of .branchtargets: the instructions at its labels.
  bool operator==(const Table&) const = default;
};

struct Function {
  std::string name;
  std::string linkage;  ///< "", "visible", "weak", "extern" or "common".
  bool isEntry = false;
  bool isExtern = false;           ///< Only a declaration.
  std::vector<Parameter> results;  ///< A .func's return parameters.
  std::vector<Parameter> parameters;
  std::vector<Register> registers;
  std::vector<Variable> variables;  ///< Declared inside: shared, local, param of calls; names
                                    ///< unique in the function (nested scopes are renamed).
  std::vector<Instruction> body;
  std::vector<Label> labels;  ///< Ordered by `at`.
  std::vector<Table> tables;
  std::vector<std::string> directives;  ///< .maxntid … , .minnctapersm …, as written.
  bool operator==(const Function&) const = default;
};

struct Module {
  std::string version;  ///< "9.0"
  std::string target;   ///< "sm_75", with its options except debug.
  unsigned addressSize = 64;
  std::map<uint32_t, std::string> files;  ///< .file table.
  std::vector<Variable> variables;        ///< Module scope.
  std::vector<Function> functions;

  /// The definition of the function, or else its declaration, or else nullptr.
  [[nodiscard]] const Function* find(std::string_view function) const;
  bool operator==(const Module&) const = default;
};

}  // namespace tilestep::ptx
