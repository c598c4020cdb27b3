// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <sys/types.h>
#include <vector>

namespace tilestep::support {

/// Runs a program to its end; its standard output. Empty when it cannot be started.
std::string outputOf(const std::vector<std::string>& words);

/// A private Xvfb on a free display; ends with the object. `ok()` is false where Xvfb or xdotool is
/// missing, and `why()` says so: tests then skip.
class VirtualDisplay {
 public:
  VirtualDisplay(int width, int height);
  ~VirtualDisplay();
  VirtualDisplay(const VirtualDisplay&) = delete;
  VirtualDisplay& operator=(const VirtualDisplay&) = delete;

  [[nodiscard]] bool ok() const { return why_.empty(); }
  [[nodiscard]] const std::string& why() const { return why_; }
  [[nodiscard]] std::string name() const { return ":" + number_; }

 private:
  pid_t server_ = -1;
  std::string number_;
  std::string why_;
};

/// A program started on a display; ended with the object.
class Program {
 public:
  Program(const VirtualDisplay& display, std::vector<std::string> words,
          const std::vector<std::string>& environment = {});
  ~Program();
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  [[nodiscard]] bool running();
  /// Waits for its end; the exit status, or -1 after `seconds` or when a signal ended it.
  int waitForEnd(double seconds);

 private:
  pid_t pid_ = -1;
  int status_ = -1;
  bool ended_ = false;
};

/// xdotool with DISPLAY set; its output.
std::string xdotool(const VirtualDisplay& display, std::vector<std::string> words);

}  // namespace tilestep::support
