// SPDX-License-Identifier: Apache-2.0
#include "gfx/window.h"

#define GLFW_INCLUDE_NONE  // epoxy declares OpenGL
#include <GLFW/glfw3.h>
#include <epoxy/gl.h>
#include <imgui.h>

#if __has_include(<backends/imgui_impl_glfw.h>)
#include <backends/imgui_impl_glfw.h>
#include <backends/imgui_impl_opengl3.h>
#else  // some packages keep the backends beside imgui.h
#include <imgui_impl_glfw.h>
#include <imgui_impl_opengl3.h>
#endif

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "base/files.h"
#include "gfx/canvas.h"
#include "gfx/display_scale.h"
#include "gfx/png.h"

namespace tilestep::gfx {
namespace {

std::string glText(GLenum name) {
  const auto* text = reinterpret_cast<const char*>(glGetString(name));
  return text != nullptr ? text : "unknown";
}

/// Returns GLFW's message for its last error, and clears it.
std::string glfwReason() {
  const char* text = nullptr;
  glfwGetError(&text);
  return text != nullptr ? text : "no reason given";
}

/// Checked here because libraries below GLFW would print their own message on standard error.
bool displayIsNamed() {
  for (const char* name : {"DISPLAY", "WAYLAND_DISPLAY"}) {
    const char* value = std::getenv(name);
    if (value != nullptr && *value != '\0') return true;
  }
  return false;
}

Error noDisplay(const std::string& reason) {
  return requestError("No display can be opened (" + reason +
                      "); set DISPLAY or WAYLAND_DISPLAY, or use a command such as 'tilestep run', "
                      "which needs none.");
}

Error noOpenGl() {
  return requestError("No OpenGL 3.3 window can be opened (" + glfwReason() +
                      "); install a newer graphics driver, or set LIBGL_ALWAYS_SOFTWARE=1 to draw "
                      "on the CPU.");
}

void askForContext(const WindowConfig& config) {
  glfwDefaultWindowHints();
  glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
  glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
  glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
  glfwWindowHint(GLFW_DEPTH_BITS, 0);
  glfwWindowHint(GLFW_STENCIL_BITS, 0);
  glfwWindowHint(GLFW_SCALE_TO_MONITOR, config.grows ? GLFW_TRUE : GLFW_FALSE);
  glfwWindowHint(GLFW_VISIBLE, config.visible ? GLFW_TRUE : GLFW_FALSE);
  // The desktop uses this name to find the window's entry and icon (packaging/tilestep.desktop).
  glfwWindowHintString(GLFW_X11_CLASS_NAME, "tilestep");
  glfwWindowHintString(GLFW_X11_INSTANCE_NAME, "tilestep");
#ifdef GLFW_WAYLAND_APP_ID
  glfwWindowHintString(GLFW_WAYLAND_APP_ID, "tilestep");
#endif
}

struct Extent {
  int width = 0, height = 0;
};

/// The area that the desktop leaves free for windows, or `otherwise` if it is unknown.
Extent workArea(Extent otherwise) {
  GLFWmonitor* monitor = glfwGetPrimaryMonitor();
  int x = 0, y = 0;
  Extent area;
  if (monitor != nullptr) glfwGetMonitorWorkarea(monitor, &x, &y, &area.width, &area.height);
  return area.width > 0 && area.height > 0 ? area : otherwise;
}

Extent smaller(Extent a, Extent b) {
  return {std::max(1, std::min(a.width, b.width)), std::max(1, std::min(a.height, b.height))};
}

/// The monitor that shows the window's middle, otherwise the primary one; null if there is none.
GLFWmonitor* monitorOf(GLFWwindow* window) {
  int x = 0, y = 0, width = 0, height = 0, count = 0;
  glfwGetWindowPos(window, &x, &y);
  glfwGetWindowSize(window, &width, &height);
  GLFWmonitor** monitors = glfwGetMonitors(&count);
  for (int i = 0; i < count; ++i) {
    int left = 0, top = 0;
    glfwGetMonitorPos(monitors[i], &left, &top);
    const GLFWvidmode* mode = glfwGetVideoMode(monitors[i]);
    const int right = x + width / 2 - left, down = y + height / 2 - top;
    if (mode != nullptr && right >= 0 && down >= 0 && right < mode->width && down < mode->height)
      return monitors[i];
  }
  return glfwGetPrimaryMonitor();
}

Display displayOf(GLFWmonitor* monitor) {
  Display display;
  if (monitor == nullptr) return display;
  glfwGetMonitorContentScale(monitor, &display.contentScale, nullptr);
  if (const GLFWvidmode* mode = glfwGetVideoMode(monitor)) {
    display.width = mode->width;
    display.height = mode->height;
  }
  glfwGetMonitorPhysicalSize(monitor, &display.widthMm, &display.heightMm);
  return display;
}

/// The initial size in screen coordinates. If coordinates are pixels, GLFW itself multiplies the
/// size by the content scale (GLFW_SCALE_TO_MONITOR).
Extent openingSize(const WindowConfig& config, Extent area) {
  if (!config.grows) return smaller({config.width, config.height}, area);
  const Display display = displayOf(glfwGetPrimaryMonitor());
  const float byGlfw = display.contentScale;
  const float byUs = byGlfw == 1 ? displayScale(display) : 1;
  const auto times = [](Extent size, float factor) {
    return Extent{int(float(size.width) * factor), int(float(size.height) * factor)};
  };
  return smaller(times({config.width, config.height}, byUs), times(area, 1 / byGlfw));
}

/// The sizes of the frame and title bar are known only after the window has been opened.
void fitWithFrame(GLFWwindow* window, Extent area) {
  int left = 0, top = 0, right = 0, bottom = 0;
  glfwGetWindowFrameSize(window, &left, &top, &right, &bottom);
  Extent now;
  glfwGetWindowSize(window, &now.width, &now.height);
  const Extent fits = smaller(now, {area.width - left - right, area.height - top - bottom});
  if (fits.width != now.width || fits.height != now.height)
    glfwSetWindowSize(window, fits.width, fits.height);
}

}  // namespace

/// The state that GLFW's callbacks fill, found through the window's user pointer.
struct Window::State {
  GLFWwindow* window = nullptr;
  bool backendGlfw = false, backendGl = false;
  bool activity = true;
  bool exposed = true;     ///< The window lost its picture.
  float displayScale = 1;  ///< Scale of the monitor that shows the window.
  bool keepsBack = false;  ///< The back buffer is preserved across a swap.
  Extent size, pixels;     ///< In screen coordinates, and of the framebuffer.
  Color background;
  std::unique_ptr<Canvas> canvas;
  std::vector<KeyEvent> keys;
  std::vector<std::string> drops;
  GLFWkeyfun passOn = nullptr;  ///< ImGui's callback. It first calls the callback of this file.
  bool tabPassedOn = false;  ///< ImGui is receiving Tab as an arrow key, which the program ignores.
  /// The arrow key that was sent instead of Tab and will be released, even if Shift has changed; 0
  /// if none.
  int arrow = 0;

  static State& of(GLFWwindow* window) {
    State& state = *static_cast<State*>(glfwGetWindowUserPointer(window));
    state.activity = true;
    return state;
  }
  static void onKey(GLFWwindow* window, int key, int, int action, int mods) {
    State& state = of(window);
    if (action == GLFW_RELEASE || key == GLFW_KEY_UNKNOWN || state.tabPassedOn) return;
    state.keys.push_back({.key = static_cast<Key>(key == GLFW_KEY_KP_ENTER ? GLFW_KEY_ENTER : key),
                          .shift = (mods & GLFW_MOD_SHIFT) != 0,
                          .control = (mods & GLFW_MOD_CONTROL) != 0,
                          .alt = (mods & GLFW_MOD_ALT) != 0,
                          .repeat = action == GLFW_REPEAT});
  }
  /// ImGui passes Tab only to text fields. Outside of them, Tab is passed on as an arrow key, so
  /// that it reaches every control.
  static void beforeImGui(GLFWwindow* window, int key, int code, int action, int mods) {
    State& state = of(window);
    const bool begins =
        action != GLFW_RELEASE && (mods & GLFW_MOD_CONTROL) == 0 && !ImGui::GetIO().WantTextInput;
    if (key != GLFW_KEY_TAB || (state.arrow == 0 && !begins))
      return state.passOn(window, key, code, action, mods);
    onKey(window, key, code, action, mods);
    if (state.arrow == 0) state.arrow = (mods & GLFW_MOD_SHIFT) != 0 ? GLFW_KEY_UP : GLFW_KEY_DOWN;
    state.tabPassedOn = true;
    state.passOn(window, state.arrow, glfwGetKeyScancode(state.arrow), action,
                 mods & ~GLFW_MOD_SHIFT);
    state.tabPassedOn = false;
    if (action == GLFW_RELEASE) state.arrow = 0;
  }
  static void onChar(GLFWwindow* window, unsigned text) {
    of(window).keys.push_back({.text = static_cast<char32_t>(text)});
  }
  static void onDrop(GLFWwindow* window, int count, const char** paths) {
    State& state = of(window);
    for (int i = 0; i < count; ++i) state.drops.emplace_back(paths[i]);
  }
  /// A query takes a round trip to the display server, so it is made only if no callback reports
  /// the sizes.
  void askSizes() {
    glfwGetWindowSize(window, &size.width, &size.height);
    glfwGetFramebufferSize(window, &pixels.width, &pixels.height);
  }
  void askDisplay() { displayScale = gfx::displayScale(displayOf(monitorOf(window))); }
  void followDisplay() {
    askDisplay();
    glfwSetWindowPosCallback(window, [](GLFWwindow* w, int, int) { of(w).askDisplay(); });
    glfwSetWindowContentScaleCallback(window,
                                      [](GLFWwindow* w, float, float) { of(w).askDisplay(); });
  }
  void installCallbacks() {
    glfwSetWindowUserPointer(window, this);
    glfwSetKeyCallback(window, onKey);
    glfwSetCharCallback(window, onChar);
    glfwSetDropCallback(window, onDrop);
    glfwSetCursorPosCallback(window, [](GLFWwindow* w, double, double) { of(w); });
    glfwSetCursorEnterCallback(window, [](GLFWwindow* w, int) { of(w); });
    glfwSetMouseButtonCallback(window, [](GLFWwindow* w, int, int, int) { of(w); });
    glfwSetScrollCallback(window, [](GLFWwindow* w, double, double) { of(w); });
    glfwSetFramebufferSizeCallback(window, [](GLFWwindow* w, int width, int height) {
      of(w).pixels = {width, height};
    });
    glfwSetWindowSizeCallback(window, [](GLFWwindow* w, int width, int height) {
      of(w).size = {width, height};
    });
    glfwSetWindowRefreshCallback(window, [](GLFWwindow* w) { of(w).exposed = true; });
    glfwSetWindowFocusCallback(window, [](GLFWwindow* w, int) { of(w); });
    glfwSetWindowCloseCallback(window, [](GLFWwindow* w) { of(w); });
  }
};

Window::Window() : state_(std::make_unique<State>()) {}

Result<std::unique_ptr<Window>> Window::open(const WindowConfig& config) {
  if (!displayIsNamed()) return noDisplay("neither DISPLAY nor WAYLAND_DISPLAY is set");
  if (glfwInit() != GLFW_TRUE) return noDisplay(glfwReason());
  std::unique_ptr<Window> self(new Window());
  State& state = *self->state_;
  askForContext(config);
  const Extent area = workArea({config.width, config.height});
  const Extent size =
      config.visible ? openingSize(config, area) : Extent{config.width, config.height};
  state.window = glfwCreateWindow(size.width, size.height, config.title.c_str(), nullptr, nullptr);
  if (state.window == nullptr) return noOpenGl();
  if (config.visible) fitWithFrame(state.window, area);
  glfwMakeContextCurrent(state.window);
  if (epoxy_gl_version() < 33) return noOpenGl();
  glfwSwapInterval(config.vsync ? 1 : 0);

  IMGUI_CHECKVERSION();
  ImGui::CreateContext();
  ImGui::GetIO().IniFilename = nullptr;  // The session saves the layout, not ImGui.
  ImGui::GetIO().LogFilename = nullptr;
  state.installCallbacks();
  state.askSizes();
  if (config.visible)
    state.followDisplay();
  else
    state.displayScale = self->framebufferScale();  // Pictures are the same on every display.
  // ImGui's backend calls the callbacks that are already installed, so the callbacks of this file
  // run first.
  state.backendGlfw = ImGui_ImplGlfw_InitForOpenGL(state.window, true);
  state.backendGl = ImGui_ImplOpenGL3_Init("#version 330 core");
  if (!state.backendGlfw || !state.backendGl) return noOpenGl();
  state.passOn = glfwSetKeyCallback(state.window, State::beforeImGui);
  state.canvas = std::make_unique<Canvas>();
  // Mesa's software drivers copy the back buffer to the window instead of swapping. With them,
  // copying the whole picture takes as long as drawing a scene.
  const std::string driver = glText(GL_RENDERER);
  state.keepsBack = driver.starts_with("llvmpipe") || driver.starts_with("softpipe");
  return self;
}

Window::~Window() {
  state_->canvas.reset();
  if (state_->backendGl) ImGui_ImplOpenGL3_Shutdown();
  if (state_->backendGlfw) ImGui_ImplGlfw_Shutdown();
  if (ImGui::GetCurrentContext() != nullptr) ImGui::DestroyContext();
  if (state_->window != nullptr) glfwDestroyWindow(state_->window);
  glfwTerminate();
}

bool Window::shouldClose() const {
  return glfwWindowShouldClose(state_->window) != 0;
}
void Window::close() {
  glfwSetWindowShouldClose(state_->window, GLFW_TRUE);
}
void Window::setTitle(const std::string& title) {
  glfwSetWindowTitle(state_->window, title.c_str());
}

void Window::waitEvents(double seconds) {
  if (seconds > 0)
    glfwWaitEventsTimeout(seconds);
  else
    glfwPollEvents();
}

void Window::wake() {
  glfwPostEmptyEvent();
}

void Window::beginFrame(Color background) {
  state_->background = background;
  ImGui_ImplOpenGL3_NewFrame();
  ImGui_ImplGlfw_NewFrame();
  // The backend has just queried the sizes; the whole frame uses the same ones.
  const ImGuiIO& io = ImGui::GetIO();
  state_->size = {int(io.DisplaySize.x), int(io.DisplaySize.y)};
  if (state_->size.width > 0)
    state_->pixels = {int(io.DisplaySize.x * io.DisplayFramebufferScale.x),
                      int(io.DisplaySize.y * io.DisplayFramebufferScale.y)};
  ImGui::NewFrame();
}

void Window::endFrame() {
  ImGui::Render();
  const bool drawn = state_->canvas->draw(*ImGui::GetDrawData(), state_->background);
  if (!drawn && !state_->exposed) return;
  state_->canvas->present(!state_->keepsBack || state_->exposed);
  state_->exposed = false;
  glfwSwapBuffers(state_->window);
}

Status Window::endFrame(const std::filesystem::path& file) {
  endFrame();
  const Result<std::string> bytes = png();
  return bytes ? replaceFile(file, *bytes) : Status(bytes.error());
}

Result<std::string> Window::png() const {
  const Canvas& canvas = *state_->canvas;
  if (canvas.width() == 0) return workError("The window has no picture yet to save");
  return pngOf(canvas.width(), canvas.height(), canvas.pixels());
}

std::vector<uint8_t> Window::picture() const {
  return state_->canvas->pixels();
}

std::vector<KeyEvent> Window::takeKeys() {
  return std::exchange(state_->keys, {});
}
std::vector<std::string> Window::takeDrops() {
  return std::exchange(state_->drops, {});
}
bool Window::takeActivity() {
  return std::exchange(state_->activity, false);
}

float Window::dpiScale() const {
  return state_->displayScale / framebufferScale();
}

float Window::framebufferScale() const {
  return width() > 0 ? float(framebufferWidth()) / float(width()) : 1;
}

int Window::width() const {
  return state_->size.width;
}

int Window::height() const {
  return state_->size.height;
}

int Window::framebufferWidth() const {
  return state_->pixels.width;
}

int Window::framebufferHeight() const {
  return state_->pixels.height;
}

std::string Window::rendererName() const {
  return glText(GL_VENDOR) + ", " + glText(GL_RENDERER) + ", " + glText(GL_VERSION);
}

void Window::fontsChanged() {
  state_->canvas->forget();
  ImGui_ImplOpenGL3_DestroyDeviceObjects();  // The fonts' texture is one of them.
  ImGui_ImplOpenGL3_CreateDeviceObjects();
}

}  // namespace tilestep::gfx
