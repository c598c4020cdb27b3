// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <string>
#include <vector>

#include "app/commands.h"
#include "app/options.h"
#include "base/files.h"
#include "base/nearest_name.h"
#include "lab/points/points_file.h"
#include "lab/tune/tuned.h"
#ifdef TILESTEP_HAS_WINDOW
#include "features/lessons/lesson.h"
#include "model/choice/planning.h"
#include "ui/shell/window.h"
#endif

namespace tilestep::app {
namespace {

struct WindowPresets {
  std::string kernel, device = "auto", stateFile, frameLog, lesson, pictures, page, pdf, comparison,
                      comparisonEntry, sweep, program;
  std::vector<std::string> comparisonTunables;
  Choice choice;
  WorkerOptions worker;
  bool lab = false;
  bool fresh = false, plays = false;  ///< `plays`: plays the lesson without a user.
};

#ifdef TILESTEP_HAS_WINDOW
/// The path of a lesson: `name` is a shipped lesson's name, or a file.
std::string lessonFile(const std::string& name, const std::filesystem::path& home) {
  const std::filesystem::path shipped = home / "assets" / "lessons" / (name + ".md");
  std::error_code ignored;
  return std::filesystem::exists(shipped, ignored) ? shipped.string() : name;
}

Status makeFolder(const std::string& folder) {
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  if (!failed) return {};
  return requestError("the folder " + folder + " cannot be created: " + failed.message());
}

bool isSameFile(const std::string& one, const std::string& other) {
  std::error_code failed;
  return one == other || std::filesystem::equivalent(one, other, failed);
}

/// The window identifies a kernel by its file's name, so a name can refer to only one function of
/// one file.
Status checkNames(const Kernel& kernel, const Kernel& comparison) {
  if (kernel.spec.name != comparison.spec.name) return {};
  if (!isSameFile(kernel.source.path, comparison.source.path))
    return requestError("--kernel and --beside name two files of the same name, " +
                        kernel.source.path + " and " + comparison.source.path +
                        ": rename one of them");
  if (kernel.spec.entry == comparison.spec.entry) return {};
  return requestError(
      "--kernel and --beside name two functions of one file, " + kernel.spec.entry + " and " +
      comparison.spec.entry + " of " + kernel.source.path +
      ": the window shows one per file; copy the file under another name for --beside");
}

/// Adds the comparison kernel after checking that it fits.
Status addComparison(const WindowPresets& presets, const Kernel& kernel,
                     ui::WindowOptions& options) {
  options.comparison = presets.comparison;
  options.comparisonEntry = presets.comparisonEntry;
  const bool isWord = presets.comparison.empty() ||
                      presets.comparison == model::Comparison::kUsual ||
                      presets.comparison == model::Comparison::kNone;
  if (isWord && !presets.comparisonEntry.empty())
    return requestError("--beside-entry names a function of the --beside file");
  if (isWord && presets.comparisonTunables.empty()) return {};
  if (presets.comparison == model::Comparison::kNone)
    return requestError("--beside-set needs a second kernel, but --beside is 'none'");
  // A file that is compared with itself uses the same function unless another one is given.
  const bool isItself =
      presets.comparisonEntry.empty() && isSameFile(presets.comparison, presets.kernel);
  const Result<Kernel> comparison =
      loadKernel(isWord ? "matmul_naive" : presets.comparison,
                 isItself ? presets.choice.entry : presets.comparisonEntry);
  if (!comparison) return comparison.error();
  if (const Status names = checkNames(kernel, *comparison); !names) return names;
  if (!model::canBeCompared(kernel.spec, comparison->spec))
    return requestError(comparison->spec.name + " cannot be compared with " + kernel.spec.name +
                        ": its sizes or operands differ; choose one that reads the same "
                        "matrices, or none");
  Choice choice;
  choice.tunables = presets.comparisonTunables;
  Result<Chosen> chosen = chosenOf(choice, comparison->spec);
  if (!chosen) return chosen.error();
  options.comparisonTunables = std::move(chosen->tunables);
  return {};
}

/// Reports the options that are ignored because the kernel cannot be used.
void sayIgnored(const WindowPresets& presets) {
  const Choice& choice = presets.choice;
  std::vector<std::string> ignored;
  const auto add = [&](const char* option, bool given) {
    if (given) ignored.emplace_back(option);
  };
  add("--size", !choice.sizes.empty());
  add("--m", !choice.m.empty());
  add("--n", !choice.n.empty());
  add("--k", !choice.k.empty());
  add("--set", !choice.tunables.empty());
  add("--beside", !presets.comparison.empty());
  add("--beside-entry", !presets.comparisonEntry.empty());
  add("--beside-set", !presets.comparisonTunables.empty());
  if (ignored.empty()) return;
  say(listed(ignored) + (ignored.size() == 1 ? " is" : " are") +
      " ignored, because the kernel cannot be used");
}

/// Adds the kernel with its sizes and tunables, and the kernel to compare with. A file that exists
/// but cannot be used is shown in the window, together with its error.
Status takeKernel(const WindowPresets& presets, ui::WindowOptions& options) {
  const std::string name = presets.kernel.empty() ? "matmul_tiled" : presets.kernel;
  const Result<compile::KernelSource> source = readKernel(name, presets.choice.entry);
  if (!source) return source.error();
  options.kernel = presets.kernel;
  options.entry = presets.choice.entry;
  if (!options.entry.empty() && presets.kernel.empty())
    return requestError("--entry names a function of the --kernel file");
  const Result<Kernel> kernel = loadKernel(name, presets.choice.entry);
  if (!kernel) {
    const bool entryIsWrong = !options.entry.empty() && loadKernel(name, {});
    if (entryIsWrong) return kernel.error();
    say(toString(kernel.error()));
    sayIgnored(presets);
    return {};
  }
  sayNotes(*kernel);
  Result<Chosen> chosen = chosenOf(presets.choice, kernel->spec);
  if (!chosen) return chosen.error();
  options.sizes = std::move(chosen->sizes);
  options.tunables = std::move(chosen->tunables);
  return addComparison(presets, *kernel, options);
}

int openWindow(const WindowPresets& presets) {
  const Result<std::filesystem::path> home = findHome();
  if (!home) return fail(home.error());
  ui::WindowOptions options;
  std::error_code unknown;
  if (!presets.program.empty() && !std::filesystem::is_regular_file(presets.program, unknown))
    return fail(requestError("there is no file " + presets.program));
  if (const Status taken = takeKernel(presets, options); !taken) return fail(taken.error());
  options.home = home->string();
  options.ownKernels = ownKernelFolder();
  options.cacheFolder = cacheFolder().string();
  options.device = presets.device;
  options.workerCommand = presets.worker.command;
  options.lab = presets.lab;
  options.stateFile = presets.stateFile;
  options.frameLog = presets.frameLog;
  if (!presets.lesson.empty()) options.lesson = lessonFile(presets.lesson, *home);
  options.pictureFolder = presets.pictures;
  options.pageFile = presets.page;
  options.pdfFile = presets.pdf;
  const std::filesystem::path state = stateFolder();
  const bool remembers = !presets.fresh && !presets.plays && !state.empty();
  if (remembers) {
    options.savedFile = (state / "window.toml").string();
    options.pinsFile = (state / "runs.toml").string();
    options.pointsFile = lab::pointsFileIn(state).string();
  }
  if (remembers) options.programFolder = (state / "programs").string();
  options.program = presets.program;
  options.shippedTuned = lab::shippedTuned(*home).string();
  options.sweepFile = presets.sweep;
  if (!presets.pictures.empty()) {
    if (const Status made = makeFolder(presets.pictures); !made) return fail(made.error());
  }
  if (!options.lesson.empty())
    if (const auto lesson = features::readLesson(options.lesson); !lesson) {
      say("tilestep: " + toString(lesson.error()));
      return kRefused;
    }
  return ui::runWindow(options);
}
#else
int openWindow(const WindowPresets&) {
  return fail(requestError("this build has no window; see tilestep --help for the commands"));
}
#endif

void addPlaces(Command& command, WindowPresets& presets) {
  addDeviceOption(command, presets.device, "auto, simt, cuda:N or recorded:NAME");
  addWorkerOption(command, presets.worker.command);
}

void addComparisonOptions(Command& command, WindowPresets& presets) {
  command.option("--beside", &presets.comparison,
                 "A kernel to step alongside and compare: one that reads the same "
                 "matrices, or none",
                 {.type = "KERNEL|FILE.cu|none"});
  command.option("--beside-entry", &presets.comparisonEntry,
                 "Which __global__ function of the --beside file to use, if it has several",
                 {.type = "NAME"});
  command.option("--beside-set", &presets.comparisonTunables,
                 "A tunable of the --beside kernel; other tunables follow the main kernel's",
                 {.type = "NAME=VALUE", .oneWordEach = true});
}

}  // namespace

void addPlayCommand(CommandLine& line) {
  auto presets = std::make_shared<WindowPresets>();
  Command play = line.add(
      "play", "Plays a lesson in the window and saves its steps as pictures, a web page or a PDF",
      [presets] {
        presets->plays = true;
        if (presets->pictures.empty() && presets->page.empty() && presets->pdf.empty())
          return fail(requestError(
              "nothing to save; add --out DIR for pictures, --page FILE.html for a web "
              "page, or --pdf FILE.pdf for pages to print"));
        return openWindow(*presets);
      });
  play.option("LESSON", &presets->lesson, "A lesson's file, or the name of a shipped one",
              {.type = "LESSON.md", .required = true});
  play.option("--out", &presets->pictures, "Folder for the pictures: NN-slug.png", {.type = "DIR"});
  play.option("--page", &presets->page, "One self-contained web page with all steps",
              {.type = "FILE.html"});
  play.option("--pdf", &presets->pdf, "One PDF with a page for each step, in colours for paper",
              {.type = "FILE.pdf"});
  play.footer("Example: tilestep play 1-why-tile --page why-tile.html");
  addPlaces(play, *presets);
}

void addWindow(CommandLine& line) {
  auto presets = std::make_shared<WindowPresets>();
  Command program = line.program([presets] { return openWindow(*presets); });
  program.option("--open", &presets->program,
                 "A CUDA program of yours, or a kernel's file; tilestep FILE.cu does the same",
                 {.type = "FILE.cu"});
  program.option("--kernel", &presets->kernel, "The kernel that the window starts with",
                 {.type = "KERNEL|FILE.cu"});
  addChoiceOptions(program, presets->choice, false);
  addPlaces(program, *presets);
  addComparisonOptions(program, *presets);
  program.option("--lesson", &presets->lesson, "The lesson that the window opens with",
                 {.type = "LESSON.md"});
  program.option("--sweep", &presets->sweep, "Plot the points that tilestep sweep --csv wrote",
                 {.type = "FILE.csv"});
  program.flag("--lab", presets->lab,
               "Start with all controls, plots and tables, without the first-minute introduction");
  program.flag("--fresh", presets->fresh,
               "Start as if the window had never been opened, and remember nothing");
  program.option(
      "--frame-log", &presets->frameLog,
      "Write the milliseconds of each frame to FILE as CSV: wall_ms, cpu_ms (this program's "
      "own work), draw_ms and draw_cpu_ms (OpenGL)",
      {.type = "FILE.csv"});
  program.option("--state,--state-file", &presets->stateFile,
                 "Keep the window's state in FILE as JSON", {.type = "FILE"});
  program.footer(
      "Examples: tilestep hw1.cu\n"
      "          tilestep --kernel matmul_tiled --size 1024 --set TILE_WIDTH=16");
}

}  // namespace tilestep::app
