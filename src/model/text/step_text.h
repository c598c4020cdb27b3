// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/scene/traced_kernel.h"

namespace tilestep::model {

/// The work of one thread in a step, in words.
struct ThreadLine {
  uint32_t thread = 0;
  uint32_t warp = 0;
  std::string name;  ///< "(1, 0)": threadIdx.x, threadIdx.y
  std::string text;  ///< "M[0][5] → Mds[0][1]   N[4][1] → Nds[0][1]"
};

/// A step in words, the textual equivalent of the scene: one line for each active thread, sorted by
/// thread. A line is made when it is first requested, because a step may have 1,024 of them, of
/// which a panel shows only a few. Only one host thread may call.
class ThreadLines {
 public:
  /// `step` must not be null.
  explicit ThreadLines(std::shared_ptr<const TracedStep> step);
  [[nodiscard]] size_t size() const { return threads_.size(); }
  [[nodiscard]] bool empty() const { return threads_.empty(); }
  /// `index` < size().
  [[nodiscard]] const ThreadLine& operator[](size_t index) const;

 private:
  /// The indices of a list's entries, grouped by thread.
  class ByThread {
   public:
    void sort(const std::vector<uint32_t>& threads);
    [[nodiscard]] std::span<const uint32_t> of(uint32_t thread) const;

   private:
    std::vector<uint32_t>
        starts_;  ///< The start of each thread's group, followed by the end of the last group.
    std::vector<uint32_t> positions_;
  };
  friend class LineWriter;
  std::shared_ptr<const TracedStep> step_;
  ByThread loads_, reads_, sums_, stores_;  ///< Of the step's activity.
  std::vector<uint32_t> threads_;           ///< The active threads, ascending.
  mutable std::vector<std::optional<ThreadLine>> lines_;
};

[[nodiscard]] std::string joined(const std::vector<std::string>& parts,
                                 std::string_view between = " ");

/// The number of elements that the first index selects. 0 if the array has a single index, as does
/// a program's array without rows.
[[nodiscard]] uint64_t indexedColumns(const TracedKernel& side,
                                      const compile::ResolvedOperand& operand);
/// "M[2][5]" for a byte offset into operand `buffer`; "M[37]" if its rows are not known.
[[nodiscard]] std::string elementName(const TracedKernel& side, int16_t buffer, uint32_t offset);
/// "Mds[0][1]" for a byte offset into shared array `buffer`.
[[nodiscard]] std::string slotName(const TracedKernel& side, int16_t buffer, uint32_t offset,
                                   uint8_t width);

/// The value of an access as a number, decoded by its width and the kernel's element type.
[[nodiscard]] double valueOf(ElementType type, uint64_t bits);
/// The element type of the accumulators, which is that of the first operand that is written.
[[nodiscard]] ElementType outputType(const TracedKernel& side);

}  // namespace tilestep::model
