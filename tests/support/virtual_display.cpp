// SPDX-License-Identifier: Apache-2.0
#include "support/virtual_display.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

#include "support/skips.h"

namespace tilestep::support {
namespace {

bool installed(const std::string& program) {
  return Running({"sh", "-c", "command -v " + program}).wait().status == 0;
}

}  // namespace

VirtualDisplay::VirtualDisplay(int width, int height)
    : numberFile_(std::filesystem::temp_directory_path() /
                  ("tilestep-display-" + std::to_string(::getpid()))) {
  for (const char* program : {"Xvfb", "xdotool"}) {
    if (!installed(program)) why_ = because(kNoDisplay, std::string(program) + " is not installed");
  }
  if (!why_.empty()) return;
  // -r keeps keys from repeating if a busy machine holds them for long.
  const std::string screen = std::to_string(width) + "x" + std::to_string(height) + "x24";
  server_ =
      std::make_unique<Running>(Words{"sh", "-c",
                                      "exec Xvfb -displayfd 1 -screen 0 " + screen +
                                          " -r -nolisten tcp >" + numberFile_ + " 2>/dev/null"});
  for (int tries = 0; tries < 300 && number_.empty(); ++tries) {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    std::string line;
    std::ifstream file(numberFile_);
    if (std::getline(file, line) && !file.eof()) number_ = line;  // A whole line: Xvfb is ready.
  }
  if (!number_.empty()) return;
  why_ = "Xvfb is installed and did not start";
  ADD_FAILURE() << why_;
}

VirtualDisplay::~VirtualDisplay() {
  std::error_code ignored;
  std::filesystem::remove(numberFile_, ignored);
  if (!server_) return;
  server_->signal(SIGTERM);
  (void)server_->wait();
}

Words VirtualDisplay::environment() const {
  return {"DISPLAY=:" + number_, "LIBGL_ALWAYS_SOFTWARE=1"};
}

std::string VirtualDisplay::xdotool(Words words) const {
  words.insert(words.begin(), "xdotool");
  return Running(words, environment()).wait().out;
}

}  // namespace tilestep::support
