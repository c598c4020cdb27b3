// SPDX-License-Identifier: Apache-2.0
#include <sys/resource.h>

#include <algorithm>
#include <filesystem>
#include <random>
#include <set>
#include <system_error>

#include "app/commands.h"
#include "app/csv_file.h"
#include "app/grade/grade_options.h"
#include "app/options.h"
#include "app/sweep_progress.h"
#include "app/sweep_support.h"
#include "base/files.h"
#include "base/hash.h"
#include "base/nearest_name.h"
#include "base/number_text.h"
#include "base/process/memory_size.h"
#include "grade/grader.h"
#include "grade/marks_file.h"
#include "grade/reports.h"
#include "grade/student_pages.h"

namespace tilestep::app {
namespace {

namespace fs = std::filesystem;
using grade::Grade;
using grade::Record;
using grade::Submission;
using grade::Verdict;

/// Reads the solution: a file beside the spec, or a kernel by its name. The current folder is not
/// searched, because it may be a student's.
Result<compile::KernelSource> solutionOf(const compile::Spec& spec, const std::string& solution) {
  const fs::path beside = fs::path(spec.front.file).parent_path() / solution;
  std::error_code ignored;
  if (fs::is_regular_file(beside, ignored)) return readKernel(beside.string(), {});
  const bool isFile = fs::path(solution).has_parent_path() || solution.ends_with(".cu");
  if (isFile) return requestError("there is no file " + beside.string());
  return readKernel(solution, {});
}

/// Returns the given seed, else the seed of the continued file, else a new seed.
Result<uint64_t> seedOf(const std::string& given, const grade::Ledger& ledger) {
  const Result<std::optional<uint64_t>> kept = ledger.seed();
  if (!kept) return kept.error();
  if (given.empty()) {
    std::random_device random;
    // Spreadsheets write numbers of 12 digits and more as 2.44368E+13.
    const uint64_t fresh = ((uint64_t{random()} << 32) | random()) >> 28;
    return kept->value_or(fresh);
  }
  const auto seed = numberIn<uint64_t>(given);
  if (!seed) return requestError("--hidden-seed must be a whole number, not '" + given + "'");
  if (*kept && **kept != *seed)
    return requestError("the file holds grades with the hidden seed " + std::to_string(**kept) +
                        "; leave --hidden-seed out, or grade all again with --force");
  return *seed;
}

/// One run of the command, from the options to the exit status.
class Grading {
 public:
  explicit Grading(const GradeOptions& options) : options_(options) {}

  int run() {
    if (const Status ready = prepare(); !ready) return fail(ready.error());
    limitMemory();
    catchInterrupts();
    chooseSubmissions();
    if (const Status checked = checkSolution(); !checked) return fail(checked.error());
    gradeChosen();
    return report();
  }

 private:
  Status prepare();
  /// Workers and compilers inherit the limit.
  void limitMemory() const {
    const rlim_t share = options_.memoryBytes / options_.workers;
    const rlimit limit{share, share};
    ::setrlimit(RLIMIT_DATA, &limit);
  }
  Status checkSolution();
  void chooseSubmissions();
  void gradeChosen();
  void keep(const Submission& submission, Grade grade);
  Status readHandMarks();
  void matchIds();
  void writeMarks();
  [[nodiscard]] std::vector<Grade> grades() const;
  int report();
  [[nodiscard]] Record recordOf(Grade grade) const {
    return {std::move(grade), facts_.seed, facts_.rules, facts_.version};
  }
  /// Starts a worker at the lowest priority, so that it does not slow down other work on this
  /// machine.
  [[nodiscard]] Result<std::unique_ptr<worker::Client>> start(
      std::vector<std::string> environment) const {
    worker::Patience patience;
    patience.silence = 60;  // At the lowest priority, a worker may wait long for a processor.
    return startWorker({options_.worker, 1, std::move(environment), true, patience});
  }
  /// The compiler can be chosen only if the worker is this program itself.
  [[nodiscard]] grade::GraderWorkers workers() const {
    grade::GraderWorkers two{[this] { return start({}); }, {}};
    if (options_.worker.empty())
      two.startOther = [this] { return start({"TILESTEP_COMPILER=clang"}); };
    return two;
  }
  /// Keeps the first write error; grading continues.
  void note(const Status& written) {
    if (written_) written_ = written;
  }

  const GradeOptions& options_;
  grade::Assignment assignment_;
  compile::KernelSource solution_;
  std::vector<Submission> all_, chosen_;
  grade::RunFacts facts_;
  FileLock csvLock_;  ///< For the --csv file.
  grade::MarksFile marks_;
  grade::HandMarks handMarks_;
  grade::StudentPages pages_;
  grade::Ledger ledger_;
  size_t graded_ = 0;
  Status written_, marksWritten_;
};

Status Grading::prepare() {
  if (const Status right = checkOptions(options_); !right) return right;
  Result<grade::StudentPages> pages = grade::StudentPages::in(options_.html, options_.places);
  if (!pages) return pages.error();
  pages_ = std::move(*pages);
  Result<compile::Spec> spec = loadSpec(options_.spec);
  if (!spec) return spec.error();
  if (!compile::isCheckable(spec->kernel))
    return requestError(options_.spec +
                        " has neither a reference nor an output with expect, so it cannot be "
                        "used to grade");
  Result<grade::Rules> rules = rulesOf(options_, *spec);
  if (!rules) return rules.error();
  Result<grade::Submissions> found = grade::findSubmissions(options_.places, options_.file);
  if (!found) return found.error();
  all_ = std::move(found->all);
  if (!found->unattributed.empty())
    say("tilestep: ignored: " + listedFirst(found->unattributed) + "; only folders and " +
        (options_.file.empty() ? "files that end in .cu" : "files called " + options_.file) +
        " are graded, and only if their names do not begin with a dot");
  for (const std::string& id : options_.again)
    if (std::ranges::find(all_, id, &Submission::id) == all_.end())
      return requestError("no submission has the id " + id + " of --again");
  Result<FileLock> csvLock = claimCsv(options_.csv);
  if (!csvLock) return csvLock.error();
  csvLock_ = std::move(*csvLock);
  Result<grade::MarksFile> marks =
      grade::MarksFile::open(options_.csv.path, grade::rowsOf(*rules), options_.csv.resume);
  if (!marks) return marks.error();
  marks_ = std::move(*marks);
  ledger_ = marks_.before();
  matchIds();
  ledger_.recall(pages_.foundBefore(TILESTEP_VERSION));
  if (const Status read = readHandMarks(); !read) return read;
  const Result<uint64_t> seed = seedOf(options_.seed, ledger_);
  if (!seed) return seed.error();
  Result<std::vector<grade::HiddenLaunch>> launches =
      grade::hiddenLaunches(spec->kernel, *rules, *seed);
  if (!launches) return launches.error();
  if (!rules->solution.empty()) {
    Result<compile::KernelSource> solution = solutionOf(*spec, rules->solution);
    if (!solution)
      return requestError("the solution of " + spec->front.file +
                          " is neither a file beside it nor " +
                          "a kernel's name: " + solution.error().message);
    solution_ = std::move(*solution);
  }
  facts_.seed = *seed;
  facts_.version = TILESTEP_VERSION;
  uint64_t hash = fnv1a64(solution_.text, fnv1a64(spec->front.toml));
  for (const grade::HiddenLaunch& launch : *launches) {
    facts_.sizes.push_back(grade::toText(launch));
    hash = fnv1a64(facts_.sizes.back(), hash);
  }
  facts_.rules = hex64(hash);
  if (const Status same = ledger_.checkRules(facts_.rules); !same) return same;
  if (!grade::hidesResults(spec->kernel))
    say("tilestep: " + spec->front.file + ": " + grade::kResultsAreKnown);
  facts_.untested = rules->untested;
  facts_.assignment = spec->kernel.title;
  assignment_.spec = std::move(*spec);
  assignment_.rules = std::move(*rules);
  assignment_.launches = std::move(*launches);
  assignment_.findsPlaces = true;
  // A share is split equally between a worker and its compiler.
  assignment_.memoryBytes = options_.memoryBytes / options_.workers / 2;
  return {};
}

Status Grading::checkSolution() {
  if (assignment_.rules.solution.empty() || chosen_.empty()) return {};
  const Result<std::unique_ptr<worker::Client>> client = start({});
  if (!client) return client.error();
  const Status checked = grade::checkSolution(assignment_, solution_, **client, interrupted);
  for (const std::string& sentence : grade::launchesLeftOut(assignment_))
    say("tilestep: " + sentence);
  return checked;
}

/// Skips submissions that have a final verdict, known troubles and a page.
void Grading::chooseSubmissions() {
  for (const Submission& submission : all_) {
    if (!options_.again.empty()) {
      if (std::ranges::find(options_.again, submission.id) != options_.again.end())
        chosen_.push_back(submission);
      continue;
    }
    Record wanted = recordOf({});
    wanted.grade.id = submission.id;
    wanted.grade.hash = grade::hashOf(submission);
    if (!ledger_.settles(wanted) || pages_.lacks(ledger_.find(submission.id)->grade, facts_))
      chosen_.push_back(submission);
  }
}

/// Restores ids that a spreadsheet has changed in the continued file.
void Grading::matchIds() {
  std::set<std::string> ids;
  for (const Submission& submission : all_) ids.insert(submission.id);
  for (const Submission& submission : all_)
    if (const auto former = ledger_.rename(submission.file, submission.id, ids))
      say("tilestep: " + options_.csv.path + " has the id " + *former + " instead of " +
          submission.id + "; a spreadsheet changed it, so it is corrected");
}

Status Grading::readHandMarks() {
  const auto isByHand = [](const Record& record) { return record.grade.byHand.has_value(); };
  if (options_.byHand.empty() && std::ranges::any_of(ledger_.records(), isByHand))
    return requestError(options_.csv.path +
                        " contains marks given by hand; name their file with --by-hand");
  Result<grade::HandMarks> marks = grade::HandMarks::open(options_.byHand, all_);
  if (!marks) return marks.error();
  handMarks_ = std::move(*marks);
  ledger_.mark(handMarks_);
  return {};
}

void Grading::writeMarks() {
  Status written = marks_.write(ledger_);
  if (!written && marksWritten_) say("tilestep: " + written.error().message);
  marksWritten_ = std::move(written);
}

/// Leaves out submissions that have no grade yet.
std::vector<Grade> Grading::grades() const {
  std::vector<Grade> all;
  for (const Submission& submission : all_)
    if (const Record* record = ledger_.find(submission.id)) all.push_back(record->grade);
  return all;
}

void Grading::gradeChosen() {
  StatusLine line;
  grade::GraderEvents events;
  events.done = [&](size_t index, Grade grade) {
    line.clear();
    keep(chosen_[index], std::move(grade));
  };
  size_t late = 0;
  events.late = [&](size_t index) {
    ++late;
    line.clear();
    say("tilestep: " + chosen_[index].id +
        ": a time limit was reached; it will be tried again alone, after the others");
  };
  events.interrupted = [] { return interrupted(); };
  events.tick = [&] {
    if (!line.due()) return;
    const std::string again =
        late == 0 ? "" : ", " + std::to_string(late) + " timed out and will be tried again";
    line.show("graded " + std::to_string(graded_) + " of " + std::to_string(chosen_.size()) + again,
              {});
  };
  grade::gradeAll(assignment_, chosen_, options_.workers, workers(), events);
}

void Grading::keep(const Submission& submission, Grade grade) {
  ++graded_;
  grade.byHand = handMarks_.of(grade);
  const bool isKnown = grade.verdict != Verdict::failed && grade.verdict != Verdict::unjudged;
  if (!isKnown && !grade.byHand)
    say("tilestep: " + submission.id + ": " + nameOf(grade.verdict) + ": " + grade.reason);
  if (grade.failedAt && grade.verdict == Verdict::wrong)
    grade.command = grade::commandFor(submission.path.string(), options_.spec,
                                      assignment_.launches[*grade.failedAt]);
  note(pages_.write(grade, facts_));
  ledger_.put(recordOf(std::move(grade)));
  if (!options_.csv.path.empty()) note(pages_.writeFound(ledger_.grades(), facts_));
  writeMarks();
}

int Grading::report() {
  writeMarks();
  note(marksWritten_);
  const std::vector<Grade> grades = this->grades();
  note(pages_.writeFound(grades, facts_));
  note(pages_.writeClass(grades, facts_));
  for (const Grade& grade : grades)
    if (const std::string remark = handMarks_.remark(grade); !remark.empty())
      say("tilestep: " + remark);
  if (!options_.junit.empty())
    note(writeFileAtomically(options_.junit, grade::toJunit(grades, facts_)));
  if (!options_.json) say("hidden seed " + std::to_string(facts_.seed));
  const bool ended = !interrupted();
  if (!ended)
    say("tilestep: interrupted; " + std::to_string(chosen_.size() - graded_) +
        " submissions are not graded" +
        (options_.csv.path.empty() ? "" : "; --resume grades them"));
  if (!written_) fail(written_.error());
  const bool whole = std::ranges::none_of(grades, &Grade::needsPerson);
  return print(options_.json ? grade::toJson(grades, facts_) : grade::toText(grades, facts_),
               whole && ended && written_ ? kDone : kWrong);
}

}  // namespace

void addGradeCommand(CommandLine& line) {
  auto options = std::make_shared<GradeOptions>();
  Command command = line.add("grade", "Grades the kernels that a class handed in",
                             [options] { return Grading(*options).run(); });
  command.option("submission", &options->places,
                 "Files, or folders as Moodle, Canvas and GitHub Classroom hand them out",
                 {.type = "SUBMISSION", .required = true});
  command.option("--spec", &options->spec, "The task and the marks: a kernel or a TOML file",
                 {.type = "KERNEL|FILE.toml", .required = true});
  command.option("--sizes", &options->sizes,
                 "Run the kernels at these sizes and tunables, not at the spec's",
                 {.type = "NAME=V,NAME=V,...", .oneWordEach = true});
  command.option("--hidden-seed", &options->seed,
                 "Seed of the hidden sizes and of all data (random)", {.type = "S"});
  command.option("--file", &options->file, "Grade only files with this name", {.type = "NAME.cu"});
  command.option("--csv", &options->csv.path, "Write the marks to this file", {.type = "FILE"});
  command.option("--by-hand", &options->byHand,
                 "Use the marks that you give in this file: an id and marks on each line",
                 {.type = "FILE.csv"});
  command.option("--junit", &options->junit, "Write the marks as JUnit XML", {.type = "FILE"});
  command.option("--html", &options->html,
                 "Write a page for each student and one for the class to this folder",
                 {.type = "DIR"});
  command.flag("--resume", options->csv.resume,
               "Continue the file of --csv: grade new, changed, unjudged and failed submissions");
  command.option("--again", &options->again,
                 "With --resume: grade this id again, for example after an appeal",
                 {.type = "ID", .oneWordEach = true});
  command.flag("--force", options->csv.force, "Overwrite the file of --csv", "--resume");
  command.option("--workers", &options->workers, "Number of submissions graded at once (2)",
                 {.type = "N", .range = Between<unsigned>{1, 64}});
  addMemoryOption(command, options->memoryBytes,
                  "Memory for all workers together: 800000000, 512M, 2G (2G)");
  command.flag("--json", options->json, "Print JSON");
  addWorkerOption(command, options->worker);
  command.footer(
      "Example: tilestep grade submissions/ --spec teacher.toml --csv marks.csv --html pages");
}

}  // namespace tilestep::app
