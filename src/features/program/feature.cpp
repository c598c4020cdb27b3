// SPDX-License-Identifier: Apache-2.0
// A whole program that the user opens and edits. It runs in a separate process, and the user can
// step through each of its launches.
#include "model/feature.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "base/files.h"
#include "compile/text/host_part.h"
#include "compile/text/text_constants.h"
#include "features/program/drafts.h"
#include "features/program/example.h"
#include "features/program/kernel_copy.h"
#include "features/program/launch_steps.h"
#include "features/program/open_text.h"
#include "features/program/outcomes.h"
#include "features/program/program_table.h"
#include "features/program/running.h"
#include "features/program/sliders.h"
#include "features/program/summary_choice.h"
#include "features/program/trials.h"
#include "features/program/view.h"
#include "features/program/words.h"
#include "model/model.h"

namespace tilestep::features::program {
namespace {

using State = ProgramView::State;

constexpr double kWatchSeconds = 0.5;
/// The changed program runs after this pause in typing.
constexpr double kPauseSeconds = 0.6;
/// The same pause for sliders.
constexpr double kSliderSeconds = 0.15;

class Program : public Feature {
 public:
  [[nodiscard]] std::string_view id() const override { return ProgramView::kFeature; }
  [[nodiscard]] std::vector<TableKind> tables() const override {
    return {{"program", "the program's steps", programTable},
            {"findings", "the program's findings", findingsTable}};
  }

  void start(Model& model) override {
    drafts_ = std::make_unique<Drafts>(model.options.programFolder);
    text_ = std::make_unique<OpenText>(*drafts_);
    runner_ = model.options.programRunner;
    recent_ = drafts_->recent();
    if (!model.options.program.empty()) open(model, model.options.program);
  }

  /// Opens the chosen launch's program again, because a choice cannot name a launch as a file.
  void restore(const Place& /*place*/, Model& model) override {
    const size_t sign = model.choice.kernel.rfind(" #");
    if (sign == std::string::npos) return;
    const std::string stem = model.choice.kernel.substr(0, sign);
    model.choice.kernel = "matmul_tiled";
    if (text_->isOpen()) return;
    const auto known = std::ranges::find_if(recent_, [&](const std::string& path) {
      return std::filesystem::path(path).stem() == stem;
    });
    std::error_code ignored;
    if (known == recent_.end() || !std::filesystem::is_regular_file(*known, ignored)) return;
    reopen(model, *known);
  }

  bool apply(const Command& command, Model& model) override {
    static const auto table = CommandTable<Program>()
                                  .add("open", &Program::open)
                                  .add("close", &Program::close)
                                  .add("run", &Program::run)
                                  .add("stop", &Program::stop)
                                  .add("arguments", &Program::takeArguments)
                                  .add("input", &Program::send)
                                  .add("end_input", &Program::endInput)
                                  .add("edit", &Program::edit)
                                  .add("save", &Program::save)
                                  .add("save_as", &Program::saveAs)
                                  .add("revert", &Program::revert)
                                  .add("copy_kernel", &Program::copyKernel)
                                  .add("example", &Program::example)
                                  .add("leave_example", &Program::leaveExample)
                                  .add("mark", &Program::mark)
                                  .add("return_to", &Program::returnTo)
                                  .add("take_fix", &Program::takeFix)
                                  .add("only_hints", &Program::setOnlyHints)
                                  .add("set", &Program::set)
                                  .add("try_all", &Program::tryAll)
                                  .add("undo", &Program::undo)
                                  .add("redo", &Program::redo)
                                  .add("finding", &Program::chooseFinding)
                                  .add("infer", &Program::setInferred)
                                  .add("launch", &Program::chooseLaunch);
    return table.apply(*this, model, command);
  }

  void want(Model& model) override { launches_.want(model); }

  void accept(const Arrival& arrival, Model& model) override {
    if (summary_ && launches_.accept(arrival, model, *summary_)) changed(model);
  }

  void poll(Model& model) override {
    if (running_ && running_->poll()) {
      changed(model);
      if (running_->hasEnded()) takeResult(model);
    }
    if (runAt_ && model.now >= *runAt_) begin(model);
    pollTrials(model);
    if (model.now >= nextWatch_) watch(model);
  }
  [[nodiscard]] bool works() const override {
    return running_ != nullptr || runAt_.has_value() || !trials_.isIdle();
  }

  [[nodiscard]] ViewPointer view(const Moment& moment) override {
    const TracedStep* step = moment.shared.main.get();
    const bool isInScene =
        step == nullptr || (text_->isOpen() && step->side->sourceText == *text_->text());
    if (shown_ && std::exchange(isInScene_, isInScene) == isInScene) return shown_;
    isInScene_ = isInScene;
    auto view = std::make_shared<ProgramView>();
    view->recent = recent_;
    view->output = output_;
    if (text_->isOpen()) fill(*view);
    return shown_ = std::move(view);
  }

 private:
  void changed(Model& model) {
    shown_.reset();
    model.changed = true;
  }
  void say(Model& model, Notice::Kind kind, std::string text) {
    model.say({kind, "program", std::move(text), {}, {}});
  }

  // --- The text ---

  bool open(Model& model, const std::string& given) {
    const std::filesystem::path path = wholePath(given);
    const Result<std::string> text = readTextFile(path, OpenText::kMostBytes);
    if (!text) {
      say(model, Notice::Kind::error, text.error().message);
      return false;
    }
    // A kernel file with front matter is chosen like the kernels that come with Tilestep.
    if (!compile::isProgram(path, *text) && hasFrontMatter(path, *text)) {
      model.ask(command("choice.kernel", path.string()));
      return true;
    }
    model.clearNotice("program");
    model.ask(command("first_minute.close"));
    forget(model);
    switch (text_->open(path, *text)) {
      case OpenText::Draft::none:
        break;
      case OpenText::Draft::taken:
        say(model, Notice::Kind::info,
            "Unsaved changes of " + text_->name() + " were restored. Revert discards them.");
        break;
      case OpenText::Draft::kept:
        say(model, Notice::Kind::warning,
            text_->name() +
                " was changed by another program. Your unsaved changes are among "
                "the versions.");
    }
    ++openings_;
    drafts_->addRecent(path);
    recent_ = drafts_->recent();
    compilesNext_ = isRestored_;  // The user has not requested a run.
    return begin(model);
  }

  bool close(Model& model) {
    if (!text_->isOpen()) return false;
    forget(model);
    changed(model);
    return true;
  }

  void forget(Model& model) {
    if (text_->isOpen()) {
      model.kernels.removeLaunches(text_->path().string(), {});
      if (model.choice.kernel.find(" #") != std::string::npos)
        model.change("kernel", [](Choice& choice) { choice.kernel = "matmul_tiled"; });
      model.readKernels();
    }
    text_->close();
    beforeLesson_.reset();
    running_.reset();
    runAt_.reset();
    trials_.end();
    outcomes_.clear();
    hostRan_.reset();
    compilesNext_ = false;
    summary_.reset();
    refusal_.reset();
    arguments_.clear();
    output_ = std::make_shared<const std::string>();
    launches_.forget();
    finding_ = 0;
    state_ = State::none;
  }

  /// After a change of the text, shows its outcome if known, or runs it after `after` seconds.
  bool take(Model& model, bool isChanged, double after) {
    if (!isChanged) return false;
    changed(model);
    if (!text_->trouble().empty())
      say(model, Notice::Kind::warning, "Unsaved changes: " + text_->trouble());
    launches_.stop();  // The launch belongs to the previous text.
    if (const Outcome* known = outcomes_.find(*text_->text(), arguments_)) {
      running_.reset();
      runAt_.reset();
      compilesNext_ = false;
      show(model, *known);
    } else {
      runAt_ = model.now + after;
    }
    return true;
  }
  /// Like take(), but always runs the text instead of only compiling it.
  bool takeAndRun(Model& model, bool isChanged, double after = 0) {
    if (isChanged) compilesNext_ = false;
    return take(model, isChanged, after);
  }

  /// Ends the gesture after a pause, so that later changes are a separate undo step.
  void noteChange(const Model& model) {
    constexpr double kPause = 1.5;
    if (model.now - changedAt_ > kPause) text_->endGesture();
    changedAt_ = model.now;
  }

  bool edit(Model& model, const std::string& text) {
    noteChange(model);
    if (!text_->type(text)) return false;
    // Running host code may have external effects, so the user must start it.
    compilesNext_ = !hostRan_ || compile::hostPart(text) != compile::hostPart(*hostRan_);
    return take(model, true, kPauseSeconds);
  }
  /// Changes a number in the text.
  bool set(Model& model, const std::string& name, int64_t value) {
    const compile::TextConstant* constant = text_->constant(name);
    if (constant == nullptr || value < 1) return false;
    noteChange(model);
    std::string text = compile::withValue(*text_->text(), *constant, value);
    return takeAndRun(model, text_->replace(std::move(text), "set " + name), kSliderSeconds);
  }
  bool undo(Model& model) { return takeAndRun(model, text_->undo()); }
  bool redo(Model& model) { return takeAndRun(model, text_->redo()); }
  bool revert(Model& model) { return takeAndRun(model, text_->revert()); }
  bool returnTo(Model& model, const std::string& name) {
    return takeAndRun(model, text_->returnTo(name));
  }
  bool mark(Model& model, const std::string& name) {
    if (!text_->mark(name)) return false;
    changed(model);
    return true;
  }

  bool save(Model& model) {
    return text_->isOpen() && !text_->isSaved() && write(model, text_->path());
  }

  bool saveAs(Model& model, const std::string& given) {
    if (!text_->isOpen() || given.empty()) return false;
    std::filesystem::path path = wholePath(given);
    if (path.extension() != ".cu") path += ".cu";
    const std::filesystem::path before = text_->path();
    if (!write(model, path)) return false;
    if (path != before) drafts_->remove(before);
    drafts_->remove(path);
    return open(model, path.string());
  }

  bool write(Model& model, const std::filesystem::path& path) {
    for (const char* ours : {"kernels", "assets"}) {
      const std::filesystem::path folder = std::filesystem::path(model.options.home) / ours;
      if (!path.string().starts_with(folder.string() + "/")) continue;
      say(model, Notice::Kind::error,
          "Files that come with Tilestep cannot be changed. Save under another name.");
      return false;
    }
    const Status written = text_->save(path);
    say(model, written ? Notice::Kind::info : Notice::Kind::error,
        written ? "Saved as " + path.string() + "." : written.error().message);
    changed(model);
    return written.ok();
  }

  /// Opens a copy of the chosen kernel in the user's folder, as a program.
  bool copyKernel(Model& model) {
    const compile::CatalogueEntry* entry = model.entry();
    const auto& plan = model.resolved->plan;
    if (entry == nullptr || !entry->spec || !plan || entry->source.launch != nullptr) return false;
    const Result<std::string> text = programOf(entry->source, *entry->spec, *plan);
    if (!text) {
      say(model, Notice::Kind::warning, text.error().message + ".");
      return false;
    }
    const std::filesystem::path own = model.options.ownKernels;
    if (own.empty()) return false;
    const std::string name = compile::nameOf(entry->source);
    std::filesystem::path path;
    std::error_code ignored;
    for (int i = 1; path.empty() || std::filesystem::exists(path, ignored); ++i)
      path =
          own.parent_path() / "programs" / (name + (i == 1 ? "" : "-" + std::to_string(i)) + ".cu");
    std::filesystem::create_directories(path.parent_path(), ignored);
    if (const Status written = writeFileAtomically(path, *text); !written) {
      say(model, Notice::Kind::error, written.error().message + ".");
      return false;
    }
    drafts_->remove(path);
    return open(model, path.string());
  }

  /// Opens a lesson's program. If it is already open and was never run, runs it.
  bool example(Model& model, const std::string& name) {
    const std::optional<Before> earlier = beforeLesson_;
    const Before now{text_->path().string(), arguments_};
    const bool isOpened = openExample(model, *text_, name, [&](const std::string& path) {
      if (text_->path() != path) return open(model, path);
      const bool runs = running_ && !running_->onlyCompiles();
      if (!hostRan_ && !runs) (void)run(model);
      if (!beforeLesson_) beforeLesson_ = now;
      return false;
    });
    if (isOpened) beforeLesson_ = earlier ? earlier : now;
    return isOpened;
  }

  /// Called at the lesson's end. `givesBack` reopens the program from before the lesson.
  bool leaveExample(Model& model, bool givesBack) {
    if (!beforeLesson_) return false;
    const Before before = *std::exchange(beforeLesson_, std::nullopt);
    changed(model);
    if (!givesBack || before.path == text_->path()) {
      tryFix();
      return true;
    }
    if (before.path.empty()) return close(model);
    reopen(model, before.path);
    arguments_ = before.arguments;
    return true;
  }

  /// Reopens a program that the user had opened before. Compiles it, and keeps the window's stage.
  void reopen(Model& model, const std::string& path) {
    const uint64_t openings = openings_;
    isRestored_ = true;
    open(model, path);
    isRestored_ = false;
    openings_ = openings;
  }

  void watch(Model& model) {
    nextWatch_ = model.now + kWatchSeconds;
    if (!text_->isOpen()) return;
    switch (text_->watch()) {
      case OpenText::Outside::same:
        return;
      case OpenText::Outside::taken:
        compilesNext_ = false;
        begin(model);
        return;
      case OpenText::Outside::conflict:
        changed(model);
        say(model, Notice::Kind::warning,
            text_->name() +
                " was also changed by another program; Save overwrites those changes, Revert "
                "loads them.");
    }
  }

  // --- Offered changes ---

  /// In a lesson, the user has to find the fix.
  [[nodiscard]] bool givesHints() const {
    return beforeLesson_.has_value() || drafts_->onlyHints();
  }

  [[nodiscard]] std::optional<CodeFix> offeredFix() const {
    if (!summary_ || isOld() || finding_ >= summary_->findings.size() || givesHints())
      return std::nullopt;
    const lab::ProgramFinding& finding = summary_->findings[finding_];
    if (!isInFile(finding, text_->name())) return std::nullopt;
    return fixFor(finding, *text_->text());
  }

  bool takeFix(Model& model) {
    const std::optional<CodeFix> fix = offeredFix();
    if (!fix) return false;
    return takeAndRun(model, text_->replace(fix->text, "fix " + fix->title));
  }

  bool setOnlyHints(Model& model, bool hints) {
    drafts_->setOnlyHints(hints);
    tryFix();
    changed(model);
    return true;
  }

  /// Runs the text with the offered change to find out its effect.
  void tryFix() {
    if (!trials_.isIdle()) return;
    const std::optional<CodeFix> fix = offeredFix();
    // Host code runs only if the user requests it.
    if (!fix || compile::hostPart(fix->text) != compile::hostPart(*text_->text())) return;
    if (outcomes_.find(fix->text, arguments_) == nullptr) trials_.add(fix->text);
  }

  void addFix(ProgramView& view) const {
    view.onlyHints = drafts_->onlyHints();
    view.givesHints = givesHints();
    const lab::ProgramFinding* finding = view.chosenFinding();
    if (finding == nullptr || view.isOld) return;
    view.hint = hintFor(*finding);
    view.fix = offeredFix();
    const Outcome* known = view.fix ? outcomes_.find(view.fix->text, arguments_) : nullptr;
    view.fixIsTried = known != nullptr || (view.fix && compile::hostPart(view.fix->text) !=
                                                           compile::hostPart(*text_->text()));
    if (known == nullptr) return;
    view.fixOutcome = fixOutcomeOf(*known, *view.summary);
    if (!helps(*known, *view.summary)) view.fix.reset();
  }

  // --- All values of a slider ---

  bool tryAll(Model& model, const std::string& name) {
    trials_.end();
    changed(model);
    const compile::TextConstant* constant = text_->constant(name);
    if (constant == nullptr) {
      tryFix();
      return false;
    }
    std::vector<std::string> texts;
    for (const int64_t value : constant->values) {
      std::string text = compile::withValue(*text_->text(), *constant, value);
      if (outcomes_.find(text, arguments_) == nullptr) texts.push_back(std::move(text));
    }
    trials_.addAll(name, texts);
    tryFix();
    return true;
  }

  void pollTrials(Model& model) {
    auto ended = trials_.poll(running_ != nullptr || runAt_, [this](const std::string& text) {
      Trials::Started started = start(text, false);
      if (started) {
        (*started)->give(input_);
        (*started)->endInput();
      }
      return started;
    });
    if (!ended) return;
    if (ended->run)
      outcomes_.add(outcomeOf(**ended->run, ended->text));
    else
      outcomes_.add({ended->text, arguments_, ended->run.error(), nullptr,
                     std::make_shared<const std::string>()});
    changed(model);
    tryFix();
  }

  // --- The run ---

  /// Runs again even if the text is unchanged, because other files and inputs may have changed.
  bool run(Model& model) {
    compilesNext_ = false;
    outcomes_.clear();
    ++runs_;
    return text_->isOpen() && begin(model);
  }

  Result<std::unique_ptr<Running>> start(const std::string& text, bool onlyCompiles) const {
    if (text != text_->saved()) {
      const Result<std::filesystem::path> file = drafts_->variantOf(text_->path(), text);
      if (!file) return file.error();
    }
    return Running::start(runner_, programSource(text), onlyCompiles);
  }

  [[nodiscard]] Outcome outcomeOf(const Running& run, const std::string& text) const {
    Outcome outcome{
        text, arguments_, {}, nullptr, std::make_shared<const std::string>(run.output())};
    Result<lab::ProgramSummary> result = run.result();
    if (result)
      outcome.summary = std::make_shared<const lab::ProgramSummary>(std::move(*result));
    else
      outcome.refusal = result.error();
    return outcome;
  }

  bool begin(Model& model) {
    runAt_.reset();
    running_.reset();
    launches_.stop();
    launches_.clearNote();
    changed(model);
    output_ = std::make_shared<const std::string>();
    input_.clear();
    startedAt_ = model.now;
    Result<std::unique_ptr<Running>> started =
        start(*text_->text(), std::exchange(compilesNext_, false));
    if (!started) {
      refuse(started.error());
      return true;
    }
    running_ = std::move(*started);
    state_ = State::running;
    if (!running_->onlyCompiles()) hostRan_ = text_->text();
    ranText_ = text_->text();
    return true;
  }

  bool stop(Model& model) {
    if (!running_) return false;
    running_.reset();
    trials_.end();
    state_ = State::stopped;
    changed(model);
    return true;
  }

  bool takeArguments(Model& model, const std::string& line) {
    if (!text_->isOpen() || line == arguments_) return false;
    arguments_ = line;
    compilesNext_ = false;
    trials_.end();
    return begin(model);
  }

  bool send(Model& model, const std::string& line) {
    if (!running_) return false;
    running_->send(line);
    input_ += line + "\n";
    changed(model);
    return true;
  }

  bool endInput(Model& model) {
    if (!running_) return false;
    running_->endInput();
    changed(model);
    return true;
  }

  void refuse(const Error& error) {
    state_ = State::refused;
    refusal_ = error;
  }

  void takeResult(Model& model) {
    Outcome outcome = outcomeOf(*running_, *ranText_);
    const bool isCompiled = running_->onlyCompiles() && !outcome.refusal;
    running_.reset();
    if (isCompiled) {
      if (*ranText_ == *text_->text()) state_ = State::compiled;
      return;
    }
    // If the user has changed the text during the run, the new text runs next.
    if (outcome.text == *text_->text()) show(model, outcome);
    outcomes_.add(std::move(outcome));
  }

  void show(Model& model, const Outcome& outcome) {
    output_ = outcome.output;
    if (outcome.refusal) return refuse(*outcome.refusal);
    refusal_.reset();
    state_ = State::ended;
    summary_ = outcome.summary;
    summaryText_ = text_->text();
    // Launches of earlier texts are no longer offered, except for the one on screen.
    model.kernels.removeLaunches(text_->path().string(), model.choice.kernel);
    finding_ = firstCause(*summary_);
    tryFix();
    const uint64_t launch = launchToShow(*summary_, launches_.shown());
    if (launch != 0) launches_.record(model, sourceOf(launch, 0), {});
  }

  [[nodiscard]] compile::ProgramSource programSource(const std::string& text) const {
    compile::ProgramSource source;
    source.path = text_->path().string();
    source.folder = text_->path().parent_path().string();
    source.arguments = wordsOf(arguments_);
    source.input = input_;
    if (text == text_->saved()) return source;
    const Result<std::filesystem::path> variant = drafts_->variantOf(text_->path(), text);
    if (variant) source.path = variant->string();
    source.includes = {source.folder};  // Finds headers in the file's folder.
    return source;
  }

  // --- Launches ---

  [[nodiscard]] compile::KernelSource sourceOf(uint64_t launch, uint64_t order) const {
    compile::KernelSource source;
    source.path = text_->path().string();
    source.text = *text_->text();
    source.launch = std::make_shared<const compile::ProgramLaunch>(
        compile::ProgramLaunch{programSource(*text_->text()), launch, order, runs_});
    return source;
  }

  /// Sets whether a launch's operation or phases are inferred.
  bool setInferred(Model& model, const std::string& what, bool wanted) {
    if (!launches_.setInferred(what, wanted)) return false;
    const compile::CatalogueEntry* entry = model.entry();
    if (isOld() || entry == nullptr || !entry->source.launch) return false;
    const compile::ProgramLaunch& launch = *entry->source.launch;
    launches_.record(model, sourceOf(launch.number, launch.order), {});
    changed(model);
    return true;
  }

  bool chooseLaunch(Model& model, uint64_t number) { return showLaunch(model, number, {}); }

  /// Selects a finding, and goes to its launch, block and thread.
  bool chooseFinding(Model& model, uint64_t index) {
    if (!summary_ || index >= summary_->findings.size()) return false;
    finding_ = index;
    tryFix();
    changed(model);
    const lab::ProgramFinding& finding = summary_->findings[index];
    if (finding.launch == 0) return true;
    LaunchSteps::Goal goal;
    goal.block = finding.block;
    goal.thread = finding.thread;
    goal.order = finding.order;
    goal.isAtEnd = endsLaunch(finding.kind);
    goal.epoch = finding.epoch;
    showLaunch(model, finding.launch, goal);
    return true;
  }

  bool showLaunch(Model& model, uint64_t number, LaunchSteps::Goal goal) {
    if (!summary_ || number == 0 || number > summary_->launches || isOld()) return false;
    goal.isAsked = true;
    launches_.show(model, sourceOf(number, goal.order), goal);
    changed(model);
    return true;
  }

  // --- The view ---

  void fill(ProgramView& view) const {
    view.openings = openings_;
    view.state = state_;
    view.path = text_->path().string();
    view.name = text_->name();
    view.arguments = arguments_;
    view.text = text_->text();
    view.textNumber = text_->number();
    view.isSaved = text_->isSaved();
    view.startedAt = startedAt_;
    view.isCompiling = running_ && running_->onlyCompiles();
    if (running_) view.output = std::make_shared<const std::string>(running_->output());
    if (state_ == State::refused && refusal_) {
      view.refusal = refusal_->message;
      const auto& where = refusal_->where;
      const std::string file = where ? std::filesystem::path(where->file).filename().string() : "";
      if (where && file == text_->name())
        view.refusalLine = static_cast<uint32_t>(std::max(where->line, 0));
      else if (where && where->line > 0)
        view.refusal = file + ":" + std::to_string(where->line) + ": " + view.refusal;
    }
    view.summary = summary_;
    view.isOld = summary_ && isOld();
    view.finding = finding_;
    view.launch = launches_.shown();
    view.coming = launches_.coming();
    view.launchNote = launches_.note();
    view.trying = trials_.slider();
    view.trialsLeft = trials_.left();
    view.marks = text_->marks();
    addSliders(text_->text(), text_->constants(), outcomes_, arguments_, view);
    addFix(view);
    view.verdict = verdictOf(view);
    view.textNotes = std::make_shared<const std::vector<LineNote>>(lineNotesOf(view));
    // If the kernel is in a header, the scene shows the header's lines, so the notes do not apply.
    if (isInScene_) view.lineNotes = view.textNotes;
    view.pending = view.coming != 0;
  }

  [[nodiscard]] bool isOld() const {
    return summaryText_ != text_->text() || state_ != State::ended;
  }

  /// Whether a fault of this kind stops the launch.
  static bool endsLaunch(const std::string& kind) {
    constexpr std::string_view kKinds[] = {"out-of-bounds",  "misaligned",
                                           "use-after-free", "device-touches-host-memory",
                                           "trap",           "assert"};
    return std::ranges::find(kKinds, kind) != std::end(kKinds);
  }

  static bool hasFrontMatter(const std::filesystem::path& path, const std::string& text) {
    std::error_code ignored;
    return text.find("/*---") != std::string::npos ||
           std::filesystem::exists(std::filesystem::path(path).replace_extension(".toml"), ignored);
  }
  std::unique_ptr<Drafts> drafts_;
  std::string runner_;
  std::vector<std::string> recent_;
  std::unique_ptr<OpenText> text_;
  OpenText::Text ranText_, summaryText_;
  OpenText::Text hostRan_;  ///< The last text that was run and not only compiled.
  /// The program that was open before a lesson's program; no value if no lesson's program is open.
  struct Before {
    std::string path, arguments;
  };
  std::optional<Before> beforeLesson_;
  bool isRestored_ = false;    ///< The program is open because it was open in an earlier window.
  bool compilesNext_ = false;  ///< The next run only compiles.
  uint64_t openings_ = 0, runs_ = 0;  ///< `runs_` counts the runs that the user requested.
  std::string arguments_;
  std::string input_;  ///< The program's input in its last run.
  State state_ = State::none;
  std::unique_ptr<Running> running_;
  Trials trials_;
  Outcomes outcomes_;
  std::optional<double> runAt_;  ///< The time at which the changed text will run.
  double startedAt_ = 0, nextWatch_ = 0, changedAt_ = 0;
  std::shared_ptr<const std::string> output_ = std::make_shared<const std::string>();
  std::optional<Error> refusal_;
  std::shared_ptr<const lab::ProgramSummary> summary_;
  size_t finding_ = 0;
  LaunchSteps launches_;
  ViewPointer shown_;
  bool isInScene_ = true;  ///< The scene shows lines of the program's text.
};

}  // namespace

std::unique_ptr<Feature> make() {
  return std::make_unique<Program>();
}

}  // namespace tilestep::features::program
