// SPDX-License-Identifier: Apache-2.0
#include "compile/compilers/nvcc.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <utility>

#include "base/files.h"
#include "base/private_folder.h"
#include "base/process/confine.h"
#include "base/process/shortage.h"
#include "base/toolkit.h"
#include "compile/compilers/compiler_log.h"
#include "compile/compilers/line_directive.h"
#include "compile/host/nvcc_doubts.h"
#include "compile/text/headers.h"

namespace tilestep::compile {
namespace {

namespace fs = std::filesystem;

constexpr uint64_t kLongestFile = uint64_t{64} << 20;
/// A host program with Thrust needs 700 MB.
constexpr uint64_t kLeastBytes = uint64_t{1} << 30;
constexpr const char *kUsualStandard = "c++17", *kNewestStandard = "c++20";

/// The first file of that name that can be run; empty where there is none.
std::string firstNvcc(const std::vector<std::string>& paths) {
  for (const std::string& path : paths) {
    if (path.find('/') == std::string::npos) {
      if (std::string found = findOnPath(path); !found.empty()) return found;
    } else if (::access(path.c_str(), X_OK) == 0) {
      return path;
    }
  }
  return {};
}

/// nvcc and the host's compiler, with their libraries and headers.
std::vector<fs::path> needsOf(const std::string& nvcc) {
  constexpr std::array kInside{"bin",   "include", "lib",  "lib32",
                               "lib64", "libexec", "nvvm", "targets"};
  std::vector<fs::path> paths{
      "/lib",     "/lib64", "/bin", "/etc/alternatives", "/etc/ld.so.cache", "/etc/nvcc.profile",
      "/dev/null"};
  std::error_code ignored;
  for (const std::string& program :
       {nvcc, findOnPath("g++"), std::string("/usr/bin/sh"), std::string("/usr/local/bin/sh")}) {
    const fs::path home = fs::weakly_canonical(program, ignored).parent_path().parent_path();
    for (const char* folder : kInside)
      if (!home.empty()) paths.push_back(home / folder);
  }
  return paths;
}

/// The folders of nvcc and of the host's compiler first.
std::string pathVariable(const std::string& nvcc) {
  std::string path = "PATH=" + fs::path(nvcc).parent_path().string();
  if (const std::string host = findOnPath("g++"); !host.empty())
    path += ":" + fs::path(host).parent_path().string();
  return path + ":/usr/local/bin:/usr/bin:/bin";
}

/// "compute_90a" as nvcc's options have it, with what else it is given.
std::vector<std::string> optionsFor(const std::string& arch) {
  return {"-c", "-w", "-rdc=true", "--extended-lambda", "--expt-relaxed-constexpr", "-gencode",
          "arch=" + arch + ",code=sm_" + arch.substr(arch.rfind('_') + 1),
          // These would tell which files this machine has.
          "-D__has_include(x)=0", "-D__has_include_next(x)=0", "-D__has_embed(x)=0",
          // The host's compiler makes no machine code.
          "-Xcompiler", "-fsyntax-only"};
}

/// "13.0" of "Cuda compilation tools, release 13.0, V13.0.88"; empty for other text.
std::string versionIn(const std::string& text) {
  constexpr std::string_view kMark = "release ";
  const size_t at = text.find(kMark);
  if (at == std::string::npos) return {};
  const size_t begin = at + kMark.size();
  return text.substr(begin, text.find_first_not_of("0123456789.", begin) - begin);
}

/// "compute_121", the last of a list of all; empty for other text.
std::string newestIn(const std::string& text) {
  const size_t at = text.rfind("compute_");
  if (at == std::string::npos) return {};
  return text.substr(at, text.find_first_not_of("abcdefghijklmnopqrstuvwxyz_0123456789", at) - at);
}

/// The first line of the log for which that holds; empty where there is none.
template <class Holds>
std::string lineWhere(std::string_view log, Holds holds) {
  while (!log.empty()) {
    const std::string_view line = log.substr(0, log.find('\n'));
    if (holds(line)) return std::string(line);
    log.remove_prefix(std::min(log.size(), line.size() + 1));
  }
  return {};
}

/// What a compiler says of a lack of the machine. Other lines may quote the file.
std::string shortageIn(std::string_view log) {
  return lineWhere(log, [](std::string_view line) {
    constexpr std::array kMarks{": catastrophic error: ", ": fatal error: "};
    constexpr std::array kPrograms{"nvcc ", "cc1plus: ", "g++: ", "gcc: ", "sh: "};
    const bool isCompilers =
        std::ranges::any_of(kMarks,
                            [&](const char* mark) { return line.find(mark) != line.npos; }) ||
        std::ranges::any_of(kPrograms, [&](const char* name) { return line.starts_with(name); });
    return isCompilers && tellsOfShortage(line);
  });
}

/// Whether a header that the file includes is not here or is kept from it: then the preprocessor
/// ends there, and it is the first error.
bool lacksHeader(const Error& first) {
  return first.message.ends_with(": No such file or directory") ||
         first.message.ends_with(": Permission denied");
}

/// Whether nvcc does not know the architecture, or only ptxas refuses the file, so that there is no
/// error in the file.
bool cannotSay(std::string_view log) {
  const std::string line = lineWhere(log, [](std::string_view each) {
    return each.starts_with("ptxas ") ||
           each.starts_with("nvcc fatal   : Unsupported gpu architecture");
  });
  return !line.empty();
}

/// Whether the file may include one that is no header: by a path from the root or one that climbs,
/// by a macro, or by a directive that is not read here, such as #embed or one that a backslash
/// parts. nvcc would read what of it is in its folders.
bool mayReadOtherFiles(std::string_view text) {
  constexpr std::array kReadNone{"define", "undef", "if",     "ifdef", "ifndef", "elif",
                                 "else",   "endif", "pragma", "error", "warning"};
  const auto mayRead = [&](const CudaToken& token) {
    if (token.kind != CudaToken::Kind::directive) return false;
    const CudaTokens words = wordsOfDirective(token.text);
    if (words.empty() || isOneOf(words[0].text, kReadNone)) return false;
    const std::string_view header = headerOf(token.text);
    return !words[0].is("include") || header.empty() || header.front() == '/' ||
           header.find("..") != header.npos;
  };
  return std::ranges::any_of(cudaTokens(text), mayRead);
}

/// Whether nvcc or what it started was stopped by a signal.
bool wasStopped(const CommandResult& ran) {
  constexpr int kSignals = 128, kMostSignals = 64;  // ptxas may end with 255 by itself.
  const int signal = ran.exitStatus - kSignals;
  return (signal > 0 && signal <= kMostSignals) ||
         !lineWhere(ran.output, [](std::string_view line) {
            return (line.starts_with("nvcc error ") &&
                    line.find("died due to signal") != line.npos) ||
                   (line.find(": fatal error: ") != line.npos &&
                    line.find(" signal terminated program ") != line.npos);
          }).empty();
}

Error noAnswer(const CommandResult& ran) {
  const std::string lack = shortageIn(ran.output);
  const std::string why = ran.timedOut ? "it did not end in time"
                          : !lack.empty()
                              ? lack
                              : "it ended with status " + std::to_string(ran.exitStatus) + ": " +
                                    ran.output.substr(0, ran.output.find('\n'));
  return workError("nvcc could not be asked about the file: " + why);
}

/// Whether the machine is at fault, and the same file may be taken at another time.
bool hasGivenNoAnswer(const CommandResult& ran) {
  return ran.timedOut || wasStopped(ran) || !shortageIn(ran.output).empty();
}

/// The error that counts: the first one in code of the device, else the first one in the file, else
/// one in a header, whose place is then told in words.
NvccWord refusal(const std::vector<Error>& errors, const KernelSource& source) {
  const auto isOfFile = [&](const Error& error) { return error.where->file == source.path; };
  const auto isDevices = [&](const Error& error) {
    return isOfFile(error) && isOfDevice(error, source.text);
  };
  NvccWord word{NvccWord::Kind::refuses, errors.front(), false, {}};
  if (const auto first = std::ranges::find_if(errors, isDevices); first != errors.end()) {
    word.error = *first;
    word.isOfDevice = true;
  } else if (const auto own = std::ranges::find_if(errors, isOfFile); own != errors.end()) {
    word.error = *own;
  } else {
    word.error->message += " (in " + word.error->where->file + ")";
    word.error->where.reset();
  }
  return word;
}

/// What it says by how it ended. An Error where that is no answer.
Result<NvccWord> wordOf(const CommandResult& ran, const KernelSource& source) {
  if (ran.timedOut || wasStopped(ran)) return noAnswer(ran);
  if (ran.exitStatus == 0) return NvccWord{NvccWord::Kind::takes, {}, false, "nvcc"};
  // The log quotes lines and texts of the file, which may look like anything. An error in code of
  // the device is one all the same.
  const std::vector<Error> errors = allErrors(ran.output, source);
  const NvccWord refused = errors.empty() ? NvccWord{} : refusal(errors, source);
  if (refused.isOfDevice) return refused;
  if (!shortageIn(ran.output).empty()) return noAnswer(ran);
  if (errors.empty())
    return cannotSay(ran.output) ? Result<NvccWord>(NvccWord{}) : Result<NvccWord>(noAnswer(ran));
  return lacksHeader(errors.front()) ? NvccWord{} : refused;
}

}  // namespace

std::unique_ptr<Nvcc> Nvcc::find(const std::string& program) {
  constexpr std::array kInside{"bin"};
  constexpr std::array kNames{"nvcc"};
  if (program.empty() || !canKeepFiles()) return nullptr;
  const Result<std::vector<std::string>> paths = toolkitPaths(kInside, kNames);
  const std::string path = paths ? firstNvcc(*paths) : std::string();
  return path.empty() ? nullptr : std::unique_ptr<Nvcc>(new Nvcc(path, program));
}

Result<CommandResult> Nvcc::run(const std::vector<std::string>& words, const fs::path& folder,
                                const CompileLimits& limits) const {
  CommandRules rules;
  rules.timeout = limits.time;
  rules.cancelled = limits.cancelled;
  // No variable, such as CPATH or NVCC_APPEND_FLAGS, has it read or do anything else.
  rules.environment = std::vector<std::string>{
      pathVariable(path_), "LC_ALL=C", "HOME=" + folder.string(), "TMPDIR=" + folder.string()};
  Confinement confinement;
  confinement.memoryBytes = std::max(limits.memoryBytes, kLeastBytes);
  confinement.fileBytes = kLongestFile;
  confinement.cpuSeconds = static_cast<uint64_t>(limits.time.count() / 1000) + 1;
  confinement.parent = ::getpid();
  confinement.endsAll = true;
  confinement.keepsFiles = true;
  confinement.readable = needsOf(path_);
  confinement.writable = {folder, "/dev/null"};
  return runCommand(confinedCommand(program_, confinement, words), rules);
}

Result<CommandResult> Nvcc::compile(const CompileRequest& request, const Options& options,
                                    const fs::path& folder) const {
  // Under a name that no file includes.
  const fs::path source = folder / "asked-of-nvcc.cu";
  const std::string text = lineDirective(request.source.path) + request.source.text + "\n";
  if (const Status written = writeFileAtomically(source, text); !written) return written.error();
  std::vector<std::string> words{path_};
  const std::vector<std::string> usual = optionsFor(options.arch);
  words.insert(words.end(), usual.begin(), usual.end());
  words.push_back("-std=" + options.standard);
  for (const auto& [name, value] : request.tunables)
    words.push_back("-D" + name + "=" + std::to_string(value));
  words.insert(words.end(), {"-o", (folder / "asked-of-nvcc.o").string(), source.string()});
  return run(words, folder, request.limits);
}

Result<Nvcc::About> Nvcc::about(const CompileLimits& limits, const fs::path& folder) {
  const std::lock_guard lock(mutex_);
  if (about_) return *about_;
  CompileRequest probe;
  probe.source = {
      "probe.cu", "#include <cstdio>\n__global__ void probe() {}\nint main() {}\n", {}, {}};
  probe.limits = limits;
  const auto compiled = compile(probe, {probe.arch, kUsualStandard}, folder);
  if (!compiled) return compiled.error();
  if (compiled->timedOut || wasStopped(*compiled) || tellsOfShortage(compiled->output))
    return noAnswer(*compiled);
  About about;
  about.compiles = compiled->exitStatus == 0;
  const auto version = run({path_, "--version"}, folder, limits);
  if (!version) return version.error();
  if (hasGivenNoAnswer(*version)) return noAnswer(*version);
  about.version = versionIn(version->output);
  const auto archs = run({path_, "--list-gpu-arch"}, folder, limits);
  if (!archs) return archs.error();
  if (hasGivenNoAnswer(*archs)) return noAnswer(*archs);
  about.newest = newestIn(archs->output);
  about_ = about;
  return about;
}

Result<NvccWord> Nvcc::ask(const CompileRequest& asked) {
  if (mayReadOtherFiles(asked.source.text)) return NvccWord{};
  const auto end = std::chrono::steady_clock::now() + asked.limits.time;
  CompileRequest request = asked;
  const auto restOfTime = [&] {
    const auto left =
        std::chrono::ceil<std::chrono::milliseconds>(end - std::chrono::steady_clock::now());
    request.limits.time = std::max(left, std::chrono::milliseconds(0));
  };
  const PrivateFolder folder;
  if (folder.path().empty()) return workError(folder.trouble());
  const auto ran = compile(request, {request.arch, kUsualStandard}, folder.path());
  if (!ran) return ran.error();
  Result<NvccWord> word = wordOf(*ran, request.source);
  const bool isClear = word ? word->kind != NvccWord::Kind::refuses : ran->timedOut;
  if (isClear) return word;
  restOfTime();
  const Result<About> known = about(request.limits, folder.path());
  if (!known) return known.error();
  if (!known->compiles) return NvccWord{};
  if (!word) return word;
  word->name = "nvcc " + known->version;
  if (known->newest.empty()) return word;
  restOfTime();
  const auto other = compile(request, {known->newest, kNewestStandard}, folder.path());
  if (!other) return other.error();
  const Result<NvccWord> second = wordOf(*other, request.source);
  if (!second && hasGivenNoAnswer(*other)) return second;
  if (second && second->kind == NvccWord::Kind::takes) word->kind = NvccWord::Kind::takesOtherwise;
  return word;
}

}  // namespace tilestep::compile
