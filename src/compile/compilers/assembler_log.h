// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"
#include "compile/kernel.h"
#include "ptx/assembled.h"

/// What ptxas says in the log of NVRTC, whose front end it comes after.
namespace tilestep::compile {

/// Its messages with -v, "Used 25 registers" and "72 bytes stack frame", by function. Takes any
/// text: of two messages of one function the last one counts, which is ptxas' own.
[[nodiscard]] ptx::Assembled assembledIn(std::string_view log);

/// Those messages for these functions, as ptxas writes them.
[[nodiscard]] std::string assembledText(const ptx::Assembled& assembled);

/// Whether a launch with so many threads a block may not run for it: a block has 64 Ki registers,
/// and a function that is called, and not inlined, may call itself.
[[nodiscard]] bool mayBeTooMuch(const ptx::Assembled& assembled, uint32_t blockThreads);

/// Takes from `other` what is less. A function that it lacks was inlined there, and takes no stack.
void takeFewer(const ptx::Assembled& other, ptx::Assembled& fewest);

/// The log without those messages.
[[nodiscard]] std::string withoutAssembled(std::string_view log);

/// Whether ptxas was reached: the front end has found no error.
[[nodiscard]] bool isFromAssembler(std::string_view log);

/// Whether ptxas said what it refuses.
[[nodiscard]] bool isRefusedByAssembler(std::string_view log);

/// Its first error, at the line of the source that `ptx`, which it refused, names there. Where
/// ptxas could not go on for a reason of its own, such as a lack of memory, an error without a
/// place.
[[nodiscard]] Error assemblerError(std::string_view log, std::string_view ptx,
                                   const KernelSource& source);

}  // namespace tilestep::compile
