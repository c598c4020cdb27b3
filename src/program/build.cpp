// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstring>
#include <set>
#include <sstream>
#include <utility>

#include "base/files.h"
#include "base/hash.h"
#include "base/process/run_command.h"
#include "compile/compilers/clang_files.h"
#include "compile/compilers/clang_output.h"
#include "compile/compilers/clang_program.h"
#include "program/build_cache.h"
#include "program/launch_brackets.h"
#include "program/messages.h"
#include "program/program.h"
#include "program/registers.h"
#include "ptx/debug/dwarf.h"
#include "ptx/rewrite/normalize.h"
#include "ptx/text/parser.h"
#include "ptx/text/printer.h"

namespace tilestep::program {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

bool isCuda(const std::string& file) {
  const std::string ending = fs::path(file).extension();
  return ending == ".cu" || ending == ".cuh";
}

void append(Words& to, const Words& from) {
  to.insert(to.end(), from.begin(), from.end());
}

/// One program's build. Its steps share a folder, a time limit and the compiler's output.
class Build {
 public:
  Build(const Sources& sources, const Tools& tools, fs::path folder, const TimeLimits& limits)
      : sources_(sources), tools_(tools), folder_(std::move(folder)), limits_(limits) {}

  Result<Built> make() {
    const Result<compile::ClangProgram> clang = compile::findClang(tools_.headers / "program.h");
    if (!clang) return clang.error();
    if (clang->path.empty())
      return requestError(
          "a program with host code needs clang, version 14 or newer; install it "
          "with apt-get install clang");
    clang_ = *clang;
    if (!tools_.arch.empty()) ptxas_ = findPtxas();
    const BuildCache cache(tools_.cache);
    const std::string key = keyOf();
    if (const auto found = cache.find(key))
      return Built{*found, "clang " + clang_.version, {}, true};
    for (const std::string& file : sources_.files) {
      Status made = isCuda(file) ? compileBoth(file) : compileHost(file, {});
      if (!made) return made.error();
    }
    Status linked = link();
    if (!linked) return linked.error();
    read_.push_back(tools_.library.string());
    cache.keep(key, folder_ / "program", read_);
    return Built{folder_ / "program", "clang " + clang_.version, std::move(warnings_), false};
  }

 private:
  /// Everything that determines the program, except the contents of the files.
  [[nodiscard]] std::string keyOf() const {
    std::error_code ignored;
    std::string key = "4\n" + clang_.path + "\n" + clang_.version + "\n" + tools_.headers.string() +
                      "\n" + tools_.library.string() + "\n" + sources_.standard;
    const auto isWhole = [](const std::string& path) { return fs::path(path).is_absolute(); };
    if (!std::ranges::all_of(sources_.files, isWhole) ||
        !std::ranges::all_of(sources_.includes, isWhole))
      key += "\n" + fs::current_path(ignored).string();
    if (!ptxas_.empty()) key += "\n" + ptxas_ + " " + tools_.arch;
    for (const Words* words : {&sources_.files, &sources_.includes, &sources_.defines}) {
      key += "\n";
      for (const std::string& word : *words) key += word + "\n";
    }
    return key;
  }

  /// Records the files that the compiler read, from the dependency file that it wrote for make.
  void noteFiles() {
    const Result<std::string> rule = readTextFile(folder_ / "read.d");
    if (!rule) return;
    // By the next build, files in the build folder are gone or belong to another process.
    for (std::string& file : compile::dependenciesIn(*rule))
      if (!file.starts_with(folder_.string() + "/")) read_.push_back(std::move(file));
  }

  /// If the file has launches that clang misreads, lets clang read a corrected copy of it.
  Status joinBrackets(const std::string& file) {
    const Result<std::string> text = readTextFile(file, size_t{64} << 20);
    if (!text) return text.error();
    const std::string joined = withJoinedBrackets(*text);
    if (joined == *text) return {};
    const fs::path copy = folder_ / (std::to_string(objects_.size()) + ".joined");
    append(remapped_, {"-Xclang", "-remap-file", "-Xclang", file + ";" + copy.string()});
    return writeFileAtomically(copy, joined);
  }

  /// The options for compiling either half.
  [[nodiscard]] Words common(bool cuda) const {
    Words words{clang_.path};
    if (cuda) {
      append(words,
             {"-x", "cuda", "--cuda-path=" + (folder_ / "no-toolkit").string(), "-nocudainc",
              "-nocudalib", "-Xclang", "-target-sdk-version=11.5", "-include",
              (tools_.headers / "program.h").string(), "-fdeclspec", "-Wno-builtin-macro-redefined",
              "-Wno-unknown-cuda-version", "-Wno-unused-command-line-argument", "-Xclang",
              "-fcuda-allow-variadic-functions", "-Wno-register", "-Wno-c++11-narrowing"});
    }
    append(words, {"-I", (tools_.headers / "include").string(), "-std=" + sources_.standard,
                   "-ferror-limit=20", "-fno-color-diagnostics", "-MD", "-MF",
                   (folder_ / "read.d").string()});
    for (const std::string& folder : sources_.includes) append(words, {"-I", folder});
    for (const std::string& define : sources_.defines) words.push_back("-D" + define);
    append(words, remapped_);
    return words;
  }

  Result<CommandResult> run(const Words& words, const std::string& what) {
    Result<CommandResult> ran = runCommand(words, {.time = limits_});
    if (!ran) return ran;
    if (ran->timedOut)
      return lateError("clang needs more than " + ran->limit + " for " + what + "; it was stopped");
    return ran;
  }

  Status compileBoth(const std::string& file) {
    if (Status joined = joinBrackets(file); !joined) return joined;
    const fs::path code = folder_ / "device.bc", ptx = folder_ / "device.ptx",
                   image = folder_ / "device.image";
    Words words = common(true);
    append(words, {"--cuda-device-only", "--cuda-gpu-arch=sm_75", "-O3", "-gline-directives-only",
                   "-ffp-contract=fast", "-Xclang", "-target-feature", "-Xclang", "+ptx70"});
    append(words, compile::ClangProgram::earlyCodeWords());
    append(words, {"-c", "-o", code.string(), file});
    const Result<CommandResult> ran = run(words, file);
    if (!ran) return ran.error();
    if (ran->exitStatus != 0) return refusal(ran->output, file);
    warnings_ += ran->output;
    noteFiles();
    Words rest = clang_.codeWords("compute_75");
    append(rest, {"-o", ptx.string(), code.string()});
    const Result<CommandResult> optimised = run(rest, file);
    if (!optimised) return optimised.error();
    if (optimised->exitStatus != 0) return refusal(optimised->output, file);
    if (Status written = writeImage(ptx, image, file, declarationsOf(file)); !written)
      return written;
    return compileHost(file, {"-Xclang", "-fcuda-include-gpubinary", "-Xclang", image.string()});
  }

  /// The names and types that the source declares, as comments of PTX. They come from a separate
  /// compilation, because debugging information changes the line numbers of optimised code. Empty
  /// if there are none.
  std::string declarationsOf(const std::string& file) {
    const fs::path ptx = folder_ / "debug.ptx";
    Words words = common(true);
    append(words, {"--cuda-device-only", "--cuda-gpu-arch=sm_75", "-S", "-O0", "-w", "-Xclang",
                   "-debug-info-kind=limited", "-Xclang", "-dwarf-version=2", "-Xclang",
                   "-target-feature", "-Xclang", "+ptx70", "-o", ptx.string(), file});
    const Result<CommandResult> ran = run(words, file);
    if (!ran || ran->exitStatus != 0) return {};
    const Result<std::string> text = readTextFile(ptx, size_t{256} << 20);
    return text ? ptx::asComments(ptx::debugSectionsOf(*text)) : std::string();
  }

  /// Writes the device's code for all engines, preceded by its length (guest/functions.cpp).
  Status writeImage(const fs::path& ptx, const fs::path& image, const std::string& file,
                    const std::string& declarations) {
    Result<std::string> text = readTextFile(ptx, size_t{64} << 20);
    if (!text) return text.error();
    Result<ptx::Module> module =
        ptx::parse(compile::withMaskedRotations(std::move(*text)), file + " (PTX)");
    if (!module) return module.error();
    std::string printed = ptx::print(ptx::withExplicitRounding(ptx::withGuardedSelections(
                              ptx::withTurnedBranches(std::move(*module))))) +
                          declarations;
    if (!ptxas_.empty())
      printed += registerComments(ptxas_, tools_.arch, printed, folder_, limits_);
    const uint64_t bytes = printed.size();
    std::string content = "TILESTEP";
    content.append(reinterpret_cast<const char*>(&bytes), sizeof bytes);
    return writeFileAtomically(image, content + printed);
  }

  Status compileHost(const std::string& file, const Words& device) {
    const bool cuda = isCuda(file);
    const fs::path object = folder_ / (std::to_string(objects_.size()) + ".o");
    Words words = common(cuda);
    if (cuda) words.push_back("--cuda-host-only");
    append(words, device);
    append(words, {"-O2", "-fsanitize=signed-integer-overflow", "-gdwarf-4", "-gline-tables-only",
                   "-fPIE", "-c", "-o", object.string(), file});
    const Result<CommandResult> ran = run(words, file);
    if (!ran) return ran.error();
    if (ran->exitStatus != 0) return refusal(ran->output, file);
    if (!cuda) warnings_ += ran->output;
    noteFiles();
    objects_.push_back(object.string());
    return {};
  }

  Status link() {
    Words words{clang_.path, "-pie", "-o", (folder_ / "program").string()};
    append(words, objects_);
    // The guest records reads of the host's clocks (guest/clocks.cpp).
    for (const char* clock :
         {"clock_gettime", "gettimeofday", "clock", "_ZNSt6chrono3_V212steady_clock3nowEv",
          "_ZNSt6chrono3_V212system_clock3nowEv"})
      words.push_back(std::string("-Wl,--wrap=") + clock);
    append(words, {tools_.library.string(), "-lpthread", "-ldl", "-lm"});
    const Result<CommandResult> ran = run(words, "the program");
    if (!ran) return ran.error();
    if (ran->exitStatus != 0) return missingFunctions(ran->output, sources_.files.front());
    return {};
  }

  const Sources& sources_;
  const Tools& tools_;
  fs::path folder_;
  TimeLimits limits_;
  compile::ClangProgram clang_;
  std::string ptxas_;  ///< Empty if ptxas is missing.
  Words objects_, remapped_;
  std::string warnings_;
  std::vector<std::string> read_;
};

}  // namespace

Result<Built> build(const Sources& sources, const Tools& tools, const fs::path& folder,
                    const TimeLimits& limits) {
  for (const std::string& file : sources.files) {
    std::error_code failure;
    if (!fs::is_regular_file(file, failure)) return requestError(file + " is not a readable file");
  }
  return Build(sources, tools, folder, limits).make();
}

}  // namespace tilestep::program
