// SPDX-License-Identifier: Apache-2.0
// Lessons: the list of lessons, the scene of a lesson's step, and its figures.
#include "model/feature.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "base/files.h"
#include "base/library_product.h"
#include "compile/front_matter/library_kernel.h"
#include "features/lessons/hidden_texts.h"
#include "features/lessons/lesson_figures.h"
#include "features/lessons/lesson_order.h"
#include "features/lessons/progress.h"
#include "features/lessons/view.h"
#include "features/phases/view.h"
#include "model/files/saved.h"
#include "model/model.h"

namespace tilestep::features::lessons {
namespace {

constexpr Job kJob{"lessons", Urgency::lesson};

class Lessons : public Feature {
 public:
  [[nodiscard]] std::string_view id() const override { return kJob.name; }

  void start(Model& model) override {
    const auto folder = std::filesystem::path(model.options.home) / "assets" / "lessons";
    for (const std::filesystem::path& file : filesIn(folder, ".md")) {
      const auto lesson = readLesson(file.string());
      // A damaged lesson is listed by its file name. Opening it shows the error.
      lessons_.push_back({file.string(), lesson ? lesson->title : file.filename().string(),
                          lesson ? lesson->steps.size() : 0, lesson ? minutesOf(*lesson) : 0});
    }
    std::ranges::sort(lessons_, comesBefore, &LessonEntry::file);
  }

  void restore(const Place& place, Model& model) override {
    progress_.take(place.lessons);
    if (place.lesson.empty()) return;
    if (place.before) before_ = broughtBack(*place.before, model);
    Result<Lesson> lesson = readFor(model, place.lesson);
    if (!lesson) {
      model.say({Notice::Kind::error, "lesson", toString(lesson.error()), {}, {}});
      if (before_) giveBack(model);
      return before_.reset();
    }
    model.kernels.preferShipped(true);  // The kernels are read later.
    file_ = asListed(place.lesson);
    const Answered answered = answersOf(*lesson);
    player_.open(std::make_shared<const Lesson>(std::move(*lesson)), answered);
    player_.goTo(std::min(place.lessonStep, player_.view().lesson->steps.size() - 1));
    model.measuringWanted = step().scene.device == SceneRequest::kMeasured;
    openProgram(model);
  }

  void save(Place& place) const override {
    place.lessons = progress_.all();
    if (!player_.isOpen()) return;
    if (before_) {
      const Choice& choice = before_->bookmark.choice;
      place.before =
          BeforeLesson{choice, {}, {}, keptPosition(before_->bookmark.place), before_->table};
      place.before->choice.pins.reset();  // Saved in a separate file.
      place.before->choice.looks = {};
      place.before->choice.looks.switches = choice.looks.switches;
    }
    place.lesson = wholePath(file_);
    place.lessonStep = player_.view().index;
  }

  bool apply(const Command& command, Model& model) override {
    static const auto table = CommandTable<Lessons>()
                                  .add("open", &Lessons::open)
                                  .add("restart", &Lessons::restart)
                                  .add("close", &Lessons::close)
                                  .add("stay", &Lessons::stay)
                                  .add("keep", &Lessons::keepPlace)
                                  .add("return", &Lessons::returnToPlace)
                                  .add("step", &Lessons::goTo)
                                  .add("answer", &Lessons::answer)
                                  .add("hint", &Lessons::hint)
                                  .add("reveal", &Lessons::reveal);
    return table.apply(*this, model, command);
  }

  /// Recomputes the figures with the present kernels.
  void want(Model& model) override {
    figures_.show(shownDevice(*model.resolved));
    if (!player_.isOpen() || kernels_ == model.kernels.catalogue()) return;
    openFigures(model);
    learn(model);
  }

  /// Requests the next run after each answer, and collects recordings that have been read.
  void poll(Model& model) override {
    // A lesson's text does not use its scene's times, so a missing recording is no problem.
    if (player_.isOpen()) model.clearNotice("recording");
    if (figures_.poll()) learn(model);
    if (model.workerFailed && !model.jobs.connected()) {
      while (figures_.wanted() != nullptr) {
        figures_.acceptError("there is no worker that could run it");
        learn(model);
      }
    }
    const Request* wanted = figures_.wanted();
    if (wanted == nullptr) {
      if (!std::exchange(asked_, {}).empty()) model.jobs.drop(kJob);
      return;
    }
    if (model.jobs.waitsOrRuns(kJob) && asked_ == wanted->key) return;
    asked_ = wanted->key;
    model.jobs.want(kJob, *wanted, model.now);
  }

  void accept(const Arrival& arrival, Model& model) override {
    // Another lesson may have been opened since the request.
    const Request* wanted = figures_.wanted();
    if (wanted == nullptr || arrival.key != wanted->key) return;
    if (const auto* result = worker::resultOf(arrival.reply))
      figures_.accept(*result);
    else if (const Error* error = std::get_if<Error>(&arrival.reply.body))
      figures_.acceptError(error->message);
    learn(model);
  }

  [[nodiscard]] bool works() const override { return figures_.reads(); }

  [[nodiscard]] ViewPointer view(const Moment& /*moment*/) override {
    auto view = std::make_shared<LessonsView>();
    view->lessons = lessons_;
    for (LessonEntry& entry : view->lessons) progress_.describe(entry);
    view->pending = figures_.reads();
    if (!player_.isOpen()) return view;
    view->file = file_;
    view->givesBack = before_.has_value();
    const auto here = std::ranges::find(view->lessons, file_, &LessonEntry::file);
    if (here != view->lessons.end() && here + 1 != view->lessons.end()) view->next = *(here + 1);
    view->lesson = player_.view();
    view->lesson->shown = figures_.filled(view->lesson->index);
    return view;
  }

 private:
  /// Opens a lesson's file at the user's last step, or at the first step if the user had reached
  /// the end. After an error, shows a notice and keeps the open lesson.
  void open(Model& model, const std::string& file) {
    Result<Lesson> lesson = readFor(model, file);
    model.changed = true;
    if (!lesson)
      return model.say({Notice::Kind::error, "lesson", toString(lesson.error()), {}, {}});
    model.clearNotice("lesson");
    if (!player_.isOpen()) {
      before_ = Before{model.bookmark(), isTableShown(model)};
      preferShippedKernels(model, true);
    }
    file_ = asListed(file);
    if (isListed()) progress_.begin(file_, *lesson);
    const size_t index = isListed() ? progress_.stepOf(file_, *lesson) : 0;
    const Answered answered = answersOf(*lesson);
    player_.open(std::make_shared<const Lesson>(std::move(*lesson)), answered);
    openFigures(model);
    goTo(model, index);
  }

  /// Opens a lesson at its first step, with all answers cleared.
  void restart(Model& model, const std::string& file) {
    progress_.startOver(file);
    open(model, file);
  }

  void close(Model& model) {
    if (!player_.isOpen()) return;
    if (before_) {
      giveBack(model);
    } else {
      model.place.reset();
      model.measuringWanted = false;
    }
    leave(model, true);
  }

  /// Restores the state from before the lesson. Later changes to appearance and pins remain.
  void giveBack(Model& model) const {
    Bookmark back = before_->bookmark;
    back.choice.looks.desk = model.choice.looks.desk;
    back.choice.looks.presentation = model.choice.looks.presentation;
    model.returnTo(back);
    if (model.choice != before_->bookmark.choice)
      model.undo.changing(before_->bookmark.choice, "lesson");
    model.endGesture();
    model.ask(command("phases.table", before_->table));
    model.ask(command("sums.ladder", false));
  }

  /// Closes the lesson and keeps its scene.
  void stay(Model& model) {
    model.place.reset();
    model.measuringWanted = false;
    leave(model, false);
  }

  /// `givesBack` reopens the program that was open before the lesson's program.
  void leave(Model& model, bool givesBack) {
    model.ask(command("program.leave_example", givesBack));
    preferShippedKernels(model, false);
    player_.close();
    figures_.close();
    before_.reset();
    model.changed = true;
  }

  /// An automatic walk leaves no trace, because returnToPlace() restores step and verdict.
  void keepPlace(Model& /*model*/) { kept_ = player_; }
  bool returnToPlace(Model& model) {
    if (!kept_ || kept_->view().lesson != player_.view().lesson) return false;
    player_ = *std::exchange(kept_, std::nullopt);
    return model.changed = true;
  }

  /// Goes to a step of the open lesson, counted from 0, and shows its scene.
  void goTo(Model& model, size_t index) {
    if (!player_.goTo(index)) return;
    model.show(step().scene);
    const bool ofSums = step().stage == nameOf(Stage::sums);
    model.ask(command("phases.table", step().table && !ofSums));
    model.ask(command("sums.ladder", step().table && ofSums));
    openProgram(model);
    learn(model);
  }

  /// `value` is a number, or the index of the chosen answer, counted from 1.
  void answer(Model& model, double value) {
    if (!player_.isOpen()) return;
    player_.answer(value, *figures_.filled(player_.view().index));
    keepProgress(model);
  }

  void hint(Model& model) {
    player_.hint();
    model.changed = true;
  }

  void reveal(Model& model) {
    player_.reveal(rightAnswer());
    keepProgress(model);
  }

  /// Saves the progress, except during an automatic walk.
  void keepProgress(Model& model) {
    model.changed = true;
    if (player_.isOpen() && isListed() && !kept_) progress_.note(file_, player_);
  }

  /// Lessons use the kernels that come with Tilestep, even if the user's kernel has the same name.
  static void preferShippedKernels(Model& model, bool only) {
    model.kernels.preferShipped(only);
    model.readKernels();
  }

  /// Reads the lesson in the file. Errors: the lesson is damaged, or does not fit Tilestep's own
  /// kernels, which are read directly because the catalogue may not contain them yet.
  static Result<Lesson> readFor(const Model& model, const std::string& file) {
    Result<Lesson> lesson = readLesson(file);
    if (!lesson) return lesson;
    const Status fits = checkHiddenTexts(*lesson, file, [&](const std::string& kernel) {
      auto shipped = compile::findKernel(model.options.home + "/kernels", kernel);
      if (shipped) return shipped;
      const std::string given = model.kernels.fileOf(kernel);
      return model.kernels.find(given.empty() ? kernel : given);
    });
    return fits ? std::move(lesson) : Result<Lesson>(fits.error());
  }

  /// Requests the figures of the open lesson with the present kernels.
  void openFigures(const Model& model) {
    kernels_ = model.kernels.catalogue();
    const auto source = [&](const std::string& kernel) -> Result<compile::KernelSource> {
      if (isLibraryProduct(kernel)) return compile::libraryKernel(kernel);
      if (const compile::CatalogueEntry* entry = findEntry(*kernels_, kernel)) return entry->source;
      return requestError("there is no kernel " + kernel + " in kernels/");
    };
    figures_.open(player_.view().lesson, model.options.home, source);
  }

  static std::optional<device::DeviceInfo> shownDevice(const Resolved& of) {
    if (of.known != nullptr) return of.known->info();
    return of.measures() ? std::optional(*of.device) : std::nullopt;
  }

  void learn(Model& model) {
    player_.learn(rightAnswer());
    keepProgress(model);
  }

  /// A file's path; for a listed lesson, its path in the list.
  [[nodiscard]] std::string asListed(const std::string& file) const {
    std::error_code missing;
    for (const LessonEntry& entry : lessons_)
      if (std::filesystem::equivalent(entry.file, file, missing)) return entry.file;
    return file;
  }

  [[nodiscard]] bool isListed() const {
    return std::ranges::find(lessons_, file_, &LessonEntry::file) != lessons_.end();
  }

  /// The answers to the open lesson; none for an unlisted lesson of the same name.
  [[nodiscard]] Answered answersOf(const Lesson& lesson) const {
    return isListed() ? progress_.answersOf(file_, lesson) : Answered{};
  }

  [[nodiscard]] static bool isTableShown(const Model& model) {
    return model.shown->view<PhasesView>().wanted;
  }

  /// Opens the step's program, if it has one.
  void openProgram(Model& model) {
    if (!step().program.empty()) model.ask(command("program.example", step().program));
  }

  [[nodiscard]] const LessonStep& step() const { return player_.view().step(); }
  [[nodiscard]] RightAnswer rightAnswer() const {
    const bool asks = player_.isOpen() && step().ask;
    return asks ? figures_.answerTo(*step().ask) : RightAnswer{};
  }

  /// The state before the lesson was opened.
  struct Before {
    Bookmark bookmark;
    bool table = false;  ///< The table of execution phases is shown.
  };

  /// The saved state. Only the appearance's switches were saved.
  static Before broughtBack(const BeforeLesson& saved, const Model& model) {
    Choice choice = saved.choice;
    choice.looks.desk = model.choice.looks.desk;
    choice.looks.presentation = model.choice.looks.presentation;
    return {{std::move(choice), {}, saved.scene, false}, saved.table};
  }

  std::vector<LessonEntry> lessons_;  ///< The user's progress is not included.
  ProgressOfLessons progress_;
  std::optional<Before> before_;
  LessonPlayer player_;
  std::optional<LessonPlayer> kept_;  ///< The state when keepPlace() was called.
  std::string file_;                  ///< The open lesson's file.
  LessonFigures figures_;
  CataloguePointer kernels_;  ///< The kernels that the figures were opened with.
  std::string asked_;         ///< The key of the requested run.
};

}  // namespace

std::unique_ptr<Feature> make() {
  return std::make_unique<Lessons>();
}

}  // namespace tilestep::features::lessons
