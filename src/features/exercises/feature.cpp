// SPDX-License-Identifier: Apache-2.0
// Exercises: faulty listings, hints, the values read for an element, and the user's file.
#include "model/feature.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <utility>

#include "features/exercises/attempt.h"
#include "features/exercises/copy_file.h"
#include "features/exercises/story_table.h"
#include "features/exercises/view.h"
#include "model/files/saved.h"
#include "model/model.h"
#include "model/text/step_summary.h"
#include "model/text/traffic.h"

namespace tilestep::features::exercises {
namespace {

constexpr Job kJob{"exercises", Urgency::lesson};
constexpr double kDelaySeconds = 0.05;  ///< Lets the scene's run start first.

class Exercises : public Feature {
 public:
  [[nodiscard]] std::string_view id() const override { return kJob.name; }
  [[nodiscard]] std::vector<TableKind> tables() const override {
    return {{"exercise", "the exercise's output", exerciseTable},
            {"origin", "the values read for the element", originTable}};
  }

  void start(Model& model) override {
    std::vector<Error> errors;
    exercises_ =
        std::make_shared<const std::vector<Exercise>>(readExercises(model.options.home, &errors));
    if (errors.empty()) return;
    const Error& first = errors.front();
    model.say({Notice::Kind::error,
               "exercises",
               "This exercise cannot be used: " + first.message,
               placeOf(first),
               {}});
  }

  /// Adds the exercises' kernels again, because a choice cannot name them as files.
  void restore(const Place& place, Model& model) override {
    begun_ = place.exercises;
    open_ = find(place.exercise);
    listing_ = !hasFile(model);
    for (const std::string& kernel :
         {place.exercise, model.choice.kernel, model.choice.comparison.kernel,
          place.before ? place.before->choice.kernel : std::string()})
      if (const std::optional<size_t> at = find(kernel)) addKernel(model, *at);
  }
  void save(Place& place) const override {
    place.exercises = begun_;
    if (open_) place.exercise = exercise().id;
  }

  bool apply(const Command& command, Model& model) override {
    static const auto table = CommandTable<Exercises>()
                                  .add("open", &Exercises::open)
                                  .add("close", &Exercises::close)
                                  .add("hint", &Exercises::hint)
                                  .add("copy", &Exercises::copy)
                                  .add("listing", &Exercises::showListing)
                                  .add("check", &Exercises::check)
                                  .add("cancel", &Exercises::cancel)
                                  .add("element", &Exercises::choose)
                                  .add("next_wrong", &Exercises::chooseNextWrong)
                                  .add("watch", &Exercises::watch);
    return table.apply(*this, model, command);
  }

  /// Judges each saved version of the user's file.
  void want(Model& model) override {
    const compile::CatalogueEntry* entry = ownEntry(model);
    if (entry == nullptr) return model.jobs.drop(kJob);
    if (!attempt_.isOf(*entry)) {
      attempt_ = Attempt(exercise(), *entry);
      model.changed = true;
    }
    const std::optional<lab::Experiment> next = attempt_.next(exercise());
    if (!next) return model.jobs.drop(kJob);
    const Request request(*next);
    wanted_ = request.key;
    model.jobs.want(kJob, request, model.now + kDelaySeconds);
  }

  void accept(const Arrival& arrival, Model& model) override {
    if (!open_ || arrival.key != wanted_) return;
    wanted_.clear();
    if (const auto* result = worker::resultOf(arrival.reply))
      attempt_.take(*result);
    else if (const auto* error = std::get_if<Error>(&arrival.reply.body))
      attempt_.take(*error);
    if (attempt_.passed()) begun_[exercise().id] = true;
    model.changed = true;
  }

  [[nodiscard]] ViewPointer view(const Moment& moment) override {
    auto view = std::make_shared<ExercisesView>();
    view->exercises = exercises_;
    for (const Exercise& one : *exercises_) view->states.push_back(stateOf(one.id));
    if (!open_) return view;
    view->open = open_;
    view->hints = hints_;
    view->listing = listing_;
    view->attempt = attempt_.view();
    if (!watched_) return view;
    if (hasFile(moment.model)) view->file = fileOf(moment.model, exercise()).string();
    view->isShown = moment.shared.choice.kernel == exercise().id;
    if (view->isShown && moment.shared.broken)
      view->problems.push_back({moment.shared.broken->message, moment.shared.broken->line});
    else if (view->isShown && moment.shared.main &&
             moment.shared.main->side->kernel == exercise().id)
      addLaunch(*moment.shared.main, *view);
    return view;
  }

 private:
  bool open(Model& model, const std::string& id) {
    const std::optional<size_t> at = find(id);
    if (!at) return false;
    open_ = at;
    begun_.try_emplace(id, false);
    hints_ = 0;
    forgetOutput();
    attempt_ = {};
    listing_ = !hasFile(model);
    addKernel(model, *at);
    model.readKernels();
    show(model);
    return true;
  }

  bool close(Model& model) {
    if (!open_) return false;
    open_.reset();
    attempt_ = {};
    forgetOutput();
    model.choiceChanged = true;  // Drops the job.
    return model.changed = true;
  }

  bool hint(Model& model) {
    if (!open_ || hints_ == exercise().hints.size()) return false;
    ++hints_;
    return model.changed = true;
  }

  /// Copies the listing to a file for the user, or keeps an existing file, and shows the file.
  bool copy(Model& model) {
    if (!open_ || folderOf(model).empty()) return false;
    const Status written = writeUnlessThere(fileOf(model, exercise()), exercise().listing);
    model.clearNotice("exercises");
    if (!written) {
      model.say({Notice::Kind::error, "exercises", written.error().message, {}, {}});
      return false;
    }
    return showListing(model, false);
  }

  bool showListing(Model& model, bool listing) {
    if (!open_ || (!listing && !hasFile(model))) return false;
    listing_ = listing;
    attempt_ = {};
    element_.reset();
    addKernel(model, *open_);
    model.readKernels();
    if (model.choice.kernel != exercise().id) show(model);
    return model.changed = true;
  }

  bool check(Model& model) {
    if (!open_ || listing_) return false;
    attempt_ = {};
    if (model.choice.kernel != exercise().id) show(model);
    return model.choiceChanged = model.changed = true;
  }

  bool cancel(Model& model) {
    if (!open_ || attempt_.view().state != AttemptView::State::running) return false;
    attempt_.cancel();
    wanted_.clear();  // Ignores a pending answer.
    return model.choiceChanged = model.changed = true;
  }

  /// Chooses an element of the output by its index; absent chooses no element.
  bool choose(Model& model, std::optional<uint64_t> element) {
    if (!open_) return false;
    element_ = element;
    return model.changed = true;
  }

  /// Chooses the next wrong element; after the last, the first.
  bool chooseNextWrong(Model& model) {
    if (!open_ || !cells_) return false;
    const std::vector<OutputCell>& cells = cells_->cells;
    const uint64_t from = element_ ? *element_ + 1 : 0;
    for (uint64_t i = 0; i < cells.size(); ++i) {
      const uint64_t at = (from + i) % cells.size();
      if (cells[at].state == OutputCell::State::wrong) return choose(model, at);
    }
    return false;
  }

  /// Whether the stage is visible. While it is hidden, the user's file is not read, problems are
  /// not collected, and the output's cells are not made.
  void watch(Model& model, bool watched) {
    if (std::exchange(watched_, watched) == watched) return;
    if (!watched) forgetOutput();
    model.changed = true;
  }

  /// Releases the cells and the story, which keep a whole trace in memory.
  void forgetOutput() {
    element_.reset();
    cellsOf_.reset();
    cells_.reset();
    story_.reset();
  }

  /// Chooses the launch that shows the symptom, in a single change.
  void show(Model& model) const {
    SceneRequest scene;
    scene.kernel = exercise().id;
    scene.sizes = exercise().shown.sizes;
    scene.tunables = exercise().shown.tunables;
    scene.block = exercise().block;
    scene.comparison = Comparison::kNone;
    scene.grain = model.placeNow().grain;
    model.show(scene);
  }

  void addKernel(Model& model, size_t at) const {
    const Exercise& one = (*exercises_)[at];
    const bool listing = open_ == at ? listing_ : !isThere(fileOf(model, one));
    KernelUnderSpec kernel{fileOf(model, one), one.spec, std::nullopt};
    if (listing) {
      kernel.path = one.id + ".cu";
      kernel.text = one.listing;
    }
    model.kernels.add(std::move(kernel));
  }

  void addLaunch(const TracedStep& step, ExercisesView& view) {
    const TracedKernel& kernel = *step.side;
    const lab::RunResult& result = *kernel.result;
    for (const device::Fault& fault : result.faults)
      view.problems.push_back(
          {fault.message + (device::endsLaunch(fault) ? " The launch was stopped there." : ""),
           fault.at.line});
    if (result.hazards)
      for (const device::Hazard& hazard : *result.hazards)
        view.problems.push_back({hazard.message, hazard.second.line});
    view.launch = sizesText(result.plan.sizes);
    for (const auto& [name, value] : result.plan.tunables)
      view.launch += (view.launch.empty() ? "" : ", ") + name + " = " + std::to_string(value);
    view.launch += ", " + blockText(kernel.replay->recording().block);
    if (std::exchange(cellsOf_, step.side) != step.side) {
      cells_ = outputCellsOf(kernel);
      story_.reset();
    }
    view.cells = cells_;
    if (!cells_ || !element_ || *element_ >= cells_->cells.size()) return;
    if (!story_ || story_->element != *element_)
      story_ = std::make_shared<const ElementStory>(storyOf(kernel, cells_->expected, *element_));
    view.story = story_;
  }

  /// The catalogue's entry for the user's file; null unless an exercise is open and shows the file.
  [[nodiscard]] const compile::CatalogueEntry* ownEntry(const Model& model) const {
    if (!open_ || listing_ || model.choice.kernel != exercise().id) return nullptr;
    const compile::CatalogueEntry* entry = findEntry(*model.kernels.catalogue(), exercise().id);
    return entry;
  }

  [[nodiscard]] static std::filesystem::path folderOf(const Model& model) {
    const std::filesystem::path own = model.options.ownKernels;
    return own.empty() ? own : own.parent_path() / "exercises";
  }
  [[nodiscard]] static std::filesystem::path fileOf(const Model& model, const Exercise& exercise) {
    return folderOf(model) / (exercise.id + ".cu");
  }
  [[nodiscard]] static bool isThere(const std::filesystem::path& file) {
    std::error_code ignored;
    return std::filesystem::is_regular_file(file, ignored);
  }
  [[nodiscard]] bool hasFile(const Model& model) const {
    return open_ && !folderOf(model).empty() && isThere(fileOf(model, exercise()));
  }

  [[nodiscard]] std::optional<size_t> find(const std::string& id) const {
    const auto at = std::ranges::find(*exercises_, id, &Exercise::id);
    if (at == exercises_->end()) return std::nullopt;
    return static_cast<size_t>(at - exercises_->begin());
  }
  [[nodiscard]] ExerciseState stateOf(const std::string& id) const {
    const auto at = begun_.find(id);
    return at == begun_.end() ? ExerciseState::untouched
           : at->second       ? ExerciseState::passed
                              : ExerciseState::begun;
  }
  [[nodiscard]] const Exercise& exercise() const { return (*exercises_)[*open_]; }

  std::shared_ptr<const std::vector<Exercise>> exercises_ =
      std::make_shared<const std::vector<Exercise>>();
  std::map<std::string, bool> begun_;  ///< By exercise id: whether the exercise was passed.
  std::optional<size_t> open_;
  size_t hints_ = 0;
  bool listing_ = true, watched_ = false;
  std::optional<uint64_t> element_;
  Attempt attempt_;
  std::string wanted_;  ///< The key of the requested launch.
  std::shared_ptr<const TracedKernel> cellsOf_;
  std::shared_ptr<const OutputCells> cells_;
  std::shared_ptr<const ElementStory> story_;
};

}  // namespace

std::unique_ptr<Feature> make() {
  return std::make_unique<Exercises>();
}

}  // namespace tilestep::features::exercises
