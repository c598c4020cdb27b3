// SPDX-License-Identifier: Apache-2.0
#include "ui/driven_window.h"

#include <signal.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <thread>

#include "ui/ask_to_close.h"

namespace tilestep::tests {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

void pause(int milliseconds) {
  std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
}

}  // namespace

DrivenWindow::DrivenWindow(const support::Words& arguments, const support::Words& environment,
                           int width, int height, bool lab)
    : display_(width, height) {
  if (!display_.ok()) return;
  std::string pattern = (fs::temp_directory_path() / "tilestep-window-XXXXXX").string();
  folder_ = ::mkdtemp(pattern.data());
  stateFile_ = folder_ + "/state.json";
  support::Words words = support::tilestepWords(arguments);
  words.insert(words.end(), {"--state-file", stateFile_});
  if (lab) words.push_back("--lab");
  support::Words all = support::tilestepEnvironment(display_.environment());
  all.push_back("XDG_CONFIG_HOME=" + folder_);
  all.push_back("XDG_STATE_HOME=" + folder_);
  all.insert(all.end(), environment.begin(), environment.end());
  program_ = std::make_unique<support::Running>(words, all);
  (void)waitUntil([](const json& state) { return state.contains("window"); });
  // Without a window manager, keys go to the window under the pointer.
  (void)display_.xdotool({"mousemove", std::to_string(width / 2), std::to_string(height / 2)});
}

DrivenWindow::~DrivenWindow() {
  if (program_) {
    program_->signal(SIGTERM);
    (void)program_->wait();
  }
  std::error_code ignored;
  if (!folder_.empty()) fs::remove_all(folder_, ignored);
}

json DrivenWindow::state() const {
  std::ifstream file(stateFile_);
  json read = json::parse(file, nullptr, false);
  return read.is_object() ? read : json::object();
}

bool DrivenWindow::waitUntil(const std::function<bool(const json&)>& holds,
                             double limitSeconds) const {
  const auto start = std::chrono::steady_clock::now();
  const std::chrono::duration<double> limit(limitSeconds);
  while (std::chrono::steady_clock::now() - start < limit) {
    const json now = state();
    if (!now.empty() && holds(now)) return true;
    pause(50);
  }
  return false;
}

bool DrivenWindow::settle() const {
  return waitUntil([](const json& state) {
    const json& busy = state.at("busy");
    const json& scene = state.at("scenes").at("main");
    return scene.is_object() && !scene.at("stale").get<bool>() && !busy.at("scene").get<bool>() &&
           !busy.at("measure").get<bool>() && !busy.at("count").get<bool>();
  });
}

void DrivenWindow::key(const std::string& name) const {
  // Held for some frames of a busy machine, because keyboard navigation checks at each frame which
  // keys are down, and would miss a shorter press.
  (void)display_.xdotool({"key", "--delay", "160", name});
}

void DrivenWindow::type(const std::string& text) const {
  (void)display_.xdotool({"type", "--delay", "40", text});
}

void DrivenWindow::point(int x, int y) const {
  (void)display_.xdotool({"mousemove", std::to_string(x), std::to_string(y)});
}

void DrivenWindow::resize(int width, int height) const {
  const std::string wide = std::to_string(width), high = std::to_string(height);
  (void)display_.xdotool({"search", "--onlyvisible", "--name", "Tilestep", "windowmove", "0", "0",
                          "windowsize", wide, high});
  (void)waitUntil([&](const json& state) {
    return state.contains("window") && state.at("window") == json({width, height});
  });
}

void DrivenWindow::click(int x, int y) const {
  point(x, y);
  pause(100);
  (void)display_.xdotool({"mousedown", "1"});
  pause(100);
  (void)display_.xdotool({"mouseup", "1"});
}

void DrivenWindow::drag(int fromX, int fromY, int toX, int toY) const {
  (void)display_.xdotool({"mousemove", std::to_string(fromX), std::to_string(fromY)});
  pause(100);
  (void)display_.xdotool({"mousedown", "1"});
  for (int i = 1; i <= 10; ++i) {
    const int x = fromX + (toX - fromX) * i / 10, y = fromY + (toY - fromY) * i / 10;
    (void)display_.xdotool({"mousemove", std::to_string(x), std::to_string(y)});
    pause(30);
  }
  (void)display_.xdotool({"mouseup", "1"});
}

void DrivenWindow::killWorker() const {
  // The worker is the window's only child.
  const std::string parent = std::to_string(program_->id());
  (void)support::Running({"pkill", "-KILL", "-P", parent}).wait();
}

int DrivenWindow::close() {
  const std::string found = display_.xdotool({"search", "--onlyvisible", "--name", "Tilestep"});
  const std::string display = display_.environment().front();
  askToClose(display.substr(display.find('=') + 1), std::strtoul(found.c_str(), nullptr, 10));
  return program_->wait().status;
}

std::string savedPicture(const std::string& notice) {
  const std::string start = "Picture saved as ";
  if (!notice.starts_with(start)) return {};
  return notice.substr(start.size(), notice.find(", in the folder") - start.size());
}

}  // namespace tilestep::tests
