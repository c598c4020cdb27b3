// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "features/names.h"
#include "model/snapshot.h"

namespace tilestep::features {

struct ReportPicture {
  std::string title;
  std::vector<std::byte> png;
};

/// A self-contained HTML page: what the window shows, the figures with their origins, the pinned
/// runs, and the commands that reproduce them. `when` is the time in UTC, formatted for display.
[[nodiscard]] std::string reportHtml(const Snapshot& now,
                                     const std::vector<ReportPicture>& pictures,
                                     const std::string& when);

}  // namespace tilestep::features
