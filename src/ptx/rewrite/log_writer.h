// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "ptx/ir.h"
#include "ptx/rewrite/trace_log.h"
#include "ptx/text/printer.h"

/// The common part of all programs that write logs.
namespace tilestep::ptx {

/// The entry with its body twice: unchanged, followed by a copy with labels of its own, which
/// begins at kLoggedLabel.
[[nodiscard]] Function twice(const Function& entry);
constexpr const char* kLoggedLabel = "$tilestep_logged";
constexpr const char* kPlainLabel = "$tilestep_plain";

/// Inserts code by which each thread writes its records: into the copy that `twice` made, or into
/// the entry's only body. The caller's code before it must set these registers in each logging
/// thread: %tstep_at to its first word, %tstep_limit to the end of its room, and %tstep_end to the
/// place where it finally stores its %tstep_at.
enum class LoggedBody : uint8_t { copy, only };
void weaveRecords(const Function& entry, const TraceLog& log, LoggedBody body, Weave& weave);

}  // namespace tilestep::ptx
