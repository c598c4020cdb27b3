// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ptx/rewrite/instrument_runs.h"
#include "ptx/text/printer.h"

namespace tilestep::ptx {

struct EntryLimits {
  uint64_t threadsPerBlock = 0;
  uint32_t registers = 0;  ///< Of an entry with barriers in loops; 0: no limit.
  bool withLaps = true;
};

/// What to weave into an entry so that it counts itself. An Error names what cannot be counted.
Result<Weave> weaveEntry(const Module& module, const Function& entry, const EntryLimits& limits,
                         ColumnList& columns, RunFunctions& runs);

}  // namespace tilestep::ptx
