// SPDX-License-Identifier: Apache-2.0
#include "model/feature.h"

#include <algorithm>
#include <utility>

#include "features/threads/view.h"
#include "model/export/table_parts.h"
#include "model/model.h"
#include "model/text/step_text.h"

namespace tilestep::features::threads {
namespace {

Table threadsTable(const Snapshot& now, const TableOptions& options) {
  Table out{
      "Who does what: " + now.position.text + ".", {"thread (tx, ty)", "warp", "does"}, {}, false};
  const auto& lines = options.companion && now.companion ? now.companionLines : now.mainLines;
  if (!lines) return out;
  for (size_t i = 0; i < lines->size(); ++i)
    add(out, {(*lines)[i].name, whole((*lines)[i].warp), (*lines)[i].text});
  return out;
}

Table threadTable(const Snapshot& now, const TableOptions& options) {
  Table out;
  const TracedStep* step = stepOf(now, options).get();
  if (step == nullptr) return out;
  const auto& view =
      step == now.main.get() ? now.view<ThreadsView>().main : now.view<ThreadsView>().companion;
  auto story = step == now.main.get() ? now.view<ThreadsView>().mainStory
                                      : now.view<ThreadsView>().companionStory;
  const auto& work = step == now.main.get() ? now.mainWork : now.companionWork;
  if (!story && work) story = std::make_shared<const ThreadStory>(*work, 0);
  if (!story || story->side() != step->side) return out;
  const auto shown = view ? view : story->viewAt(*step);
  out.title = "Thread " + shown->name + " of " + step->side->shortName +
              (shown->makes.empty() ? "" : ", which makes " + shown->makes) +
              (shown->reads.empty() ? "" : " from " + shown->reads) + ": all of its events";
  out.columns = {"event", "epoch", "line", "does"};
  const trace::BlockTrace& recording = step->side->replay->recording();
  for (const uint32_t event : story->events()) {
    const trace::TraceEvent at = recording.event(event);
    add(out,
        {std::to_string(event), std::to_string(at.epoch), std::to_string(step->side->lineOf(at)),
         doingText(*step->side, event, story->thread())});
  }
  return out;
}

constexpr size_t kMostMarks = 512;

std::shared_ptr<const ThreadStory> keepStory(const std::shared_ptr<const ThreadStory>& known,
                                             const std::shared_ptr<const BlockWork>& work,
                                             std::optional<uint32_t> thread) {
  if (!work || !thread) return nullptr;
  if (known && known->side() == work->side() && known->thread() == *thread) return known;
  return std::make_shared<const ThreadStory>(*work, *thread);
}

/// The index of `thread`, clamped to the block.
uint32_t numberIn(const TracedKernel& side, const Dim3& thread) {
  const Dim3& shape = side.replay->recording().blockShape;
  return trace::numberOf({std::min(thread.x, shape.x - 1), std::min(thread.y, shape.y - 1),
                          std::min(thread.z, shape.z - 1)},
                         shape);
}

/// The companion's thread that computes the same element, otherwise the thread with the same index.
std::optional<uint32_t> counterpartOf(const ThreadStory& story, const TracedKernel& comparison) {
  if (const std::optional<trace::Place> output = story.output())
    for (const trace::OutputElement& element : comparison.end.outputs)
      if (element.place == *output && element.written) return element.writer;
  if (story.thread() < comparison.replay->recording().blockShape.count()) return story.thread();
  return std::nullopt;
}

class Threads : public Feature {
 public:
  [[nodiscard]] std::string_view id() const override { return ThreadsView::kFeature; }
  [[nodiscard]] std::vector<TableKind> tables() const override {
    return {{"threads", "who does what", threadsTable}, {"thread", "one thread", threadTable}};
  }
  bool apply(const Command& command, Model& model) override {
    static const auto table = CommandTable<Threads>()
                                  .add("choose", &Threads::choose)
                                  .add("move", &Threads::move)
                                  .add("step", &Threads::step);
    return table.apply(*this, model, command);
  }

  /// Updates the stories and the stepper's thread from the traces and the choice.
  void poll(Model& model) override {
    const Scene& scene = model.scene;
    std::optional<uint32_t> thread;
    if (scene.main && model.choice.thread) thread = numberIn(*scene.main, *model.choice.thread);
    const std::shared_ptr<const ThreadStory> before = main_;
    main_ = keepStory(main_, scene.mainWork, thread);
    companion_ = keepStory(
        companion_, scene.companionWork,
        main_ && scene.companion ? counterpartOf(*main_, *scene.companion) : std::nullopt);
    Stepper& stepper = model.stepper;
    if (!model.choice.thread) stepper.wantThread(false);
    const bool follows = stepper.threadWanted() && main_ && !main_->events().empty();
    if (follows && (!stepper.ofThread() || before != main_)) stepper.followThread(main_->events());
    if (!follows && stepper.ofThread()) stepper.followThread({});
    if (marksOf_ == main_ && (marks_ != nullptr) == follows) return;
    marksOf_ = main_;
    marks_ = nullptr;
    if (!follows || main_->events().size() > kMostMarks) return;
    auto marks = std::make_shared<std::vector<double>>();
    for (size_t i = 0; i < main_->events().size(); ++i) marks->push_back(stepper.shareOf(i));
    marks_ = std::move(marks);
  }

  [[nodiscard]] ViewPointer view(const Moment& moment) override {
    auto view = std::make_shared<ThreadsView>();
    view->main = viewOf(mainView_, moment.shared.main, main_);
    view->companion = viewOf(companionView_, moment.shared.companion, companion_);
    view->mainStory = main_;
    view->companionStory = companion_;
    view->marks = marks_;
    return view;
  }

 private:
  struct Cached {  ///< Kept while step and story are unchanged, so that nothing is redrawn.
    std::shared_ptr<const TracedStep> step;
    std::shared_ptr<const ThreadStory> story;
    std::shared_ptr<const ThreadView> view;
  };

  /// Follows a thread of the block; absent stops following.
  void choose(Model& model, const std::optional<Dim3>& thread) {
    model.change("thread", [&](Choice& choice) { choice.thread = thread; });
    model.endGesture();
  }

  /// Chooses a neighbour of the chosen thread, or the first thread if none is chosen.
  void move(Model& model, int dx, int dy) {
    if (!model.scene.main) return;
    const Dim3& shape = model.scene.main->replay->recording().blockShape;
    const auto moved = [](uint32_t at, int by, uint32_t size) {
      const int64_t to = std::clamp<int64_t>(int64_t{at} + by, 0, int64_t{size} - 1);
      return static_cast<uint32_t>(to);
    };
    model.change("thread", [&](Choice& choice) {
      const Dim3 at = choice.thread.value_or(Dim3{0, 0, 0});
      const int right = choice.thread ? dx : 0, down = choice.thread ? dy : 0;
      choice.thread = Dim3{moved(at.x, right, shape.x), moved(at.y, down, shape.y), at.z};
    });
  }

  /// Steps through the events of the chosen thread, or of the first thread if none is chosen.
  void step(Model& model) {
    model.stepper.wantThread(true);
    if (!model.choice.thread) choose(model, Dim3{0, 0, 0});
    model.changed = true;
  }

  static std::shared_ptr<const ThreadView> viewOf(Cached& cached,
                                                  const std::shared_ptr<const TracedStep>& step,
                                                  const std::shared_ptr<const ThreadStory>& story) {
    if (!step || !story || step->side != story->side()) return nullptr;
    if (cached.step != step || cached.story != story || !cached.view)
      cached = {step, story, story->viewAt(*step)};
    return cached.view;
  }

  std::shared_ptr<const ThreadStory> main_, companion_;
  Cached mainView_, companionView_;
  std::shared_ptr<const std::vector<double>> marks_;
  std::shared_ptr<const ThreadStory> marksOf_;
};

}  // namespace

std::unique_ptr<Feature> make() {
  return std::make_unique<Threads>();
}

}  // namespace tilestep::features::threads
