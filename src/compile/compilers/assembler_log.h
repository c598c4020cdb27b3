// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"
#include "compile/kernel.h"
#include "ptx/assembled.h"

/// The messages of ptxas in the log of NVRTC.
namespace tilestep::compile {

/// Its messages with -v, "Used 25 registers" and "72 bytes stack frame", by function. Takes any
/// text: of two messages of one function the last one counts, which is ptxas' own.
[[nodiscard]] ptx::Assembled assembledIn(std::string_view log);

/// Those messages for these functions, as ptxas writes them.
[[nodiscard]] std::string assembledText(const ptx::Assembled& assembled);

/// Whether some GPU might refuse a launch with `blockThreads` threads per block for the kernel's
/// registers, or might run out of stack: a function that is called, and not inlined, may call
/// itself.
[[nodiscard]] bool mayExceedGpu(const ptx::Assembled& assembled, uint32_t blockThreads);

/// Lowers each number of `fewest` to that of `other`. A function that `other` lacks was inlined
/// there, and takes no stack.
void takeFewer(const ptx::Assembled& other, ptx::Assembled& fewest);

/// The log without those messages.
[[nodiscard]] std::string withoutAssembled(std::string_view log);

/// Whether ptxas was reached: the front end has found no error.
[[nodiscard]] bool isFromAssembler(std::string_view log);

/// Whether ptxas refuses the text itself: it names a line of the PTX, or a function that is defined
/// nowhere. What it says of the whole, such as too much shared memory or too few registers, and a
/// lack of memory are no such refusal.
[[nodiscard]] bool isRefusedByAssembler(std::string_view log);

/// The message of ptxas about an exhausted resource, such as memory; empty: none.
[[nodiscard]] std::string shortageIn(std::string_view log);

/// The first such refusal, at the line of the source that `ptx`, which was refused, names there.
[[nodiscard]] Error assemblerError(std::string_view log, std::string_view ptx,
                                   const KernelSource& source);

}  // namespace tilestep::compile
