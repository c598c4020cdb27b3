// SPDX-License-Identifier: Apache-2.0
// The chosen thread: its story, its steps, and the table of all threads' phases.
#include <algorithm>
#include <utility>

#include "session/session.h"

namespace tilestep::session {
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
void keepWork(std::shared_ptr<const BlockWork>& work, const std::shared_ptr<const Side>& side) {
  if (!side)
    work.reset();
  else if (!work || work->side() != side)
    work = std::make_shared<const BlockWork>(side);
}

/// The last one asked for of this side; a new one where `wanted`.
void keepTable(std::shared_ptr<const PhaseTable>& table, std::shared_ptr<const Side>& of,
               const std::shared_ptr<const BlockWork>& work, bool wanted) {
  const std::shared_ptr<const Side> side = work ? work->side() : nullptr;
  if (of == side) return;
  of = wanted ? side : nullptr;
  table = wanted && work ? phaseTableOf(*work) : nullptr;
}

/// `thread` moved into the block.
uint32_t numberIn(const Side& side, const Dim3& thread) {
  const Dim3& shape = side.replay->recording().blockShape;
  return trace::numberOf({std::min(thread.x, shape.x - 1), std::min(thread.y, shape.y - 1),
                          std::min(thread.z, shape.z - 1)},
                         shape);
}

/// The thread beside it that makes the same element, else the one of the same number.
std::optional<uint32_t> twinOf(const ThreadStory& story, const Side& beside) {
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
  SceneWish wish;
  wish.kernel = "matmul_tiled";
  wish.tunables = {{"TILE_WIDTH", 2}};
  wish.sizes = {{"m", 4}, {"n", 4}, {"k", 4}};
  wish.thread = Dim3{0, 0, 0};
  show(wish);
  tableWanted_ = true;
  dirty_ = true;
}

void Session::stepThread() {
  threadGrain_ = true;
  if (!choice_.thread) chooseThread(Dim3{0, 0, 0});
  dirty_ = true;
}

void Session::wantTable(bool wanted) {
  if (std::exchange(tableWanted_, wanted) != wanted) dirty_ = true;
}

/// Brings stories and the thread's steps up to date with sides and choice.
void Session::tellStory() {
  std::optional<uint32_t> thread;
  if (mainSide_ && choice_.thread) thread = numberIn(*mainSide_, *choice_.thread);
  const std::shared_ptr<const ThreadStory> before = mainStory_;
  keepWork(mainWork_, mainSide_);
  keepWork(companionWork_, companionSide_);
  mainStory_ = storyOf(mainStory_, mainWork_, thread);
  companionStory_ =
      storyOf(companionStory_, companionWork_,
              mainStory_ && companionSide_ ? twinOf(*mainStory_, *companionSide_) : std::nullopt);
  if (!choice_.thread) threadGrain_ = false;
  const bool follows = threadGrain_ && mainStory_ && !mainStory_->events().empty();
  if (follows && (!stepper_.ofThread() || before != mainStory_))
    stepper_.followThread(mainStory_->events());
  if (!follows && stepper_.ofThread()) stepper_.followThread({});
  if (marksOf_ == mainStory_ && (marks_ != nullptr) == follows) return;
  marksOf_ = mainStory_;
  marks_ = nullptr;
  if (!follows || mainStory_->events().size() > kMostMarks) return;
  auto marks = std::make_shared<std::vector<double>>();
  for (size_t i = 0; i < mainStory_->events().size(); ++i) marks->push_back(stepper_.shareOf(i));
  marks_ = std::move(marks);
}

std::shared_ptr<const ThreadView> Session::tell(Told& told,
                                                const std::shared_ptr<const SideStep>& step,
                                                const std::shared_ptr<const ThreadStory>& story) {
  if (!step || !story || step->side != story->side()) return nullptr;
  if (told.step != step || told.story != story || !told.view)
    told = {step, story, story->viewAt(*step)};
  return told.view;
}

void Session::publishThread(Snapshot& to) {
  to.position.marks = marks_;
  to.mainThread = tell(mainTold_, mainStep_, mainStory_);
  to.companionThread = tell(companionTold_, companionStep_, companionStory_);
  to.mainStory = mainStory_;
  to.companionStory = companionStory_;
  to.mainWork = mainWork_;
  to.companionWork = companionWork_;
  to.tableWanted = tableWanted_;
  keepTable(mainTable_, mainTableOf_, mainWork_, tableWanted_);
  keepTable(companionTable_, companionTableOf_, companionWork_, tableWanted_);
  to.mainTable = mainTable_;
  to.companionTable = companionTable_;
}

}  // namespace tilestep::session
