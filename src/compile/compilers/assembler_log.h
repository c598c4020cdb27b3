// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"
#include "compile/kernel.h"
#include "ptx/assembled.h"

/// Messages of ptxas in NVRTC's log.
namespace tilestep::compile {

/// Parses the messages of ptxas -v, "Used 25 registers" and "72 bytes stack frame", by function.
/// Accepts any text; of two messages for one function the last one counts, which is from ptxas
/// itself.
[[nodiscard]] ptx::Assembled assembledIn(std::string_view log);

/// These messages for the functions, in ptxas' format.
[[nodiscard]] std::string assembledText(const ptx::Assembled& assembled);

/// Whether some GPU might refuse a launch with `blockThreads` threads per block because of the
/// kernel's registers, or might exhaust the stack: a function that is called, and not inlined, may
/// call itself.
[[nodiscard]] bool mayExceedGpu(const ptx::Assembled& assembled, uint32_t blockThreads);

/// Lowers each number in `fewest` to that in `other`. A function that is absent from `other` was
/// inlined there, and uses no stack.
void takeFewer(const ptx::Assembled& other, ptx::Assembled& fewest);

/// The log without those messages.
[[nodiscard]] std::string withoutAssembled(std::string_view log);

/// Whether the log comes from ptxas, which means that the front end found no error.
[[nodiscard]] bool isFromAssembler(std::string_view log);

/// Whether ptxas rejects the text itself: it names a line of the PTX, or an undefined function.
/// Messages about the whole, such as too much shared memory or too few registers, and exhausted
/// memory do not count.
[[nodiscard]] bool isRefusedByAssembler(std::string_view log);

/// The message of ptxas about an exhausted resource, such as memory; empty if there is none.
[[nodiscard]] std::string shortageIn(std::string_view log);

/// The first such rejection, located at the source line that the rejected `ptx` names for it.
[[nodiscard]] Error assemblerError(std::string_view log, std::string_view ptx,
                                   const KernelSource& source);

}  // namespace tilestep::compile
