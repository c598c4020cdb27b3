// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"
#include "compile/kernel.h"
#include "ptx/assembled.h"

/// Reads ptxas's messages in NVRTC's log.
namespace tilestep::compile {

/// The resources of each function, from the messages of ptxas -v, such as "Used 25 registers" and
/// "72 bytes stack frame". If a function has several messages, the last counts. Accepts any log.
[[nodiscard]] ptx::Assembled assembledIn(std::string_view log);

/// The messages for these functions, in ptxas's format.
[[nodiscard]] std::string assembledText(const ptx::Assembled& assembled);

/// Whether a GPU might refuse a launch with `blockThreads` threads per block because of registers,
/// or might exhaust the stack: a function that was not inlined may be recursive.
[[nodiscard]] bool mayExceedGpu(const ptx::Assembled& assembled, uint32_t blockThreads);

/// Lowers each number in `fewest` to the number in `other`. A function that `other` does not
/// contain was inlined there and uses no stack.
void takeFewer(const ptx::Assembled& other, ptx::Assembled& fewest);

/// The log without the messages that assembledIn() reads.
[[nodiscard]] std::string withoutAssembled(std::string_view log);

/// Whether the log contains messages of ptxas, so that the front end found no error.
[[nodiscard]] bool isFromAssembler(std::string_view log);

/// Whether ptxas rejects the PTX itself: it reports a line of the PTX or an undefined function.
/// Messages about the whole kernel, such as too much shared memory or too few registers, and
/// exhausted memory do not count.
[[nodiscard]] bool isRefusedByAssembler(std::string_view log);

/// The message of ptxas about an exhausted resource, such as memory; empty if there is none.
[[nodiscard]] std::string shortageIn(std::string_view log);

/// The first message for which isRefusedByAssembler() holds, with the source line of its PTX line.
[[nodiscard]] Error assemblerError(std::string_view log, std::string_view ptx,
                                   const KernelSource& source);

}  // namespace tilestep::compile
