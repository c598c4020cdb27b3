// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <chrono>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "gfx/window.h"
#include "model/session.h"
#include "support/drawn_text.h"
#include "ui/shell/interface.h"

namespace tilestep::tests {

/// The program's whole window with a real worker, but with no display: its frames are made and
/// thrown away, and only their texts are looked at. Uses the known fonts (support/known_fonts.h).
class HeadlessWindow {
 public:
  /// `compiler`: nvrtc or clang.
  HeadlessWindow(model::SessionOptions options, const std::string& compiler, float width,
                 float height);
  ~HeadlessWindow();
  HeadlessWindow(const HeadlessWindow&) = delete;
  HeadlessWindow& operator=(const HeadlessWindow&) = delete;

  [[nodiscard]] model::Session& session() { return session_; }
  /// Seconds, by the window's own clock, which each frame moves on by as much.
  [[nodiscard]] double now() const { return now_; }
  /// The compiler in use, such as "nvrtc 13.0", or why there is none.
  [[nodiscard]] std::string compiler();

  /// Waits for the answer to all that was asked for, then makes a frame: frames are the same
  /// however long the worker takes. True while something in it moves by itself.
  bool frame();
  /// Nothing new has been shown for a second: what the window's own threads read and work out, such
  /// as a recording, has come.
  [[nodiscard]] bool isQuiet() const;
  /// As if the person had pressed it: a letter, or "space", "F5".
  void key(const std::string& name);
  /// Makes frames until all that is looked at has arrived, stands still, and `holds` of the
  /// window's state file; false when that never came.
  bool settle(const std::function<bool(const std::string& state)>& holds);
  /// Of the last frame. "(the compiler)" stands for the compiler's name and version.
  [[nodiscard]] std::vector<support::DrawnText> texts() const;

 private:
  void takeAnswers();
  void makeFonts();

  std::shared_ptr<std::set<uint64_t>> waiting_ = std::make_shared<std::set<uint64_t>>();
  float width_, height_;
  model::Session session_;
  ui::UiState state_;
  ui::Interface interface_{nullptr};
  ui::Fonts fonts_;
  float labelShare_ = 1;
  std::array<float, 2> fontsMadeFor_{};
  double now_ = 0;
  std::chrono::steady_clock::time_point changed_ = std::chrono::steady_clock::now();
};

}  // namespace tilestep::tests
