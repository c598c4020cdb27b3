// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "gfx/camera.h"
#include "gfx/palette.h"

namespace tilestep::gfx {

/// Keys that have no character, and letters for shortcuts with Ctrl. Values are GLFW's, so a
/// printable key is its upper-case ASCII code on a US layout. For characters of the user's own
/// layout ('+', '?', 'f') use KeyEvent::text.
enum class Key : int {
  none = 0,
  space = 32,
  escape = 256,
  enter = 257,
  tab = 258,
  backspace = 259,
  insert = 260,
  remove = 261,
  right = 262,
  left = 263,
  down = 264,
  up = 265,
  pageUp = 266,
  pageDown = 267,
  home = 268,
  end = 269,
  f1 = 290,
  f2,
  f3,
  f4,
  f5,
  f6,
  f7,
  f8,
  f9,
  f10,
  f11,
  f12,
};
/// The Key of a letter or digit, as in `keyOf('Z')`.
[[nodiscard]] constexpr Key keyOf(char upperCase) {
  return static_cast<Key>(upperCase);
}

/// One key press (or its repeat), or one typed character. Pressing a printable key results in two
/// events: one with `key`, then one with `text`. Releases are not reported.
struct KeyEvent {
  Key key = Key::none;
  char32_t text = 0;  ///< The character typed; 0 for a key press.
  bool shift = false, control = false, alt = false;
  bool repeat = false;
};

struct WindowConfig {
  std::string title = "Tilestep";
  /// Screen coordinates. A visible window is smaller if the monitor's work area is.
  int width = 1600, height = 1000;
  bool grows = false;   ///< The size is for a standard display and is multiplied by dpiScale().
  bool visible = true;  ///< False for offscreen pictures, which need a display as well.
  bool vsync = true;
};

/// The one window: GLFW, an OpenGL 3.3 core context and Dear ImGui's context and backends.
/// Main thread only, except wake(). A frame:
///
///     window->waitEvents(moving ? 0 : 0.5);
///     window->beginFrame(palette.background);   // starts the ImGui frame
///     ... ImGui calls; renderer->draw(...) anywhere, as scenes are below all of ImGui ...
///     window->endFrame();                        // draws what changed, swaps if anything did
///
/// Fonts: add them to ImGui::GetIO().Fonts after open(), before the first beginFrame(), or later
/// between frames and then call fontsChanged().
class Window {
 public:
  /// Returns an error of one sentence if there is no display or no OpenGL 3.3.
  static Result<std::unique_ptr<Window>> open(const WindowConfig& config);
  ~Window();
  Window(const Window&) = delete;
  Window& operator=(const Window&) = delete;

  [[nodiscard]] bool shouldClose() const;
  void close();
  void setTitle(const std::string& title);

  /// Handles events. Waits up to `seconds` for an event; 0 does not wait.
  void waitEvents(double seconds);
  /// Ends the main thread's waitEvents(). From any thread.
  static void wake();

  void beginFrame(Color background);
  void endFrame();
  /// The same, and also writes the finished picture to a PNG file at framebuffer resolution,
  /// replacing an existing file (replaceFile).
  Status endFrame(const std::filesystem::path& file);

  [[nodiscard]] Result<std::string> png() const;
  /// The last finished frame as 8-bit RGBA rows at framebuffer resolution, top row first.
  [[nodiscard]] std::vector<uint8_t> picture() const;

  /// Key events since the last call, in order. They include keys that ImGui uses, so check
  /// ImGui::GetIO().WantTextInput before acting on them.
  [[nodiscard]] std::vector<KeyEvent> takeKeys();
  /// Paths of files dropped on the window since the last call.
  [[nodiscard]] std::vector<std::string> takeDrops();
  /// True if there was any event (mouse, key, resize, expose) since the last call. If so, draw a
  /// few frames.
  [[nodiscard]] bool takeActivity();

  /// The factor by which fonts and sizes must grow for this display: 1 on a standard display, 2 on
  /// a high-density display whose coordinates are pixels. Multiply it by the user's own scale. It
  /// is the desktop's content scale (on X11 from Xft.dpi); if that is 1, displayScale() determines
  /// it.
  [[nodiscard]] float dpiScale() const;
  /// Pixels per ImGui coordinate: 1 on X11 and Windows, 2 on a high-density Mac or Wayland display.
  [[nodiscard]] float framebufferScale() const;
  [[nodiscard]] int width() const;  ///< Screen coordinates.
  [[nodiscard]] int height() const;
  [[nodiscard]] int framebufferWidth() const;
  [[nodiscard]] int framebufferHeight() const;
  /// "Mesa, llvmpipe (LLVM 15.0.6, 256 bits), 4.5": for the help page and logs.
  [[nodiscard]] std::string rendererName() const;
  /// Call after changing the font atlas between frames.
  void fontsChanged();

 private:
  Window();
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace tilestep::gfx
