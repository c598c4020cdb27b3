// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "support/tool.h"
#include "support/virtual_display.h"

namespace tilestep::tests {

/// The program's window on a private display, seen through its state file (ui/shell/state_file.h)
/// and driven with keys and the pointer, as a person would.
class DrivenWindow {
 public:
  /// `lab`: it begins with all panels, and without the first minute.
  DrivenWindow(const support::Words& arguments, const support::Words& environment = {},
               int width = 1600, int height = 1000, bool lab = true);
  ~DrivenWindow();

  /// Empty when it can run here; else why not.
  [[nodiscard]] const std::string& unable() const { return display_.why(); }

  /// The newest state; an empty object before the first.
  [[nodiscard]] nlohmann::json state() const;
  /// Polls until `holds`; false when it never did. The limit is generous: it only ends a failure.
  [[nodiscard]] bool waitUntil(const std::function<bool(const nlohmann::json&)>& holds,
                               double limitSeconds = 120) const;
  /// Traces, counts and measurements for the present choice have all arrived.
  [[nodiscard]] bool settle() const;

  void key(const std::string& name) const;
  /// Types characters; "1e-3", "32".
  void type(const std::string& text) const;
  /// Moves the pointer there.
  void point(int x, int y) const;
  void click(int x, int y) const;
  void drag(int fromX, int fromY, int toX, int toY) const;
  /// Makes the window as large as that, in the display's upper left corner.
  void resize(int width, int height) const;
  /// Kills the worker process as a crash would.
  void killWorker() const;
  /// Asks the window to close, as the cross on its frame does, and waits until the program has
  /// ended. Returns its exit status.
  int close();

 private:
  support::VirtualDisplay display_;
  std::string folder_, stateFile_;
  std::unique_ptr<support::Running> program_;
};

/// The file that a notice names which says that a picture of the window was saved; empty where it
/// says something else. The window writes into the folder that this program runs in.
[[nodiscard]] std::string savedPicture(const std::string& notice);

}  // namespace tilestep::tests

/// Skips the test if the window cannot be opened.
#define NEEDS_DISPLAY(window) \
  if (!(window).unable().empty()) GTEST_SKIP() << (window).unable()
