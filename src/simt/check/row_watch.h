// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "ptx/analysis/register_graph.h"
#include "simt/check/provenance.h"
#include "simt/check/row_parts.h"
#include "simt/decode/emitter.h"

namespace tilestep::simt {

/// The facts about an entry's parameter that are known before it runs.
struct KnownParameter {
  std::string name;
  uint64_t value = 0;
  int region = -1;       ///< The region that it points to, or -1.
  uint64_t columns = 0;  ///< Columns, if it is a matrix of several rows; else 0.
  uint32_t elementBytes = 0;
};

/// Tracks the matrix row of each index. For each register that holds row * width + column, a
/// companion register holds `row` for all lanes, so that the column is known at each access.
/// Companions are computed by separate micro-operations, before those of the instruction.
class RowWatch {
 public:
  RowWatch(const ptx::Function& entry, std::vector<KnownParameter> parameters);

  /// Emits the micro-operations that update companions for the instruction at `index`.
  void follow(Emitter& emitter, uint32_t index);
  /// Bounds for the column of the access at `index`. ColumnCheck::row is kNoRow if unknown.
  [[nodiscard]] ColumnCheck checkOf(uint32_t index) const;

 private:
  struct Width {
    std::vector<std::string> parameters;
    std::unique_ptr<RowParts> parts;
    std::map<uint32_t, uint32_t> rows;  ///< Companions, by register.
  };
  struct Watched {
    uint64_t width = 0;
    uint32_t reg = 0;
    const KnownParameter* of = nullptr;
  };
  void watch(uint32_t index, const Provenance& provenance);
  void need(Width& width, uint32_t first);
  void follow(Emitter& emitter, Width& width, const ptx::Instruction& instruction);
  uint32_t companion(Emitter& emitter, const Width& width, const ptx::Operand& operand) const;

  const ptx::Function& entry_;
  const ptx::RegisterGraph graph_;
  std::vector<KnownParameter> parameters_;
  std::map<uint64_t, Width> widths_;
  std::map<uint32_t, Watched> watched_;  ///< By instruction index.
};

}  // namespace tilestep::simt
