// SPDX-License-Identifier: Apache-2.0
#include "simt/run/row_file.h"

namespace tilestep::simt {

uint32_t RowFile::add(bool wide) {
  const uint32_t row = program_.registerBytes;
  program_.registerBytes += wide ? kWideRow : kNarrowRow;
  return row;
}

uint32_t RowFile::constant(uint64_t bits, bool wide) {
  const auto [at, isNew] = constants_.try_emplace({bits, wide}, 0);
  if (isNew) {
    at->second = add(wide);
    program_.constants.push_back({at->second, wide, bits});
  }
  return at->second;
}

uint32_t RowFile::parameter(uint32_t offset, Lane type, bool wide) {
  for (const Program::ParameterRow& row : program_.parameters) {
    if (row.offset == offset && row.type == type && row.wide == wide) return row.row;
  }
  const uint32_t row = add(wide);
  program_.parameters.push_back({row, wide, type, offset});
  return row;
}

uint32_t RowFile::special(ptx::SpecialRegister name) {
  const auto [at, isNew] = specials_.try_emplace(name, 0);
  if (isNew) {
    at->second = add(false);
    program_.specials.push_back({at->second, name});
  }
  return at->second;
}

uint32_t RowFile::carry() {
  if (carry_ == kNoRow) {
    carry_ = add(false);
    program_.zeroed.emplace_back(carry_, kNarrowRow);
  }
  return carry_;
}

}  // namespace tilestep::simt
