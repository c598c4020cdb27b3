// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ptx/instrument_runs.h"
#include "ptx/printer.h"

namespace tilestep::ptx {

/// What to weave into an entry so that it counts itself. An Error names what cannot be counted.
Result<Weave> weaveEntry(const Module& module, const Function& entry, uint64_t threadsPerBlock,
                         ColumnList& columns, RunFunctions& runs);

}  // namespace tilestep::ptx
