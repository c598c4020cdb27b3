// SPDX-License-Identifier: Apache-2.0
#include "ui/headless_window.h"

#include <gtest/gtest.h>

#include <chrono>
#include <map>
#include <thread>

#include "features/registry.h"
#include "stored/stored_results.h"
#include "support/known_fonts.h"
#include "support/thread_states.h"
#include "support/tool.h"
#include "ui/key_names.h"
#include "ui/shell/appearances.h"
#include "ui/shell/keys.h"
#include "ui/shell/saved_file.h"
#include "ui/shell/state_file.h"
#include "worker/client.h"

namespace tilestep::tests {
namespace {

constexpr double kTurnSeconds = 0.05;
constexpr auto kPause = std::chrono::milliseconds(2);
constexpr int kStillFrames = 8;  // ImGui's layout settles within a few frames.

/// The worker inherits this environment, which hides GPUs, because the window's texts must not
/// depend on one.
std::vector<std::unique_ptr<support::Environment>> environmentFor(bool installedCompiler) {
  support::Words variables = support::tilestepEnvironment();
  variables.emplace_back("CUDA_VISIBLE_DEVICES=");
  std::map<std::string, std::string> values;
  const auto add = [&](const support::Words& words) {
    for (const std::string& variable : words) {
      const size_t end = variable.find('=');
      values[variable.substr(0, end)] = variable.substr(end + 1);
    }
  };
  add(variables);
  if (!installedCompiler) add(storedCompiler());
  std::vector<std::unique_ptr<support::Environment>> set;
  for (const auto& [name, value] : values)
    set.push_back(std::make_unique<support::Environment>(name, value.c_str()));
  return set;
}

/// A worker's client that counts the requests that wait for an answer. Live streams never end, so
/// they do not count. Each turn accepts at most one answer, so that requests caused by one answer
/// are sent before those caused by the next, however fast the worker is.
class WatchedClient : public worker::Client {
 public:
  WatchedClient(std::unique_ptr<worker::Client> client, std::shared_ptr<Awaited> awaited)
      : client_(std::move(client)), awaited_(std::move(awaited)) {}

  uint64_t run(const lab::Experiment& experiment) override {
    return watched(client_->run(experiment));
  }
  uint64_t devices() override { return watched(client_->devices()); }
  uint64_t ceilings(const std::string& device) override {
    return watched(client_->ceilings(device));
  }
  uint64_t ptx(const lab::Experiment& experiment, bool instrumented) override {
    return watched(client_->ptx(experiment, instrumented));
  }
  uint64_t live(const lab::Experiment& experiment) override { return client_->live(experiment); }
  std::optional<device::LiveBatch> samples(uint64_t id) override { return client_->samples(id); }
  [[nodiscard]] bool ready() override { return client_->ready(); }
  void cancel(uint64_t id) override {
    awaited_->cancelled.insert(id);
    client_->cancel(id);
  }
  std::optional<worker::Reply> poll() override {
    if (std::exchange(awaited_->pause, false) || awaited_->room == 0) return std::nullopt;
    std::optional<worker::Reply> reply = client_->poll();
    if (!reply) return reply;
    awaited_->pause = true;
    awaited_->waiting.erase(reply->id);
    const bool counts = awaited_->cancelled.erase(reply->id) == 0;
    if (awaited_->room && counts) --*awaited_->room;
    return reply;
  }
  std::optional<worker::Progress> progress() override { return client_->progress(); }
  worker::Reply wait(uint64_t id) override {
    awaited_->waiting.erase(id);
    return client_->wait(id);
  }

 private:
  uint64_t watched(uint64_t id) {
    awaited_->waiting.insert(id);
    return id;
  }

  std::unique_ptr<worker::Client> client_;
  std::shared_ptr<Awaited> awaited_;
};

std::unique_ptr<worker::Client> startWorker() {
  worker::Client::Options options;
  // One thread, because rung 13's blocks wait for each other, so its counts depend on how blocks
  // are distributed.
  options.command = "'" + support::tilestepWords({}).front() + "' worker --threads 1";
  auto client = worker::Client::start(options);
  return client ? std::move(*client) : nullptr;
}

}  // namespace

HeadlessWindow::HeadlessWindow(model::SessionOptions options, float width, float height,
                               HeadlessWishes wishes)
    : environment_(environmentFor(wishes.installedCompiler)),
      width_(width),
      height_(height),
      session_(options, features::makeFeatures()) {
  ImGui::CreateContext();
  ImGui::GetIO().IniFilename = nullptr;
  if (options.saved) ui::restoreWindow(state_, *options.saved);
  if (!wishes.motion) state_.motion = false;
  if (auto client = startWorker()) {
    if (wishes.wrap) client = wishes.wrap(std::move(client));
    session_.connect(std::make_unique<WatchedClient>(std::move(client), awaited_));
  } else {
    session_.connectFailed(workError("no worker started"));
  }
}

HeadlessWindow::~HeadlessWindow() {
  ImGui::DestroyContext();
}

bool HeadlessWindow::poll() {
  // Checked first, because a sleeping thread has already delivered its results.
  const bool sleep = support::otherThreadsSleep();
  const bool changed = session_.poll(now_);
  quietTurns_ = sleep && !changed ? quietTurns_ + 1 : 0;
  return changed;
}

void HeadlessWindow::takeAnswers() {
  const auto end = std::chrono::steady_clock::now() + kPatience;
  // More than one turn, because an answer may lead to another request.
  for (int idle = 0; idle < 3;) {
    poll();
    if (std::chrono::steady_clock::now() > end) {
      ADD_FAILURE() << awaited_->waiting.size() << " requests are not answered, and the scene is "
                    << (session_.snapshot()->busy.scene ? "awaited" : "there");
      break;
    }
    const bool waits = !awaited_->waiting.empty() || session_.snapshot()->busy.scene;
    idle = waits ? 0 : idle + 1;
    if (waits) std::this_thread::sleep_for(kPause);
  }
  now_ += kTurnSeconds;
}

bool HeadlessWindow::takeSome(size_t answers) {
  constexpr int kTurnsAfter = 3;  // The requests after an answer are sent, and shown as busy.
  const auto end = std::chrono::steady_clock::now() + kPatience;
  awaited_->room = answers;
  for (now_ += kTurnSeconds; awaited_->room > 0U; std::this_thread::sleep_for(kPause)) {
    poll();
    if (std::chrono::steady_clock::now() > end) break;
  }
  for (int i = 0; i < kTurnsAfter; ++i) poll();
  return std::exchange(awaited_->room, std::nullopt) == 0;
}

bool HeadlessWindow::staysQuiet() {
  quietTurns_ = 0;
  const auto end = std::chrono::steady_clock::now() + kPatience;
  while (!isQuiet()) {
    if (poll()) return false;
    if (std::chrono::steady_clock::now() > end) {
      ADD_FAILURE() << "a thread of the window never sleeps";
      return true;
    }
    std::this_thread::sleep_for(kPause);
  }
  return true;
}

std::string HeadlessWindow::compiler() {
  takeAnswers();
  return session_.snapshot()->compiler;
}

void HeadlessWindow::makeFonts() {
  const ui::TypeSize type = ui::typeFor(state_, width_, height_, 1);
  if (type == fontsMadeFor_) return;
  fontsMadeFor_ = type;
  state_.shownScale = type.scale;
  fonts_ = support::addKnownFonts(type.scale, type.leastPixels);
}

bool HeadlessWindow::frame() {
  takeAnswers();
  ui::syncLooks(state_, session_, false);
  makeFonts();
  ImGuiIO& io = ImGui::GetIO();
  io.DisplaySize = {width_, height_};
  io.DeltaTime = 1.0F / 60;
  io.ConfigFlags |= ImGuiConfigFlags_NoMouse;
  const gfx::Palette palette = ui::paletteOf(state_.theme);
  ui::applyStyle(palette, fonts_.textPixels);
  ImGui::NewFrame();
  const auto snapshot = session_.snapshot();
  const ui::Context context{*snapshot, session_, state_, palette, fonts_, fonts_.textPixels, now()};
  interface_.draw(context, 1.0F, static_cast<int>(height_));
  ImGui::Render();
  std::this_thread::sleep_for(std::chrono::milliseconds(2));
  return interface_.moving();
}

void HeadlessWindow::key(const std::string& name) {
  (void)ui::handleKeys(keyEventsOf(name), session_, state_, false, false);
}

std::string HeadlessWindow::state() const {
  return ui::stateText(*session_.snapshot(), state_, width_, height_);
}

std::vector<support::DrawnText> HeadlessWindow::texts() const {
  return support::drawnTexts();
}

bool HeadlessWindow::settle(const std::function<bool(const std::string& state)>& holds) {
  // By the machine's clock, because the window's clock advances by a fixed step per frame.
  const auto end = std::chrono::steady_clock::now() + kPatience;
  for (int still = 0; still < kStillFrames;) {
    if (std::chrono::steady_clock::now() > end) return false;
    const bool moves = frame();
    const auto snapshot = session_.snapshot();
    const auto& busy = snapshot->busy;
    const bool here = snapshot->main && !snapshot->sceneStale && !busy.scene && !busy.measure &&
                      !busy.count && !moves && isQuiet();
    still = here && holds(state()) ? still + 1 : 0;
  }
  return true;
}

}  // namespace tilestep::tests
