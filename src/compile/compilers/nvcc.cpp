// SPDX-License-Identifier: Apache-2.0
#include "compile/compilers/nvcc.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <utility>

#include "base/files.h"
#include "base/private_folder.h"
#include "base/process/confine.h"
#include "base/process/shortage.h"
#include "base/toolkit.h"
#include "compile/compilers/confined_program.h"
#include "compile/compilers/line_directive.h"
#include "compile/text/headers.h"

namespace tilestep::compile {
namespace {

namespace fs = std::filesystem;

constexpr uint64_t kLongestFile = uint64_t{64} << 20;
/// A host program with Thrust needs 700 MB.
constexpr uint64_t kLeastBytes = uint64_t{1} << 30;
constexpr const char* kUsualStandard = "c++17";

/// The first of them that is a program; empty where none is. One without a folder is looked for on
/// PATH.
std::string firstNvcc(const std::vector<std::string>& paths) {
  std::error_code ignored;
  for (const std::string& path : paths) {
    if (path.find('/') == std::string::npos) {
      if (std::string found = findOnPath(path); !found.empty()) return found;
    } else if (fs::is_regular_file(path, ignored) && ::access(path.c_str(), X_OK) == 0) {
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
std::string searchPath(const std::string& nvcc) {
  std::string path = fs::path(nvcc).parent_path().string();
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

/// The newest language that the nvcc of that version knows: "13.0".
std::string newestStandard(const std::string& version) {
  constexpr int kFirstWith20 = 12;
  return std::atoi(version.c_str()) < kFirstWith20 ? kUsualStandard : "c++20";
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
                                Allowance& limits) const {
  ConfinedProgram confined;
  confined.limiter = program_;
  confined.searchPath = searchPath(path_);
  confined.leastBytes = kLeastBytes;
  confined.longestFile = kLongestFile;
  confined.keepsFiles = true;
  confined.readable = needsOf(path_);
  confined.endsAll = true;
  Result<CommandResult> ran = confined.run(words, folder, limits.left());
  if (ran) limits.takeOff(*ran);
  return ran;
}

Result<CommandResult> Nvcc::compile(const CompileRequest& request, const Options& options,
                                    const fs::path& folder, Allowance& limits) const {
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
  return run(words, folder, limits);
}

Result<Nvcc::About> Nvcc::about(Allowance& limits, const fs::path& folder) {
  {
    const std::lock_guard lock(mutex_);
    if (about_) return *about_;
  }
  // The log quotes no foreign text, so any line of it may tell of a lack.
  const auto isFit = [](const CommandResult& ran) -> Status {
    if (const auto fault = machinesFault(ran)) return *fault;
    if (ran.exitStatus != 0 && tellsOfShortage(ran.output))
      return workError("nvcc could not be started: " + ran.output.substr(0, ran.output.find('\n')));
    return {};
  };
  CompileRequest probe;
  probe.source = {
      "probe.cu", "#include <cstdio>\n__global__ void probe() {}\nint main() {}\n", {}, {}};
  const auto compiled = compile(probe, {probe.arch, kUsualStandard}, folder, limits);
  if (!compiled) return compiled.error();
  if (const Status fit = isFit(*compiled); !fit) return fit.error();
  About about;
  about.compiles = compiled->exitStatus == 0;
  const auto version = run({path_, "--version"}, folder, limits);
  if (!version) return version.error();
  if (const Status fit = isFit(*version); !fit) return fit.error();
  about.version = nvccVersion(version->output);
  const auto archs = run({path_, "--list-gpu-arch"}, folder, limits);
  if (!archs) return archs.error();
  if (const Status fit = isFit(*archs); !fit) return fit.error();
  about.newest = newestArch(archs->output);
  const std::lock_guard lock(mutex_);
  about_ = about;
  return about;
}

Result<NvccAnswer> Nvcc::ask(const CompileRequest& asked) {
  if (mayReadOtherFiles(asked.source.text)) return NvccAnswer{};
  Allowance limits(asked.limits);
  const PrivateFolder folder;
  if (folder.path().empty()) return workError(folder.trouble());
  const auto ran = compile(asked, {asked.arch, kUsualStandard}, folder.path(), limits);
  if (!ran) return ran.error();
  Result<NvccAnswer> answer = nvccAnswer(*ran, asked.source);
  const bool isClear = answer ? answer->kind != NvccAnswer::Kind::refuses : ran->timedOut;
  if (isClear) return answer;
  const Result<About> known = about(limits, folder.path());
  if (!known) return known.error();
  if (!known->compiles) return NvccAnswer{};
  if (!answer) return answer;
  answer->name = "nvcc " + known->version;
  if (known->newest.empty()) return answer;
  const auto other =
      compile(asked, {known->newest, newestStandard(known->version)}, folder.path(), limits);
  if (!other) return other.error();
  const Result<NvccAnswer> second = nvccAnswer(*other, asked.source);
  if (!second)
    if (const auto fault = machinesFault(*other)) return *fault;
  if (second && second->kind == NvccAnswer::Kind::takes)
    answer->kind = NvccAnswer::Kind::takesOtherwise;
  return answer;
}

}  // namespace tilestep::compile
