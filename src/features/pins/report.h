// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "model/snapshot.h"

namespace tilestep::model {

struct ReportPicture {
  std::string title;
  std::vector<std::byte> png;
};

/// A page of HTML that needs no other file: what the window shows, the figures with where they come
/// from, the pinned runs, and the commands that make them again. `when`: UTC, as it is to be read.
[[nodiscard]] std::string reportHtml(const Snapshot& now,
                                     const std::vector<ReportPicture>& pictures,
                                     const std::string& when);

/// RFC 4648, with padding.
[[nodiscard]] std::string base64(std::span<const std::byte> bytes);

}  // namespace tilestep::model
