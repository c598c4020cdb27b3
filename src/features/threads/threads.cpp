// SPDX-License-Identifier: Apache-2.0
// The chosen thread: its story, its steps, and the table of all threads' phases.
#include <algorithm>
#include <utility>

#include "model/session.h"

namespace tilestep::model {
namespace {

constexpr size_t kMostMarks = 512;

std::shared_ptr<const ThreadStory> storyOf(const std::shared_ptr<const ThreadStory>& known,
                                           const std::shared_ptr<const BlockWork>& work,
                                           std::optional<uint32_t> thread) {
  if (!work || !thread) return nullptr;
  if (known && known->side() == work->side() && known->thread() == *thread) return known;
  return std::make_shared<const ThreadStory>(*work, *thread);
}

/// Nothing is worked out before it is asked for.
void keepWork(std::shared_ptr<const BlockWork>& work,
              const std::shared_ptr<const TracedKernel>& side) {
  if (!side)
    work.reset();
  else if (!work || work->side() != side)
    work = std::make_shared<const BlockWork>(side);
}

/// The last one asked for of this side; a new one where `wanted`.
void keepTable(std::shared_ptr<const PhaseTable>& table, std::shared_ptr<const TracedKernel>& of,
               const std::shared_ptr<const BlockWork>& work, bool wanted) {
  const std::shared_ptr<const TracedKernel> side = work ? work->side() : nullptr;
  if (of == side) return;
  of = wanted ? side : nullptr;
  table = wanted && work ? phaseTableOf(*work) : nullptr;
}

/// `thread` moved into the block.
uint32_t numberIn(const TracedKernel& side, const Dim3& thread) {
  const Dim3& shape = side.replay->recording().blockShape;
  return trace::numberOf({std::min(thread.x, shape.x - 1), std::min(thread.y, shape.y - 1),
                          std::min(thread.z, shape.z - 1)},
                         shape);
}

/// The thread beside it that makes the same element, else the one of the same number.
std::optional<uint32_t> twinOf(const ThreadStory& story, const TracedKernel& beside) {
  if (const std::optional<trace::Place> output = story.output())
    for (const trace::OutputElement& element : beside.end.outputs)
      if (element.place == *output && element.written) return element.writer;
  if (story.thread() < beside.replay->recording().blockShape.count()) return story.thread();
  return std::nullopt;
}

}  // namespace

void Session::chooseThread(const std::optional<Dim3>& thread) {
  change("thread", [&](Choice& choice) { choice.thread = thread; });
  endGesture();
}

void Session::moveThread(int dx, int dy) {
  if (!mainSide_) return;
  const Dim3& shape = mainSide_->replay->recording().blockShape;
  const auto moved = [](uint32_t at, int by, uint32_t size) {
    const int64_t to = std::clamp<int64_t>(int64_t{at} + by, 0, int64_t{size} - 1);
    return static_cast<uint32_t>(to);
  };
  change("thread", [&](Choice& choice) {
    const Dim3 at = choice.thread.value_or(Dim3{0, 0, 0});
    const int right = choice.thread ? dx : 0, down = choice.thread ? dy : 0;
    choice.thread = Dim3{moved(at.x, right, shape.x), moved(at.y, down, shape.y), at.z};
  });
}

void Session::showClassic() {
  SceneRequest wish;
  wish.kernel = "matmul_tiled";
  wish.tunables = {{"TILE_WIDTH", 2}};
  wish.sizes = {{"m", 4}, {"n", 4}, {"k", 4}};
  wish.thread = Dim3{0, 0, 0};
  show(wish);
  threads_.tableWanted = true;
  dirty_ = true;
}

void Session::stepThread() {
  threads_.grain = true;
  if (!choice_.thread) chooseThread(Dim3{0, 0, 0});
  dirty_ = true;
}

void Session::wantTable(bool wanted) {
  if (std::exchange(threads_.tableWanted, wanted) != wanted) dirty_ = true;
}

/// Brings stories and the thread's steps up to date with sides and choice.
void Session::tellStory() {
  std::optional<uint32_t> thread;
  if (mainSide_ && choice_.thread) thread = numberIn(*mainSide_, *choice_.thread);
  const std::shared_ptr<const ThreadStory> before = threads_.mainStory;
  keepWork(threads_.mainWork, mainSide_);
  keepWork(threads_.companionWork, companionSide_);
  threads_.mainStory = storyOf(threads_.mainStory, threads_.mainWork, thread);
  threads_.companionStory =
      storyOf(threads_.companionStory, threads_.companionWork,
              threads_.mainStory && companionSide_ ? twinOf(*threads_.mainStory, *companionSide_)
                                                   : std::nullopt);
  if (!choice_.thread) threads_.grain = false;
  const bool follows =
      threads_.grain && threads_.mainStory && !threads_.mainStory->events().empty();
  if (follows && (!stepper_.ofThread() || before != threads_.mainStory))
    stepper_.followThread(threads_.mainStory->events());
  if (!follows && stepper_.ofThread()) stepper_.followThread({});
  if (threads_.marksOf == threads_.mainStory && (threads_.marks != nullptr) == follows) return;
  threads_.marksOf = threads_.mainStory;
  threads_.marks = nullptr;
  if (!follows || threads_.mainStory->events().size() > kMostMarks) return;
  auto marks = std::make_shared<std::vector<double>>();
  for (size_t i = 0; i < threads_.mainStory->events().size(); ++i)
    marks->push_back(stepper_.shareOf(i));
  threads_.marks = std::move(marks);
}

std::shared_ptr<const ThreadView> Session::tell(ToldThread& told,
                                                const std::shared_ptr<const TracedStep>& step,
                                                const std::shared_ptr<const ThreadStory>& story) {
  if (!step || !story || step->side != story->side()) return nullptr;
  if (told.step != step || told.story != story || !told.view)
    told = {step, story, story->viewAt(*step)};
  return told.view;
}

void Session::publishThread(Snapshot& to) {
  to.position.marks = threads_.marks;
  to.mainThread = tell(threads_.mainTold, mainStep_, threads_.mainStory);
  to.companionThread = tell(threads_.companionTold, companionStep_, threads_.companionStory);
  to.mainStory = threads_.mainStory;
  to.companionStory = threads_.companionStory;
  to.mainWork = threads_.mainWork;
  to.companionWork = threads_.companionWork;
  to.tableWanted = threads_.tableWanted;
  keepTable(threads_.mainTable, threads_.mainTableOf, threads_.mainWork, threads_.tableWanted);
  keepTable(threads_.companionTable, threads_.companionTableOf, threads_.companionWork,
            threads_.tableWanted);
  to.mainTable = threads_.mainTable;
  to.companionTable = threads_.companionTable;
}

}  // namespace tilestep::model
