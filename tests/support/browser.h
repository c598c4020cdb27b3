// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

#include "support/service.h"
#include "support/tool.h"

namespace tilestep::support {

/// Chromium without a window. If it is not installed, ok() is false, and why() is the reason for a
/// skipped test. If it is installed but does not start, the test fails.
class Browser {
 public:
  Browser();

  [[nodiscard]] bool ok() const { return why_.empty(); }
  [[nodiscard]] const std::string& why() const { return why_; }

  struct Seen {
    std::string dom;       ///< The document after its scripts have run.
    std::string messages;  ///< Console messages and script errors.
  };
  /// Opens a file; `fragment` is "#3" or empty.
  [[nodiscard]] Seen open(const std::filesystem::path& file, const std::string& fragment = {},
                          const Words& options = {}) const;

 private:
  std::string program_, why_;
  TemporaryFolder profile_{"browser"};
};

}  // namespace tilestep::support
