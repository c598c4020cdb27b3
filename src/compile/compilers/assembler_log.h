// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/assembled.h"
#include "base/error.h"
#include "compile/kernel.h"

/// What ptxas says in the log of NVRTC, whose front end it comes after.
namespace tilestep::compile {

/// Its messages with -v, "Used 25 registers" and "72 bytes stack frame", by function. Takes any
/// text: of two messages of one function the last one counts, which is ptxas' own.
[[nodiscard]] Assembled assembledIn(std::string_view log);

/// The log without those messages.
[[nodiscard]] std::string withoutAssembled(std::string_view log);

/// Whether ptxas refused the PTX.
[[nodiscard]] bool isRefusedByAssembler(std::string_view log);

/// Its first error, at the line of the source that `ptx`, which it refused, names there. Where ptxas
/// could not go on for a reason of its own, such as a lack of memory, an error without a place.
[[nodiscard]] Error assemblerError(std::string_view log, std::string_view ptx,
                                   const KernelSource& source);

}  // namespace tilestep::compile
