// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <utility>

#include "base/files.h"
#include "base/hash.h"
#include "base/private_folder.h"
#include "base/process/confine.h"
#include "base/process/run_command.h"
#include "compile/compiler.h"
#include "compile/compilers/clang_files.h"
#include "compile/compilers/clang_output.h"
#include "compile/compilers/compiler_log.h"

namespace tilestep::compile {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;

constexpr int kOldest = 14;
constexpr int kNewest = 30;
constexpr milliseconds kTimeout{60000};
constexpr std::string_view kHeader = "cuda_subset.h";

// "compute_75" as clang says it.
std::string archOption(const std::string& arch) {
  return "--cuda-gpu-arch=sm_" + arch.substr(arch.rfind('_') + 1);
}

// A shuffle of a variable that only some lanes have set is right. Without this, clang assumes that
// every argument has a value, and concludes that all lanes took the branch that sets it.
std::string undefinedArguments(const std::string& version) {
  return version.starts_with("14.") ? "-disable-noundef-analysis" : "-no-enable-noundef-analysis";
}

// What every clang from 14 on takes, with no CUDA Toolkit and without looking for one.
std::vector<std::string> baseOptions(const std::string& compiler, const std::string& version,
                                     const std::string& arch, const fs::path& work) {
  return {compiler, "-x", "cuda", "--cuda-device-only", archOption(arch), "-nocudainc",
          "-nocudalib", "--cuda-path=" + (work / "no-toolkit").string(), "-S", "-O3",
          "-gline-directives-only", "-std=c++17", "-fdeclspec",
          // As NVRTC does: a product and the sum that takes it become one fma.
          "-ffp-contract=fast",
          // A loop's blocks stay in their order, the first one first, as NVRTC has them, so that
          // PTX is read from top to bottom. The assembler orders blocks for the GPU by itself.
          "-mllvm", "-disable-block-placement",
          // Assembly in a kernel may use all that compute capability 7.5 has, ldmatrix for
          // instance: more than clang's oldest PTX.
          "-Xclang", "-target-feature", "-Xclang", "+ptx70", "-fdebug-compilation-dir=.", "-Xclang",
          undefinedArguments(version),
          // As far as NVRTC goes: loops over a thread's own elements are unrolled, so that its sums
          // stay in registers, and functions that are called often are inlined.
          "-mllvm", "-unroll-threshold=1300", "-mllvm", "-inline-threshold=1000",
          // A macro that puts these names together would tell which files this machine has.
          "-U__has_include", "-D__has_include(x)=0", "-U__has_include_next",
          "-D__has_include_next(x)=0", "-U__has_embed", "-D__has_embed(x)=0",
          "-Wno-builtin-macro-redefined", "-Wno-register", "-Wno-unknown-cuda-version",
          "-fno-caret-diagnostics", "-fno-color-diagnostics", "-ferror-limit=20"};
}

// Behind the options above, these have clang write LLVM's code instead, with all functions inlined
// and nothing else optimised.
const std::vector<std::string> kAsWritten{"-O0", "-Xclang", "-disable-O0-optnone", "-emit-llvm"};

// To make PTX of that code: variables become registers, and no access moves.
std::vector<std::string> optionsOfCode(const std::string& compiler, const std::string& arch) {
  return {compiler,
          "-x",
          "ir",
          "--target=nvptx64-nvidia-cuda",
          "-Xclang",
          "-target-cpu",
          "-Xclang",
          "sm_" + arch.substr(arch.rfind('_') + 1),
          "-Xclang",
          "-target-feature",
          "-Xclang",
          "+ptx70",
          "-S",
          "-O1",
          "-Xclang",
          "-disable-llvm-passes",
          "-mllvm",
          "-disable-block-placement",
          "-Wno-override-module"};
}

std::string escaped(const std::string& path) {
  std::string text;
  for (const char c : path) {
    if (c == '"' || c == '\\') text += '\\';
    text += c == '\n' ? ' ' : c;
  }
  return text;
}

// Every function between them is inlined where it is called, unless it calls itself.
const std::string kInlined =
    "#pragma clang attribute push(__attribute__((always_inline)), apply_to = function)\n";
const std::string kInlinedEnd = "\n#pragma clang attribute pop\n";

// Host data that no device code is made of, for which a template's instances are.
std::string uses(const std::vector<std::string>& instances) {
  std::string text;
  for (size_t i = 0; i < instances.size(); ++i) {
    text += "\nvoid* tilestepInstance" + std::to_string(i) + " = (void*)&" + instances[i] + ";\n";
  }
  return text;
}

// A hash of all our headers that does not depend on the folder's order.
std::string hashOf(const fs::path& folder) {
  uint64_t all = 0;
  std::error_code failure;
  for (fs::recursive_directory_iterator at(folder, failure), end; !failure && at != end;
       at.increment(failure)) {
    if (const auto text = readTextFile(at->path())) all += fnv1a64(*text);
  }
  return hex64(all);
}

/// How clang is started: under limits where `program` is there to set them.
struct Starter {
  std::string program;
  std::vector<fs::path> readable;  ///< What clang needs.
  bool keepsFiles = false;

  [[nodiscard]] Result<CommandResult> run(const std::vector<std::string>& words,
                                          const fs::path& folder,
                                          const CompileLimits& limits) const {
    CommandRules rules;
    rules.timeout = limits.time;
    rules.cancelled = limits.cancelled;
    // No variable, such as CPATH, has it read other headers.
    rules.environment =
        std::vector<std::string>{"PATH=/usr/local/bin:/usr/bin:/bin", "LC_ALL=C",
                                 "HOME=" + folder.string(), "TMPDIR=" + folder.string()};
    if (const char* libraries = std::getenv("LD_LIBRARY_PATH"))
      rules.environment->push_back(std::string("LD_LIBRARY_PATH=") + libraries);
    if (program.empty()) return runCommand(words, rules);
    Confinement confinement;
    confinement.memoryBytes = limits.memoryBytes;
    confinement.fileBytes = kLongestFile;
    confinement.cpuSeconds = static_cast<uint64_t>(limits.time.count() / 1000) + 1;
    confinement.parent = ::getpid();
    confinement.keepsFiles = keepsFiles;
    confinement.readable = readable;
    confinement.writable = {folder, "/dev/null"};
    return runCommand(confinedCommand(program, confinement, words), rules);
  }

  static constexpr uint64_t kLongestFile = uint64_t{256} << 20;
};

class Clang final : public Compiler {
 public:
  Clang(std::string compiler, std::string version, fs::path header, fs::path resources,
        Starter starter)
      : compiler_(std::move(compiler)),
        version_(std::move(version)),
        header_(std::move(header)),
        resources_(std::move(resources)),
        starter_(std::move(starter)),
        fingerprint_(hashOf(header_.parent_path())) {}

  std::string name() const override { return "clang"; }
  std::string version() const override { return version_; }
  std::string fingerprint() const override { return fingerprint_; }
  /// What it read is verified in any case.
  bool keepsFiles() const override { return true; }

  Result<std::string> compile(const CompileRequest& request, std::string& log) override {
    const PrivateFolder folder;
    if (folder.path().empty()) return workError(folder.trouble());
    const fs::path source = folder.path() / "kernel.cu";
    const fs::path ptx = folder.path() / "kernel.ptx";
    // #line makes errors and .loc name the kernel's own file.
    const std::string named = "#line 1 \"" + escaped(request.source.path) + "\"\n";
    const std::string lined =
        (request.asWritten ? kInlined + named + request.source.text + kInlinedEnd
                           : named + request.source.text) +
        uses(request.instances);
    if (Status written = writeFileAtomically(source, lined); !written) return written.error();
    const auto begun = std::chrono::steady_clock::now();
    auto ran =
        starter_.run(command(request, folder.path(), source, ptx), folder.path(), request.limits);
    if (!ran) return ran.error();
    log = std::move(ran->output);
    if (ran->timedOut) return tooSlow(request);
    if (const std::string crash = crashOf(*ran, log); !crash.empty())
      return crashed(request, crash);
    if (ran->exitStatus != 0) {
      Error error = compileError(log, request.source, "clang " + version_,
                                 "it ended with status " + std::to_string(ran->exitStatus));
      // Without a place it is not about the text.
      if (!error.where) return workError(std::move(error.message));
      return placedInstance(withRemedy(std::move(error), log, header_.parent_path().string()),
                            request);
    }
    // Clang lists what it read. What is not its own or ours would be missing from the cache's key,
    // and might be a file that the kernel's author may not read.
    if (const auto foreign = foreignFile(folder.path() / "kernel.d",
                                         {folder.path(), header_.parent_path(), resources_}))
      return requestError(request.source.path + " has clang read " + *foreign +
                          ", which is no header of the device");
    if (request.asWritten) {
      CompileLimits rest = request.limits;
      rest.time -=
          std::chrono::ceil<std::chrono::milliseconds>(std::chrono::steady_clock::now() - begun);
      if (const Status made = compileCode(request, rest, folder.path(), ptx); !made)
        return made.error();
    }
    Result<std::string> text = readTextFile(ptx, size_t{64} << 20);
    if (!text) return text.error();
    return withMaskedRotations(std::move(*text));
  }

 private:
  std::vector<std::string> command(const CompileRequest& request, const fs::path& folder,
                                   const fs::path& source, const fs::path& ptx) const {
    std::vector<std::string> words = baseOptions(compiler_, version_, request.arch, folder);
    words.insert(words.end(), {"-include", header_.string(), "-isystem",
                               (header_.parent_path() / "include").string()});
    if (request.relocatable) words.emplace_back("-fgpu-rdc");
    if (request.asWritten) words.insert(words.end(), kAsWritten.begin(), kAsWritten.end());
    for (const auto& [name, value] : request.tunables) {
      words.push_back("-D" + name + "=" + std::to_string(value));
    }
    words.insert(words.end(), {"-MD", "-MF", (folder / "kernel.d").string(), "-o", ptx.string(),
                               source.string()});
    return words;
  }

  /// Makes PTX of LLVM's code, in its place.
  Status compileCode(const CompileRequest& request, const CompileLimits& limits,
                     const fs::path& folder, const fs::path& ptx) const {
    std::error_code failed;
    const fs::path code = folder / "kernel.ll";
    fs::rename(ptx, code, failed);
    if (failed) return workError(ptx.string() + " cannot be renamed: " + failed.message());
    std::vector<std::string> words = optionsOfCode(compiler_, request.arch);
    words.insert(words.end(), {"-o", ptx.string(), code.string()});
    const auto ran = starter_.run(words, folder, limits);
    if (!ran) return ran.error();
    if (ran->timedOut) return tooSlow(request);
    if (const std::string crash = crashOf(*ran, ran->output); !crash.empty())
      return crashed(request, crash);
    if (ran->exitStatus != 0)
      return requestError("clang makes no PTX of " + request.source.path + " as it is written");
    return {};
  }

  static Error tooSlow(const CompileRequest& request) {
    return workError("clang needs more than " + std::to_string(request.limits.time.count() / 1000) +
                     " s for " + request.source.path + "; it was stopped");
  }

  /// Without its optimiser clang cannot compile every text: then another try would end the same
  /// way.
  static Error crashed(const CompileRequest& request, const std::string& crash) {
    const std::string what = "clang " + crash + " while it compiled " + request.source.path;
    const auto isMachines = std::ranges::find(kMachines, crash) != kMachines.end();
    return request.asWritten && !isMachines ? requestError(what) : workError(what);
  }

  static constexpr const char* kNoMemory = "needed more memory than it may take";
  static constexpr const char* kKilled = "was stopped by signal 9";  ///< By the system.
  static constexpr const char* kNoRoom = "found no room in the temporary folder";
  static constexpr const char* kNoFiles = "could not open or read its files";
  static constexpr std::array<std::string_view, 4> kMachines{kNoMemory, kKilled, kNoRoom, kNoFiles};
  /// What ended it, where that was no error in the text; else empty.
  static std::string crashOf(const CommandResult& ran, const std::string& log) {
    constexpr int kSignals = 128;
    for (const char* words : {"LLVM ERROR: out of memory", "instance of 'std::bad_alloc'"})
      if (ran.exitStatus != 0 && log.find(words) != std::string::npos) return kNoMemory;
    for (const char* words : {"No space left on device", "Disk quota exceeded"})
      if (ran.exitStatus != 0 && log.find(words) != std::string::npos) return kNoRoom;
    for (const char* words : {": Too many open files", ": Input/output error", ": Cannot allocate"})
      if (ran.exitStatus != 0 && log.find(words) != std::string::npos) return kNoFiles;
    // clang's driver says of its own crashes that they are errors of its own, with status 1 or
    // more.
    if (log.find("PLEASE submit a bug report") != std::string::npos) return "crashed";
    return ran.exitStatus > kSignals
               ? "was stopped by signal " + std::to_string(ran.exitStatus - kSignals)
               : std::string();
  }

  std::string compiler_, version_;
  fs::path header_, resources_;
  Starter starter_;
  std::string fingerprint_;
};

Error cannotBeAsked(const std::string& compiler, const std::string& why) {
  return workError(compiler + " cannot be asked whether it compiles for GPUs: " + why +
                   "; try again, or mend or remove it");
}

/// The first line of what it says, with which it ended; else its status.
std::string whyItFailed(const CommandResult& ran) {
  if (ran.timedOut) return "it does not end";
  const std::string line = ran.output.substr(0, ran.output.find('\n'));
  return line.empty() ? "it ended with status " + std::to_string(ran.exitStatus) : line;
}

/// What it says to an option that every clang has. An Error where it does not get as far, which may
/// be the machine's doing: a clang that cannot start now must not count as none.
Result<std::string> answerOf(const std::string& compiler, const std::string& option) {
  const auto ran = runCommand({compiler, option}, kTimeout);
  if (!ran) return cannotBeAsked(compiler, ran.error().message);
  if (ran->timedOut || ran->exitStatus != 0) return cannotBeAsked(compiler, whyItFailed(*ran));
  return ran->output;
}

// "Debian clang version 14.0.6" says "14.0.6"; empty where the program is no clang.
std::string versionIn(const std::string& answer) {
  constexpr std::string_view kMark = "clang version ";
  const size_t at = answer.find(kMark);
  if (at == std::string::npos) return {};
  const size_t begin = at + kMark.size();
  return answer.substr(begin, answer.find_first_not_of("0123456789.", begin) - begin);
}

/// Whether it writes PTX: a clang may be built without. An Error where that is not known.
Result<bool> writesPtx(const std::string& compiler, const std::string& version,
                       const fs::path& folder, const Starter& starter) {
  const fs::path source = folder / "probe.cu";
  const Status written = writeFileAtomically(source, "__attribute__((global)) void probe() {}\n");
  if (!written) return written.error();
  std::vector<std::string> words = baseOptions(compiler, version, "compute_75", folder);
  words.insert(words.end(), {"-o", (folder / "probe.ptx").string(), source.string()});
  const auto ran = starter.run(words, folder, {});
  if (!ran) return cannotBeAsked(compiler, ran.error().message);
  if (ran->exitStatus == 0) return true;
  for (const char* lack : {"unable to create target", "unknown target", "unsupported option"})
    if (ran->output.find(lack) != std::string::npos) return false;
  return cannotBeAsked(compiler, whyItFailed(*ran));
}

// What clang needs to start and to compile, wherever it is installed.
std::vector<fs::path> needsOf(const std::string& compiler, const fs::path& resources,
                              const fs::path& headers) {
  std::error_code ignored;
  std::vector<fs::path> paths{"/usr/lib", "/usr/lib64", "/usr/local/lib",   "/lib",     "/lib64",
                              "/usr/bin", "/bin",       "/etc/ld.so.cache", "/dev/null"};
  paths.push_back(fs::canonical(compiler, ignored).parent_path().parent_path());
  paths.insert(paths.end(), {resources, headers});
  return paths;
}

// A way to start it that works here, with its files kept, else without; nothing where it writes no
// PTX.
Result<std::optional<Starter>> starterFor(const std::string& compiler, const std::string& version,
                                          const std::string& program, const fs::path& resources,
                                          const fs::path& headers, const fs::path& folder) {
  Starter starter{program, needsOf(compiler, resources, headers),
                  !program.empty() && canKeepFiles()};
  Result<bool> writes = writesPtx(compiler, version, folder, starter);
  if (!(writes && *writes) && starter.keepsFiles) {
    starter.keepsFiles = false;
    writes = writesPtx(compiler, version, folder, starter);
  }
  if (!writes) return writes.error();
  return *writes ? std::optional(starter) : std::nullopt;
}

/// Without room for what it writes, a clang would be taken for none.
Status hasRoom(const fs::path& folder) {
  constexpr size_t kBytes = size_t{256} << 10;
  const fs::path probe = folder / "room";
  const Status written = writeFileAtomically(probe, std::string(kBytes, ' '));
  std::error_code ignored;
  fs::remove(probe, ignored);
  if (written) return {};
  return workError("The temporary folder has no room: " + written.error().message +
                   "; make room, or name another folder with TMPDIR");
}

std::vector<std::string> candidates() {
  std::vector<std::string> found;
  for (int version = kNewest; version >= kOldest; --version) {
    found.push_back(findOnPath("clang++-" + std::to_string(version)));
  }
  found.push_back(findOnPath("clang++"));
  std::erase(found, std::string());
  return found;
}

/// Null where the program is no clang that writes PTX.
Result<std::unique_ptr<Compiler>> openCandidate(const std::string& compiler, const fs::path& header,
                                                const std::string& program,
                                                const fs::path& folder) {
  const Result<std::string> answer = answerOf(compiler, "--version");
  if (!answer) return answer.error();
  std::string version = versionIn(*answer);
  if (std::atoi(version.c_str()) < kOldest) return std::unique_ptr<Compiler>();
  const Result<std::string> named = answerOf(compiler, "-print-resource-dir");
  if (!named) return named.error();
  const fs::path resources = named->substr(0, named->find('\n'));
  const auto starter =
      starterFor(compiler, version, program, resources, header.parent_path(), folder);
  if (!starter) return starter.error();
  if (!*starter) return std::unique_ptr<Compiler>();
  return std::unique_ptr<Compiler>(
      std::make_unique<Clang>(compiler, std::move(version), header, resources, **starter));
}

}  // namespace

Result<std::unique_ptr<Compiler>> openClang(const std::string& headerFolder,
                                            const std::string& program) {
  std::error_code ignored;
  const fs::path header = fs::absolute(fs::path(headerFolder) / kHeader, ignored);
  if (!fs::exists(header, ignored)) return std::unique_ptr<Compiler>();
  sweepPrivateFolders();
  const PrivateFolder folder;
  if (folder.path().empty()) return workError(folder.trouble());
  const std::vector<std::string> here = candidates();
  if (here.empty()) return std::unique_ptr<Compiler>();
  if (const Status room = hasRoom(folder.path()); !room) return room.error();
  Result<std::unique_ptr<Compiler>> none = std::unique_ptr<Compiler>();
  for (const std::string& compiler : here) {
    Result<std::unique_ptr<Compiler>> opened =
        openCandidate(compiler, header, program, folder.path());
    if (opened && *opened) return opened;
    if (!opened && none) none = opened.error();
  }
  return none;
}

}  // namespace tilestep::compile
