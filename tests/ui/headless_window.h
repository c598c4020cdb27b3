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

/// Answers that have not come yet, and how many more may come.
struct Awaited {
  std::set<uint64_t> waiting, cancelled;
  std::optional<size_t> room;  ///< Nothing: all of them.
  bool pause = false;          ///< An answer came in this turn: no other one does.
};

struct HeadlessWishes {
  /// Compiles with this machine's compiler instead of using stored results
  /// (stored/stored_results.h).
  bool installedCompiler = false;
  /// Takes the worker's client and returns one in front of it, such as one that keeps a log.
  std::function<std::unique_ptr<worker::Client>(std::unique_ptr<worker::Client>)> wrap;
  bool motion = false;
};

/// How long a test waits for what must come. It only ends a hang.
constexpr std::chrono::minutes kPatience{15};

/// The program's whole window with a real worker, but with no display: its frames are made and
/// thrown away, and only their texts are looked at. Uses the known fonts (support/known_fonts.h).
class HeadlessWindow {
 public:
  /// The window begins as `options.saved` says, where there is one.
  HeadlessWindow(model::SessionOptions options, float width, float height,
                 HeadlessWishes wishes = {});
  ~HeadlessWindow();
  HeadlessWindow(const HeadlessWindow&) = delete;
  HeadlessWindow& operator=(const HeadlessWindow&) = delete;

  [[nodiscard]] model::Session& session() { return session_; }
  [[nodiscard]] ui::UiState& ui() { return state_; }
  /// The window's state file as it would be written now.
  [[nodiscard]] std::string state() const;
  /// Seconds, by the window's own clock, which each frame moves on by as much.
  [[nodiscard]] double now() const { return now_; }
  /// The scenes of the last frame.
  [[nodiscard]] std::vector<gfx::SceneCall> scenes() const { return interface_.scenes(); }
  /// The next frame has this size.
  void resize(float width, float height) {
    width_ = width;
    height_ = height;
  }
  /// The compiler in use, such as "nvrtc 13.0", or why there is none.
  [[nodiscard]] std::string compiler();

  /// Waits for the answer to all that was asked for, then makes a frame: frames are the same
  /// however long the worker takes. True while something in it moves by itself.
  bool frame();
  /// Lets so many answers come, of requests that were not cancelled, and sends what follows them;
  /// all else stays unanswered until the next frame. False where they never came.
  bool takeSome(size_t answers);
  /// Waits without frames until the window is quiet; false where something new was shown first.
  /// Fails the test where that takes longer than kPatience.
  bool staysQuiet();
  /// All that the window's own threads read and work out, such as a recording, has come: they
  /// sleep, and nothing new was shown in the last turns.
  [[nodiscard]] bool isQuiet() const { return quietTurns_ >= kQuietTurns; }
  /// As if the person had pressed it (ui/key_names.h): "t", "space", "F5", "ctrl+z".
  void key(const std::string& name);
  /// Makes frames until everything has arrived, nothing moves, and `holds` is true for the window's
  /// state file. False if that never happens.
  bool settle(const std::function<bool(const std::string& state)>& holds);
  /// The texts of the last frame.
  [[nodiscard]] std::vector<support::DrawnText> texts() const;

 private:
  /// Fails the test where they do not come.
  void takeAnswers();
  void makeFonts();
  /// A turn of the window's loop without a frame. Whether something new was shown.
  bool poll();

  /// Other tests of the program run without it.
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
  int quietTurns_ = 0;  ///< In a row.
};

}  // namespace tilestep::tests
