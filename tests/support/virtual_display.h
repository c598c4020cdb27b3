// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "support/tool.h"

namespace tilestep::support {

/// A private Xvfb on a free display; it ends with the object. If Xvfb or xdotool is missing, ok()
/// is false, and why() is the reason for a skipped test. If they are installed but Xvfb does not
/// start, the test fails.
class VirtualDisplay {
 public:
  VirtualDisplay(int width, int height);
  ~VirtualDisplay();

  [[nodiscard]] bool ok() const { return why_.empty(); }
  [[nodiscard]] const std::string& why() const { return why_; }
  /// NAME=VALUE for programs that should open their windows on this display, with software OpenGL.
  [[nodiscard]] Words environment() const;
  /// Runs xdotool on this display. Returns its output.
  [[nodiscard]] std::string xdotool(Words words) const;

 private:
  std::string numberFile_, number_, why_;
  std::unique_ptr<Running> server_;
};

}  // namespace tilestep::support
