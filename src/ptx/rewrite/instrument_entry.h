// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ptx/rewrite/instrument_runs.h"
#include "ptx/text/printer.h"

namespace tilestep::ptx {

struct EntryLimits {
  uint64_t threadsPerBlock = 0;
  uint32_t registers = 0;  ///< For an entry with barriers in loops; 0: no limit.
  bool withLaps = true;
};

/// The code to insert into an entry so that it counts itself. An Error names what cannot be
/// counted.
Result<Weave> weaveEntry(const Module& module, const Function& entry, const EntryLimits& limits,
                         ColumnList& columns, RunFunctions& runs);

}  // namespace tilestep::ptx
