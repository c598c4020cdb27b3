// SPDX-License-Identifier: Apache-2.0
#include "ui/shell/window.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "base/files.h"
#include "features/registry.h"
#include "gfx/renderer.h"
#include "gfx/window.h"
#include "model/files/pins_file.h"
#include "ui/kit/parts.h"
#include "ui/shell/appearances.h"
#include "ui/shell/frame_times.h"
#include "ui/shell/interface.h"
#include "ui/shell/keys.h"
#include "ui/shell/played_files.h"
#include "ui/shell/saved_file.h"
#include "ui/shell/saving/saver.h"
#include "ui/shell/shown_snapshot.h"
#include "ui/shell/state_file.h"
#include "worker/client.h"

namespace tilestep::ui {
namespace {

/// Whether the lesson is played without a user.
bool plays(const WindowOptions& options) {
  return !options.pictureFolder.empty() || !options.pageFile.empty() || !options.pdfFile.empty();
}

/// Whether this is a first start: no saved state, and no request on the command line.
bool isFirst(const WindowOptions& options, const std::optional<model::Saved>& saved) {
  return !saved && !options.lab && !plays(options) && options.kernel.empty() &&
         options.sizes.empty() && options.tunables.empty() && options.lesson.empty() &&
         options.sweepFile.empty() && options.comparison.empty() && options.program.empty();
}

/// Whether the window opens with the default kernel and no saved choice. The tile width is then
/// that of the first-minute tour's end, because narrower tiles do not fill a warp and are slower.
bool opensAnew(const WindowOptions& options, const std::optional<model::Saved>& saved) {
  return !saved && options.kernel.empty() && options.sizes.empty() && options.tunables.empty();
}

model::SessionOptions sessionOptions(const WindowOptions& options,
                                     const std::optional<model::Saved>& saved,
                                     const model::PinsPointer& pins) {
  model::Comparison comparison;
  if (!options.comparison.empty()) comparison.kernel = options.comparison;
  const std::string name = comparison.kernel == model::Comparison::kUsual
                               ? "matmul_naive"
                               : std::filesystem::path(comparison.kernel).stem().string();
  if (!options.comparisonTunables.empty()) comparison.tunables[name] = options.comparisonTunables;
  model::SessionOptions made{options.home,   options.kernel, options.sizes, options.tunables,
                             options.device, comparison,     saved,         pins};
  made.entry = options.entry;
  made.comparisonEntry = options.comparisonEntry;
  made.ownKernels = options.ownKernels;
  made.pointsFile = options.pointsFile;
  made.shippedTuned = options.shippedTuned;
  made.program = options.program;
  made.programRunner = programPath().string();
  made.programFolder = options.programFolder;
  made.firstMinute = isFirst(options, saved);
  if (opensAnew(options, saved)) made.tunables = {{"TILE_WIDTH", 16}};
  return made;
}

/// The window and everything in it, for as long as it is open.
class Loop {
 public:
  Loop(gfx::Window& window, gfx::Renderer* renderer, const WindowOptions& options,
       SavedFile& savedFile, const std::optional<model::Saved>& saved, model::PinsFile& pinsFile,
       FrameLog frameLog, PlayedFiles playedFiles)
      : window_(window),
        options_(options),
        savedFile_(savedFile),
        pinsFile_(pinsFile),
        session_(sessionOptions(options, saved, pinsFile.load()), features::makeFeatures()),
        interface_(renderer),
        stateFile_(options.stateFile),
        frameLog_(std::move(frameLog)),
        fontFiles_(findFontFiles()),
        playedFiles_(std::move(playedFiles)),
        saver_([this] { return window_.png(); }, session_, state_, {fontFiles_, options.home}) {
    if (saved) restoreWindow(state_, *saved);
    if (isFirst(options, saved)) state_.density = model::Density::lesson;
    if (options.lab) state_.density = model::Density::full;
    if (savedFile.notice()) session_.say(*savedFile.notice());
    if (pinsFile.notice()) session_.say(*pinsFile.notice());
    makeFonts();
    if (!options.lesson.empty()) session_.apply(model::command("lessons.open", options.lesson));
    if (!plays(options)) session_.apply(model::command("sweeps.automatic", true));
    if (!options.sweepFile.empty())
      session_.apply(model::command("sweeps.open", options.sweepFile));
    if (plays(options)) {
      script_ = makeLessonScript();
      state_.motion = false;
    }
  }

  /// The errors of a played lesson and of failed writes, one per line; empty if none.
  [[nodiscard]] std::string trouble() const {
    std::string text = script_ ? script_->trouble() : "";
    for (const std::string& sentence : playedTrouble_) text += "tilestep: " + sentence + "\n";
    for (const Status& written : {saved_, pinned_, stateFile_.written(), frameLog_.written()})
      if (!written) text += "tilestep: " + written.error().message + "\n";
    return text;
  }

  void run() {
    while (!window_.shouldClose() && !(script_ && script_->ended())) {
      window_.waitEvents(patience());
      if (window_.takeActivity()) drawAtLeast_ = 3;  // ImGui needs a few frames to settle.
      const auto start = std::chrono::steady_clock::now();
      ownStart_ = threadSeconds();
      tookLong_ = false;
      poll();
      takeInput();
      keepPins();  // Before drawing, so that pins on screen have been saved.
      if (!connected_ && frames_.times().count > 0) connect();
      if (now() >= nextKeep_ && !saver_.walking()) keep();
      if (noticeHasEnded()) drawAtLeast_ = std::max(drawAtLeast_, 1);
      if (drawAtLeast_ == 0 && !interface_.moving()) continue;
      if (drawAtLeast_ > 0) --drawAtLeast_;
      drawnAt_ = now();
      drawFrame();
      if (shown_.isBehind()) drawAtLeast_ = std::max(drawAtLeast_, kFramesOfNews);
      if (compat::hasPendingInput()) drawAtLeast_ = std::max(drawAtLeast_, 1);
      // Dear ImGui gives a text field the keyboard a few frames after the request.
      if (state_.typingSoon && !state_.typing) drawAtLeast_ = std::max(drawAtLeast_, 1);
      const std::chrono::duration<double, std::milli> took =
          std::chrono::steady_clock::now() - start;
      frames_.add(took.count());
      cost_.wall = took.count();
      frameLog_.add(cost_);
      writeState();
      if (script_) followScript();
      if (saver_.walking()) drawAtLeast_ = std::max(drawAtLeast_, 3);
      saver_.advance(!interface_.moving(), now());
    }
    keepPins();
    saver_.giveUp();  // The next start resumes at the user's step, not at one of the walk.
    keep();
    if (script_ && script_->ended()) playedTrouble_ = playedFiles_.finish();
  }

 private:
  /// New content is drawn in two frames, because ImGui scrolls to it in the second.
  static constexpr int kFramesOfNews = 2;

  [[nodiscard]] double now() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

  /// Whether the last frame showed a notice whose time is over by now.
  [[nodiscard]] bool noticeHasEnded() const {
    return state_.toast.until > drawnAt_ && state_.toast.until <= now();
  }

  void followScript() {
    drawAtLeast_ = std::max(drawAtLeast_, 1);
    if (!script_->advance(session_, !interface_.moving(), now())) return;
    script_->taken(session_, takeStep());
  }

  /// Adds the step of the played lesson to the files, and saves its picture.
  Status takeStep() {
    const std::shared_ptr<const model::Snapshot> now = session_.snapshot();
    if (Status added = playedFiles_.add(*now, session_, state_); !added) return added;
    if (options_.pictureFolder.empty()) return {};
    beginFrame();
    return window_.endFrame(std::filesystem::path(options_.pictureFolder) /
                            (now->shown.lessonStepName + ".png"));
  }

  /// How long to wait for events, in seconds; 0 while something moves.
  [[nodiscard]] double patience() const {
    if (drawAtLeast_ > 0 || interface_.moving() || !connected_) return 0;
    return std::min(session_.untilNext().value_or(1.0), 1.0);
  }

  /// Starts the worker after the first frame, so that the window appears without waiting for it.
  void connect() {
    connected_ = true;
    worker::Client::Options options;
    options.command = options_.workerCommand;
    // One core stays free for the window.
    options.interpreterThreads = std::max(1U, std::thread::hardware_concurrency() - 1);
    Result<std::unique_ptr<worker::Client>> client = worker::Client::start(options);
    if (client)
      session_.connect(std::move(*client));
    else
      session_.connectFailed(client.error());
    drawAtLeast_ = 2;
  }

  void takeInput() {
    const bool typing = drawn_ && (ImGui::GetIO().WantTextInput || state_.typingSoon);
    const std::vector<gfx::KeyEvent> keys = window_.takeKeys();
    if (saver_.walking()) {
      const auto isEscape = [](const gfx::KeyEvent& key) { return key.key == gfx::Key::escape; };
      if (std::ranges::any_of(keys, isEscape)) saver_.stop();
      (void)window_.takeDrops();
      return;
    }
    if (!keys.empty()) {
      const bool walked = walking_;
      walking_ = handleKeys(keys, session_, state_, typing, walking_);
      // Keyboard navigation needs a focused panel; otherwise the arrow keys would do nothing.
      if (walking_ && !walked) ImGui::SetWindowFocus(interface_.walkStart());
      drawAtLeast_ = 3;
    }
    for (const std::string& drop : window_.takeDrops()) open(drop);
    // Keyboard navigation begins with Tab and ends with Esc or a click.
    ImGuiIO& io = ImGui::GetIO();
    if (ImGui::IsAnyMouseDown()) walking_ = false;
    if (walking_ || state_.popupOpen)
      io.ConfigFlags |= ImGuiConfigFlags_NavEnableKeyboard;
    else
      io.ConfigFlags &= ~ImGuiConfigFlags_NavEnableKeyboard;
    poll();
  }

  /// Opens a dropped file: points of a sweep, a program, or a kernel's file.
  void open(const std::string& file) {
    if (file.ends_with(".csv")) return void(session_.apply(model::command("sweeps.open", file)));
    session_.apply(model::command("program.open", file));
  }

  void poll() {
    constexpr double kLongSeconds = 0.004;
    const double before = threadSeconds();
    if (!session_.poll(now())) return;
    drawAtLeast_ = std::max(drawAtLeast_, kFramesOfNews);
    tookLong_ = tookLong_ || threadSeconds() - before > kLongSeconds;
  }

  /// Makes new fonts if the user or the window's size requires another scale.
  void makeFonts() {
    const float display = window_.dpiScale();
    const float perPixel = std::max(window_.framebufferScale(), 0.1F);
    const TypeSize type =
        typeFor(state_, static_cast<float>(window_.framebufferWidth()) / perPixel,
                static_cast<float>(window_.framebufferHeight()) / perPixel, display);
    if (type == fontsMadeFor_) return;
    fontsMadeFor_ = type;
    state_.shownScale = type.scale / display;
    fonts_ = addFonts(fontFiles_, type.scale, type.leastPixels);
    if (drawn_) window_.fontsChanged();
    drawAtLeast_ = 3;
  }

  /// Draws everything but does not show it yet.
  void beginFrame() {
    syncLooks(state_, session_, drawn_ && (ImGui::IsAnyItemActive() || ImGui::IsAnyMouseDown()));
    makeFonts();
    const gfx::Palette palette = paletteOf(state_.theme);
    applyStyle(palette, fonts_.textPixels);
    if (script_) ImGui::GetIO().ConfigFlags |= ImGuiConfigFlags_NoMouse;
    window_.beginFrame(palette.background);
    drawn_ = true;
    const ShownSnapshot::Pointer snapshot = shown_.forFrame(session_.snapshot(), tookLong_);
    const Context context{*snapshot, session_, state_, palette, fonts_, fonts_.textPixels, now()};
    interface_.draw(context, window_.framebufferScale(), window_.framebufferHeight());
  }

  void drawFrame() {
    // A request to save a picture, made by a button while a frame is drawn, is carried out with the
    // next frame, which no longer shows the dialogue.
    const auto wish = std::exchange(state_.wish, std::nullopt);
    // A saved frame draws the newest snapshot, even if that makes it late.
    if (wish || script_ || saver_.walking()) tookLong_ = false;
    beginFrame();
    endFrame();
    if (state_.wish || wish) drawAtLeast_ = std::max(drawAtLeast_, 1);
    if (wish) saver_.save(*wish);
  }

  void endFrame() {
    const double own = threadSeconds(), wall = now();
    cost_.own = (own - ownStart_) * 1e3;
    window_.endFrame();
    cost_.drawOwn = (threadSeconds() - own) * 1e3;
    cost_.drawWall = (now() - wall) * 1e3;
  }

  /// Saves the window's state every two seconds, so that little is lost if the program is killed.
  void keep() {
    constexpr double kEverySeconds = 2;
    nextKeep_ = now() + kEverySeconds;
    model::Saved saved = session_.saved();
    addWindow(saved, state_);
    saved.width = window_.width();
    saved.height = window_.height();
    // Nothing is written after a failure, so the failure remains.
    if (const Status written = savedFile_.keep(saved); !written)
      saved_ = kept(written, "saved", "The window's state cannot be saved for its next start");
  }

  /// Reports a failed write in a notice. The returned status also goes to standard error when the
  /// window closes, unless a later write succeeds.
  Status kept(const Status& written, const std::string& about, const std::string& trouble) {
    if (written) return written;
    const std::string text = trouble + ": " + written.error().message + ".";
    session_.say({model::Notice::Kind::warning, about, text, {}, {}});
    return workError(text);
  }

  /// Saves changed pins at once, so that none is lost.
  void keepPins() {
    if (session_.pins() == keptPins_) return;
    keptPins_ = session_.pins();
    pinned_ = kept(pinsFile_.keep(keptPins_), "pins file",
                   "Pinned runs are lost when this window closes");
    if (pinned_ && !pinsFile_.lockNote().empty()) {
      session_.say({model::Notice::Kind::warning, "pins file", pinsFile_.lockNote() + ".", {}, {}});
    }
    const bool shown = !plays(options_);
    if (!pinned_ || pinsFile_.keeps() || !shown) return;
    session_.say(
        {model::Notice::Kind::warning,
         "pins file",
         "Pinned runs are lost when this window closes, because it was started with --fresh.",
         {},
         {}});
  }

  void writeState() {
    // The boxes of views belong to the frame, so the written snapshot must be the frame's.
    if (options_.stateFile.empty() || shown_.isBehind()) return;
    const ImVec2 size = ImGui::GetIO().DisplaySize;
    stateFile_.update(*session_.snapshot(), state_, size.x, size.y, frames_.times());
  }

  gfx::Window& window_;
  const WindowOptions& options_;
  SavedFile& savedFile_;
  model::PinsFile& pinsFile_;
  model::PinsPointer keptPins_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  model::Session session_;
  ShownSnapshot shown_;
  double drawnAt_ = 0;  ///< When the last frame began.
  /// Handling this frame's answers took long, so it may draw the earlier snapshot.
  bool tookLong_ = false;
  UiState state_;
  Interface interface_;
  StateFile stateFile_;
  FrameLog frameLog_;
  FrameCost cost_;
  double ownStart_ = 0;
  FontFiles fontFiles_;
  Fonts fonts_;
  FrameClock frames_;
  std::unique_ptr<StepScript> script_;
  PlayedFiles playedFiles_;
  std::vector<std::string> playedTrouble_;  ///< Problems with the files of a played lesson.
  Saver saver_;
  bool connected_ = false, drawn_ = false, walking_ = false;
  TypeSize fontsMadeFor_{0, 0};
  int drawAtLeast_ = 3;
  double nextKeep_ = 2;    ///< Seconds.
  Status saved_, pinned_;  ///< The result of the last write of each file.
};

int complain(const Error& error, int status = 2) {
  std::fprintf(stderr, "tilestep: %s\n", toString(error).c_str());
  return status;
}

/// The exit status is 2 for an invalid request, such as a wrong name, and 1 otherwise.
int reportFileError(const Error& error) {
  return complain(error, error.kind == ErrorKind::request ? 2 : 1);
}

}  // namespace

int runWindow(const WindowOptions& options) {
  FrameLog frameLog;
  if (const Status opened = frameLog.open(options.frameLog); !opened)
    return reportFileError(opened.error());
  if (!options.stateFile.empty())
    if (const Status begun = beginStateFile(options.stateFile); !begun)
      return reportFileError(begun.error());
  SavedFile savedFile(options.savedFile);
  const std::optional<model::Saved> saved = savedFile.load();
  model::PinsFile pinsFile(options.pinsFile);
  gfx::WindowConfig config;
  config.grows = true;
  if (saved && saved->width > 0 && saved->height > 0) {
    config.width = saved->width;
    config.height = saved->height;
    config.grows = false;
  }
  if (plays(options)) {
    // Pictures are the same on every display, and the window need not be visible.
    config.width = 1920;
    config.height = 1080;
    config.grows = false;
    config.visible = false;
  }
  Result<std::unique_ptr<gfx::Window>> window = gfx::Window::open(config);
  if (!window) return complain(window.error());
  Result<std::unique_ptr<gfx::Renderer>> renderer =
      gfx::makeGlRenderer(std::filesystem::path(options.home) / "shaders");
  if (!renderer) return complain(renderer.error());
  Result<PlayedFiles> playedFiles = PlayedFiles::make(options, findFontFiles());
  if (!playedFiles) return complain(playedFiles.error());
  Loop loop(**window, renderer->get(), options, savedFile, saved, pinsFile, std::move(frameLog),
            std::move(*playedFiles));
  loop.run();
  std::fputs(loop.trouble().c_str(), stderr);
  return loop.trouble().empty() ? 0 : 1;
}

}  // namespace tilestep::ui
