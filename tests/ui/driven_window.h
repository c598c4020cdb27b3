// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "support/tool.h"
#include "support/virtual_display.h"

namespace tilestep::tests {

/// The program's window on a private display, observed through its state file
/// (ui/shell/state_file.h) and operated with keys and the pointer, as by a user.
class DrivenWindow {
 public:
  /// `lab`: begins with all panels, and without the first minute.
  DrivenWindow(const support::Words& arguments, const support::Words& environment = {},
               int width = 1600, int height = 1000, bool lab = true);
  ~DrivenWindow();

  /// Why the window cannot run here; empty if it can.
  [[nodiscard]] const std::string& unable() const { return display_.why(); }

  /// The newest state; an empty object before the first state.
  [[nodiscard]] nlohmann::json state() const;
  /// Polls until `holds` is true. Returns false if that never happens; the limit is long, because
  /// it only ends a failure.
  [[nodiscard]] bool waitUntil(const std::function<bool(const nlohmann::json&)>& holds,
                               double limitSeconds = 120) const;
  /// Waits until traces, counts and measurements for the current choice have all arrived.
  [[nodiscard]] bool settle() const;

  void key(const std::string& name) const;
  /// Types characters; "1e-3", "32".
  void type(const std::string& text) const;
  /// Moves the pointer to this position.
  void point(int x, int y) const;
  void click(int x, int y) const;
  void drag(int fromX, int fromY, int toX, int toY) const;
  /// Resizes the window, in the display's upper left corner.
  void resize(int width, int height) const;
  /// Kills the worker process as a crash would.
  void killWorker() const;
  /// Requests that the window close, like the close button on its frame, and waits until the
  /// program has ended. Returns its exit status.
  int close();

 private:
  support::VirtualDisplay display_;
  std::string folder_, stateFile_;
  std::unique_ptr<support::Running> program_;
};

/// The file in a notice about a saved picture of the window; empty for any other notice. The window
/// writes to this program's working folder.
[[nodiscard]] std::string savedPicture(const std::string& notice);

}  // namespace tilestep::tests

/// Skips the test if the window cannot be opened.
#define NEEDS_DISPLAY(window) \
  if (!(window).unable().empty()) GTEST_SKIP() << (window).unable()
