// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <map>
#include <vector>

#include "ptx/ir.h"
#include "simt/program.h"

namespace tilestep::simt {

/// Allocates rows of a warp's register file while a program is decoded.
class RowFile {
 public:
  static constexpr uint32_t kScratch = 0;  ///< For results before masking, of either width.
  static constexpr unsigned kTemporaries = 12;

  explicit RowFile(Program& program) : program_(program) {
    program_.registerBytes = (1 + kTemporaries) * kWideRow;
  }

  /// Rows for intermediate results within a PTX instruction, of either width.
  [[nodiscard]] static uint32_t temporary(unsigned index) { return (1 + index) * kWideRow; }

  /// Allocates a row, which shares no bytes with others.
  uint32_t add(bool wide);
  uint32_t constant(uint64_t bits, bool wide);
  uint32_t parameter(uint32_t offset, Lane type, bool wide);
  uint32_t special(ptx::SpecialRegister name);
  uint32_t carry();  ///< The row of the condition code, zero when a block starts.

 private:
  Program& program_;
  std::map<std::pair<uint64_t, bool>, uint32_t> constants_;
  std::map<ptx::SpecialRegister, uint32_t> specials_;
  uint32_t carry_ = kNoRow;
};

}  // namespace tilestep::simt
