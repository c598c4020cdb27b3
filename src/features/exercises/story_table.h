// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "features/exercises/element_story.h"
#include "features/names.h"
#include "model/export/table.h"

namespace tilestep::features {

/// The elements of the open exercise's output with their expected values.
[[nodiscard]] Table exerciseTable(const Snapshot& now, const TableOptions& options);
/// The values read by the thread that stored the chosen element.
[[nodiscard]] Table originTable(const Snapshot& now, const TableOptions& options);

/// "P[0][5] should be 3.5. Thread (5, 0) stored 2.25 at line 7, after 1 barrier."
[[nodiscard]] std::string storyText(const TracedKernel& kernel, const ElementStory& story);
/// A remark on a read, shown beside its value; may be empty.
[[nodiscard]] std::string remarkOf(const TracedKernel& kernel, const ElementStory& story,
                                   const StoryRead& read);

}  // namespace tilestep::features
