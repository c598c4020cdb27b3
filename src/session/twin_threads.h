// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "session/twin.h"

/// Twins of what is shown of threads and source; twinOf hands them out.
namespace tilestep::session {

/// The execution phases, a row a thread and phase.
[[nodiscard]] Twin phasesTwin(const Snapshot& now, bool companion);
/// All events of the chosen thread, of the first where none is chosen.
[[nodiscard]] Twin threadTwin(const Snapshot& now, bool companion);
/// The main kernel's source with counts and remarks.
[[nodiscard]] Twin sourceTwin(const Snapshot& now);

}  // namespace tilestep::session
