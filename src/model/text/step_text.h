// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/scene/traced_kernel.h"

namespace tilestep::model {

/// What one thread does in a step, in words: the textual equivalent of the scene.
struct ThreadLine {
  uint32_t thread = 0;
  uint32_t warp = 0;
  std::string name;  ///< "(1, 0)": threadIdx.x, threadIdx.y
  std::string text;  ///< "M[0][5] → Mds[0][1]   N[4][1] → Nds[0][1]"
};

/// One line for each thread that does anything, by thread number; at most `most` lines.
[[nodiscard]] std::vector<ThreadLine> threadLines(const TracedStep& step, size_t most);

/// The parts, separated by `between`.
[[nodiscard]] std::string joined(const std::vector<std::string>& parts,
                                 std::string_view between = " ");

/// "M[2][5]" for a byte offset into operand `buffer`; "M[37]" where its rows are not known.
[[nodiscard]] std::string elementName(const TracedKernel& side, int16_t buffer, uint32_t offset);
/// "Mds[0][1]" for a byte offset into shared array `buffer`.
[[nodiscard]] std::string slotName(const TracedKernel& side, int16_t buffer, uint32_t offset,
                                   uint8_t width);

/// The value of an access as a number, decoded by its width and the kernel's element type.
[[nodiscard]] double valueOf(ElementType type, uint64_t bits);
/// The element type of the accumulators: that of the first operand written.
[[nodiscard]] ElementType outputType(const TracedKernel& side);

}  // namespace tilestep::model
