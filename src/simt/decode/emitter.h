// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "simt/run/row_file.h"

namespace tilestep::simt {

[[nodiscard]] Lane laneOf(ptx::Type type);  ///< Lane::none if unsupported.
[[nodiscard]] bool isWide(Lane lane);
[[nodiscard]] unsigned bytesOf(Lane lane);
[[nodiscard]] Lane bitsLike(Lane lane);  ///< The unsigned integer type of the same size.
[[nodiscard]] bool isFloat(Lane lane);   ///< Includes f16x2 and bf16x2.
[[nodiscard]] bool isPair(Lane lane);    ///< f16x2 and bf16x2.
[[nodiscard]] Lane halfOf(Lane pair);    ///< The type of each half.

/// Where a call's parameter is stored: consecutive wide rows, each with eight bytes per thread.
struct Cells {
  uint32_t row = 0;
  uint32_t bytes = 0;
};

/// The rows of a function. Different functions have different rows, so lanes may be in several
/// functions at once, and only recursive calls have to save rows.
struct FunctionRows {
  const ptx::Function* function = nullptr;
  uint32_t first = 0;  ///< Index of its first instruction.
  std::vector<uint32_t> registers;
  std::map<std::string, Cells, std::less<>> cells;
  /// In a recursive function, row with the local address of this call's variables.
  uint32_t localRow = kNoRow;
  uint32_t frameBytes = 0;  ///< In a recursive function, the bytes of GPU stack that a call uses.
};

/// Converts operands to rows and appends micro-operations, for one PTX instruction after the other.
/// Anything unsupported calls refuse(), after which the emitted operations do not matter.
class Emitter {
 public:
  struct Sources {
    uint32_t a = 0, b = 0, c = 0, fourth = 0;
    int64_t mode = 0;
  };

  Emitter(Program& program, const Symbols& symbols, const Engine& engine);

  void enter(const FunctionRows& rows);  ///< Call this before a function's first instruction.
  /// Starts PTX instruction `index` of the body. If `bare`, the emitted operations omit its guard.
  void begin(uint32_t index, bool bare = false);
  [[nodiscard]] const ptx::Instruction& instruction() const { return *instruction_; }
  [[nodiscard]] const ptx::Operand& operand(size_t index) const;
  [[nodiscard]] const Engine& engine() const { return engine_; }

  void refuse(std::string why);
  /// Rejects suffixes other than types, roundings, .ftz, .sat, .approx and `words`.
  void allow(std::initializer_list<std::string_view> words);
  [[nodiscard]] bool refused() const { return refusal_.has_value(); }
  [[nodiscard]] const std::optional<std::string>& refusal() const { return refusal_; }

  [[nodiscard]] bool isWideRegister(const ptx::Operand& operand) const;
  /// The row from which an operation of type `lane` reads a source.
  uint32_t read(const ptx::Operand& operand, Lane lane);
  /// The current PTX instruction begins a basic block. Needed by instructions that read the clock.
  void beginBlock() { blockStart_ = index_; }
  /// The row of a predicate source, or of its inverse if it is negated.
  uint32_t readPredicate(const ptx::Operand& operand);
  /// The row of a destination register, whose size must match `lane`.
  uint32_t write(const ptx::Operand& operand, Lane lane);
  uint32_t constant(uint64_t bits, Lane lane) { return file_.constant(bits, isWide(lane)); }
  uint32_t parameter(uint32_t offset, Lane type, bool wide) {
    return file_.parameter(offset, type, wide);
  }
  [[nodiscard]] const Symbols::Place* find(const std::string& name) const {
    return symbols_.find(name, rows_->function);
  }
  /// The cells of the call's or function's parameter `name`; null if there is none.
  [[nodiscard]] const Cells* cells(const std::string& name) const;
  [[nodiscard]] const FunctionRows& function() const { return *rows_; }
  /// A wide row with the local addresses of byte `offset` of this call's variables.
  uint32_t addressOfCall(uint64_t offset);
  uint32_t newRow(bool wide) { return file_.add(wide); }
  /// Allocates a register's companion (check/unset_bits.h).
  uint32_t newCompanion();
  /// The row of the condition code (add.cc etc.): all ones after a carry or borrow, else zero.
  uint32_t carry() { return file_.carry(); }
  /// A temporary row, valid until the end of the PTX instruction.
  [[nodiscard]] uint32_t temporary() { return RowFile::temporary(temporaries_++); }

  void emit(Handler op, uint32_t d, Sources sources, bool wideResult);
  void emit(Op op, Lane lane, uint32_t d, Sources sources, Round round = Round::nearest);
  void emitMemory(Instr instr);
  void emitOfWarp(Instr instr);             ///< The handler must write only active lanes.
  uint32_t addRule(const UnsetRule& rule);  ///< Returns its index in Program::unsetRules.
  void emitCompanion(Instr instr);          ///< Like emitOfWarp, for companions.
  void copy(uint32_t d, uint32_t from, bool wide);
  void convert(uint32_t d, Lane to, uint32_t from, Lane fromLane);
  /// Moves a temporary to `d`. If the last operation computed the temporary, it writes to `d`
  /// instead, which saves a copy. The temporary must not be read afterwards.
  void deliver(uint32_t d, uint32_t temporary, bool wide);

  [[nodiscard]] uint32_t rowOf(uint32_t reg) const { return rows_->registers[reg]; }
  [[nodiscard]] const std::vector<Instr>& code() const { return code_; }
  [[nodiscard]] uint32_t size() const { return static_cast<uint32_t>(code_.size()); }

 private:
  uint32_t immediate(const ptx::Operand& operand, Lane lane);
  uint32_t symbol(const ptx::Operand& operand, Lane lane);
  uint32_t special(ptx::SpecialRegister name, Lane lane);
  uint32_t clock(ptx::SpecialRegister name);
  void push(Instr instr);

  Program& program_;
  const Symbols& symbols_;
  const Engine& engine_;
  RowFile file_;
  const FunctionRows* rows_ = nullptr;
  bool bare_ = false;
  std::vector<Instr> code_;
  const ptx::Instruction* instruction_ = nullptr;
  uint32_t index_ = 0;
  uint32_t blockStart_ = 0;
  unsigned temporaries_ = 0;
  std::optional<std::string> refusal_;
};

/// The elements of a vector operand, or the operand itself.
[[nodiscard]] std::vector<ptx::Operand> elementsOf(const ptx::Operand& operand);
/// Reads a source and, under .ftz, replaces subnormal numbers by zero.
[[nodiscard]] uint32_t readFlushed(Emitter& e, size_t operand, Lane lane);
/// Applies .ftz (unless `isFlushed`), .sat and .relu to the result in `d`.
void finish(Emitter& e, Lane lane, uint32_t d, bool isFlushed = false);
[[nodiscard]] Round roundOf(const ptx::Instruction& instruction);  ///< Round::nearest if none.

/// The operation of the current shfl; null if the form is unsupported. It expects the rows of the
/// operands in Instr::d, a, b and c, and that of the predicate, or kNoRow, in Instr::target.
[[nodiscard]] Handler shuffleOf(const Emitter& e);

/// The decoders of opcodes; null if a function does not decode the opcode.
using DecodeRoot = void (*)(Emitter&);
[[nodiscard]] DecodeRoot decodeArithmetic(ptx::Opcode opcode);
[[nodiscard]] DecodeRoot decodeBits(ptx::Opcode opcode);
[[nodiscard]] DecodeRoot decodeCarry(ptx::Opcode opcode);
[[nodiscard]] DecodeRoot decodeCompare(ptx::Opcode opcode);
[[nodiscard]] DecodeRoot decodeConvert(ptx::Opcode opcode);
[[nodiscard]] DecodeRoot decodeMatrix(ptx::Opcode opcode);
[[nodiscard]] DecodeRoot decodeMove(ptx::Opcode opcode);
[[nodiscard]] DecodeRoot decodeMemory(ptx::Opcode opcode);
[[nodiscard]] DecodeRoot decodeAtomic(ptx::Opcode opcode);
[[nodiscard]] DecodeRoot decodeCopy(ptx::Opcode opcode);
[[nodiscard]] DecodeRoot decodeWarp(ptx::Opcode opcode);

}  // namespace tilestep::simt
