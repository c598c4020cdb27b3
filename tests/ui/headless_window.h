// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "gfx/window.h"
#include "model/session.h"
#include "support/drawn_text.h"
#include "support/environment.h"
#include "ui/shell/appearances.h"
#include "ui/shell/interface.h"

namespace tilestep::tests {

/// Requests without an answer, and the number of answers that may still be accepted.
struct Awaited {
  std::set<uint64_t> waiting, cancelled;
  std::optional<size_t> room;  ///< All answers are accepted if absent.
  bool pause = false;          ///< An answer was accepted in this turn, so no other is.
};

struct HeadlessWishes {
  /// Compiles with this machine's compiler instead of using stored results
  /// (stored/stored_results.h).
  bool installedCompiler = false;
  /// Wraps the worker's client, for example in one that keeps a log.
  std::function<std::unique_ptr<worker::Client>(std::unique_ptr<worker::Client>)> wrap;
  bool motion = false;
};

/// The time limit of each wait; it only ends a hang.
constexpr std::chrono::minutes kPatience{15};

/// The program's whole window with a real worker, but without a display. Its frames are made and
/// discarded; only their texts are read. Uses the known fonts (support/known_fonts.h).
class HeadlessWindow {
 public:
  /// The window begins in the state `options.saved`, if there is one.
  HeadlessWindow(model::SessionOptions options, float width, float height,
                 HeadlessWishes wishes = {});
  ~HeadlessWindow();
  HeadlessWindow(const HeadlessWindow&) = delete;
  HeadlessWindow& operator=(const HeadlessWindow&) = delete;

  [[nodiscard]] model::Session& session() { return session_; }
  [[nodiscard]] ui::UiState& ui() { return state_; }
  /// The window's state file, as it would be written now.
  [[nodiscard]] std::string state() const;
  /// Seconds of the window's own clock, which advances by a fixed step per frame.
  [[nodiscard]] double now() const { return now_; }
  /// The scenes of the last frame.
  [[nodiscard]] std::vector<gfx::SceneCall> scenes() const { return interface_.scenes(); }
  /// Sets the size of the next frame.
  void resize(float width, float height) {
    width_ = width;
    height_ = height;
  }
  /// The compiler in use, such as "nvrtc 13.0", or why there is none.
  [[nodiscard]] std::string compiler();

  /// Waits for the answers to all requests, then makes a frame. So frames do not depend on the
  /// worker's speed. Returns true while something in the frame moves by itself.
  bool frame();
  /// Accepts this many answers to requests that were not cancelled, and sends the requests that
  /// follow; all other requests stay unanswered until the next frame. Returns false if the answers
  /// never came.
  bool takeSome(size_t answers);
  /// Waits without frames until the window is quiet. Returns false if something new was shown
  /// first. Fails the test after kPatience.
  bool staysQuiet();
  /// Whether all results of the window's own threads, such as a recording, have arrived: the
  /// threads sleep, and nothing new was shown in the last turns.
  [[nodiscard]] bool isQuiet() const { return quietTurns_ >= kQuietTurns; }
  /// Presses a key (ui/key_names.h): "t", "space", "F5", "ctrl+z".
  void key(const std::string& name);
  /// Makes frames until everything has arrived, nothing moves, and `holds` is true for the window's
  /// state file. Returns false if that never happens.
  bool settle(const std::function<bool(const std::string& state)>& holds);
  /// The texts of the last frame.
  [[nodiscard]] std::vector<support::DrawnText> texts() const;

 private:
  /// Fails the test if the answers do not come.
  void takeAnswers();
  void makeFonts();
  /// Runs the window's loop once without a frame. Returns whether something new was shown.
  bool poll();

  /// Restored at the end, because other tests of the program run without this environment.
  std::vector<std::unique_ptr<support::Environment>> environment_;
  std::shared_ptr<Awaited> awaited_ = std::make_shared<Awaited>();
  float width_, height_;
  model::Session session_;
  ui::UiState state_;
  ui::Interface interface_{nullptr};
  ui::Fonts fonts_;
  ui::TypeSize fontsMadeFor_{0, 0};
  double now_ = 0;
  static constexpr int kQuietTurns = 12;
  int quietTurns_ = 0;  ///< Consecutive quiet turns.
};

}  // namespace tilestep::tests
