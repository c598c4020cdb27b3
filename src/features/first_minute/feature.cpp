// SPDX-License-Identifier: Apache-2.0
// The first-minute tour: the comparison, the difference, the speed, and the reason.
#include "model/feature.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/figure.h"
#include "features/first_minute/view.h"
#include "features/lessons/view.h"
#include "metrics/coalescing.h"
#include "model/model.h"
#include "model/text/step_summary.h"
#include "model/text/traffic.h"

namespace tilestep::features::first_minute {
namespace {

constexpr const char* kKernel = "matmul_tiled";
constexpr const char* kWidth = "TILE_WIDTH";
/// The slider widths that complete a drag: a range for wide tiles, a maximum for narrow tiles.
constexpr int64_t kLeastWide = 12, kMostWide = 20, kMostNarrow = 6;

/// Whether the part shows narrow tiles. The last part has the tiles of a new window.
bool isNarrow(MinutePart part) {
  return part <= MinutePart::widen || part == MinutePart::why;
}

SceneRequest sceneOf(MinutePart part) {
  SceneRequest scene;
  scene.kernel = kKernel;
  scene.tunables[kWidth] = isNarrow(part) ? kNarrowTile : kWideTile;
  scene.step = part == MinutePart::reuse ? 1 : 0;
  if (part == MinutePart::alone) scene.thread = Dim3{0, 0, 0};
  return scene;
}

std::string speedOf(const lab::RunResult& run) {
  return toText(run.plan.operations / run.measurement->medianMs * 1e3, Unit::flopPerSecond);
}

bool isTimed(const lab::RunResult* run) {
  return run != nullptr && run->measurement && run->measurement->medianMs > 0;
}

std::optional<double> l2BytesOf(const lab::RunResult& run) {
  const device::HardwareFigure* sectors =
      run.hardware ? run.hardware->find("l2_read_sectors") : nullptr;
  return sectors == nullptr ? std::nullopt : std::optional(sectors->value * metrics::kSectorBytes);
}

int64_t widthOf(const lab::RunResult& run) {
  const auto width = run.plan.tunables.find(kWidth);
  return width == run.plan.tunables.end() ? 0 : width->second;
}

void addTimes(const Snapshot& now, const lab::RunResult* wide, MinuteFigures& figures) {
  const lab::RunResult *main = now.figuresMain.get(), *other = now.figuresCompanion.get();
  if (now.figuresStale || !isTimed(main)) return;
  figures.missing = now.ratios.missing;
  if (!isTimed(other)) return;
  figures.speedup = now.ratios.time.value();
  figures.otherLaunch = now.ratios.against;
  if (wide != nullptr) {
    figures.againstWide = ratiosOf(*wide, *main, true).time.text();
    figures.wideWidth = widthOf(*wide);
  }
  figures.speed = speedOf(*main);
  figures.otherSpeed = speedOf(*other);
  figures.sizes = sizesText(main->plan.sizes);
  figures.origin = deviceText(main->device);
  figures.otherL2Bytes = l2BytesOf(*other);
  if (other->counters)
    figures.otherAskedBytes = static_cast<double>(other->counters->total.globalLoad.bytes);
}

MinuteFigures figuresOf(const Snapshot& now, const lab::RunResult* wide) {
  MinuteFigures figures;
  figures.width = widthOf(*now.main->side->result);
  figures.kernel = now.main->side->shortName;
  figures.other = now.companion->side->shortName;
  const PhaseFacts main = factsAround(*now.main), other = factsAround(*now.companion);
  figures.threads = main.threads;
  figures.loads = main.loads;
  figures.otherLoads = other.loads;
  addTimes(now, wide, figures);
  // A GPU measured only two widths, so there is no curve that the note could describe.
  if (now.recordedOn.empty()) return figures;
  const auto& tunables = now.entry()->spec->tunables;
  const auto spec = std::ranges::find(tunables, kWidth, &compile::TunableSpec::name);
  if (spec != tunables.end()) figures.note = spec->note;
  return figures;
}

/// After an error, the trace may never arrive.
bool hasError(const Snapshot& now) {
  return std::ranges::any_of(
      now.notices, [](const Notice& notice) { return notice.kind == Notice::Kind::error; });
}

class FirstMinute : public Feature {
 public:
  [[nodiscard]] std::string_view id() const override { return FirstMinuteView::kFeature; }

  void start(Model& model) override { due_ = model.options.firstMinute; }

  bool apply(const Command& command, Model& model) override {
    static const auto table = CommandTable<FirstMinute>()
                                  .add("begin", &FirstMinute::begin)
                                  .add("close", &FirstMinute::close)
                                  .add("next", &FirstMinute::next)
                                  .add("back", &FirstMinute::back)
                                  .add("answer", &FirstMinute::answer);
    return table.apply(*this, model, command);
  }

  /// Begins the tour in a ready window. Continues when the slider is released at the right value.
  void poll(Model& model) override {
    if (std::exchange(due_, false)) begin(model);
    if (!part_) return;
    const bool left =
        model.choice.kernel != kKernel || model.shown->view<LessonsView>().lesson.has_value();
    if (left) return end(model);
    if (model.undo.inGesture()) return;
    const auto chosen = model.resolved->tunables.find(kWidth);
    const int64_t width = chosen == model.resolved->tunables.end() ? 0 : chosen->second;
    if (part_ == MinutePart::widen && width >= kLeastWide && width <= kMostWide)
      goTo(model, MinutePart::guess);
    else if (part_ == MinutePart::narrow && width <= kMostNarrow)
      goTo(model, MinutePart::why);
  }

  /// The previous part stays on screen until the scene and the figures of the next part arrive. The
  /// first part begins without figures, so that a new window shows it at once.
  [[nodiscard]] ViewPointer view(const Moment& moment) override {
    const Snapshot& now = moment.shared;
    if (!part_) return shown_ = nullptr;
    const bool measures = now.busy.measure && *part_ >= MinutePart::guess;
    const bool waits = now.busy.scene || measures || now.sceneStale || !now.main || !now.companion;
    if (waits && (shown_ || hasError(now))) return shown_;
    if (!waits && *part_ == MinutePart::answer) keepWide(now);
    figures_ = waits ? MinuteFigures{} : figuresOf(now, wide_.get());
    auto view = std::make_shared<FirstMinuteView>();
    view->shown = true;
    view->part = *part_;
    view->text = verdict() + textOf(*part_, figures_);
    view->waits = waits;
    view->covers = *part_ <= MinutePart::guess;
    if (part_ == MinutePart::guess) view->choices = guessesOf(figures_);
    view->spotlight = part_ == MinutePart::reuse;
    view->travels = isTraveling() ? visits_ : 0;
    const auto& lessons = moment.model.shown->view<LessonsView>().lessons;
    if (!lessons.empty()) {
      view->lesson = lessons.front().file;
      view->lessonTitle = lessons.front().title;
    }
    return shown_ = view;
  }

 private:
  void begin(Model& model) {
    if (!part_) before_ = model.choice;
    guess_.reset();
    wide_.reset();
    goTo(model, MinutePart::alone);
  }

  /// Leaves the tour and restores the previous state.
  void close(Model& model) {
    if (!part_) return;
    end(model);
    model.change("first minute", [this](Choice& choice) {
      const AppearanceSet looks = choice.looks;
      choice = before_;
      choice.looks = looks;
    });
    model.endGesture();
  }

  void end(Model& model) {
    part_.reset();
    model.changed = true;
  }

  void goTo(Model& model, MinutePart part) {
    part_ = part;
    ++visits_;
    model.show(sceneOf(part));
    model.changed = true;
  }

  /// Keeps the launch with wide tiles for a later comparison. Checks the width, because the slider
  /// may move before the launch has a time.
  void keepWide(const Snapshot& now) {
    const bool isWide = !now.figuresStale && isTimed(now.figuresMain.get()) &&
                        widthOf(*now.figuresMain) >= kLeastWide;
    if (isWide) wide_ = now.figuresMain;
  }

  void next(Model& model) { step(model, +1); }
  void back(Model& model) { step(model, -1); }

  /// Moves forwards or backwards to the next part that has something to show.
  void step(Model& model, int by) {
    if (!part_) return;
    // The current part still waits for its scene.
    if (!shown_ || shown_->part != *part_ || figures_.kernel.empty()) return;
    for (int at = static_cast<int>(*part_) + by; at >= 0 && at < static_cast<int>(kMinuteParts);
         at += by) {
      const auto part = static_cast<MinutePart>(at);
      if (hasPart(part, figures_)) return goTo(model, part);
    }
  }

  /// `choice` is an index of the offered answers.
  void answer(Model& model, size_t choice) {
    if (part_ != MinutePart::guess || choice >= guessesOf(figures_).size()) return;
    guess_ = choice;
    right_ = rightGuess(figures_);
    goTo(model, MinutePart::answer);
  }

  /// Says whether the guess was right; precedes the answer.
  [[nodiscard]] std::string verdict() const {
    if (part_ != MinutePart::answer || !guess_) return {};
    return *guess_ == right_  ? "**Right.** "
           : *guess_ > right_ ? "**Less than that.** "
                              : "**More than that.** ";
  }

  [[nodiscard]] bool isTraveling() const {
    return part_ == MinutePart::alone || part_ == MinutePart::together;
  }

  bool due_ = false;
  std::optional<MinutePart> part_;
  unsigned visits_ = 0;
  std::optional<size_t> guess_;
  size_t right_ = 0;
  Choice before_;
  MinuteFigures figures_;                       ///< The figures last shown.
  std::shared_ptr<const lab::RunResult> wide_;  ///< The launch with wide tiles.
  std::shared_ptr<const FirstMinuteView> shown_;
};

}  // namespace

std::unique_ptr<Feature> make() {
  return std::make_unique<FirstMinute>();
}

}  // namespace tilestep::features::first_minute
