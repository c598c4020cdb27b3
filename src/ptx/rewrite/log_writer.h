// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "ptx/ir.h"
#include "ptx/rewrite/trace_log.h"
#include "ptx/text/printer.h"

/// Code shared by the instrumentations that write logs.
namespace tilestep::ptx {

/// The entry with a copy of its body at its end, from kLoggedLabel on, with its own labels.
[[nodiscard]] Function twice(const Function& entry);
constexpr const char* kLoggedLabel = "$tilestep_logged";
constexpr const char* kPlainLabel = "$tilestep_plain";

/// Inserts code with which each thread writes its records, either into the copy that twice() made,
/// or into the entry's only body. Before that, the caller's code must set these registers in each
/// logging thread: %tstep_at to the address of its first word, %tstep_limit to the end of its
/// space, and %tstep_end to the address to which it finally stores its %tstep_at.
enum class LoggedBody : uint8_t { copy, only };
void weaveRecords(const Function& entry, const TraceLog& log, LoggedBody body, Weave& weave);

}  // namespace tilestep::ptx
