// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <filesystem>
#include <optional>
#include <utility>

#include "base/files.h"
#include "base/hash.h"
#include "base/private_folder.h"
#include "base/process/shortage.h"
#include "compile/compilers/allowance.h"
#include "compile/compilers/clang_files.h"
#include "compile/compilers/clang_output.h"
#include "compile/compilers/clang_program.h"
#include "compile/compilers/compiler_log.h"
#include "compile/compilers/line_directive.h"

namespace tilestep::compile {
namespace {

namespace fs = std::filesystem;

// These operators would reveal which files exist. The standard library of whole programs uses them.
const std::vector<std::string> kDeviceOnly{"-U__has_include",      "-D__has_include(x)=0",
                                           "-U__has_include_next", "-D__has_include_next(x)=0",
                                           "-U__has_embed",        "-D__has_embed(x)=0"};

// Options for whole programs. Launches call a function in assets/runtime; the language is GNU C++.
const std::vector<std::string> kWhole{"-Xclang", "-target-sdk-version=11.5", "-Xclang",
                                      "-fcuda-allow-variadic-functions", "-std=gnu++17"};

// Host variables that instantiate the templates but generate no device code themselves.
std::string uses(const std::vector<std::string>& instances) {
  std::string text;
  for (size_t i = 0; i < instances.size(); ++i) {
    text += "\nvoid* tilestepInstance" + std::to_string(i) + " = (void*)&" + instances[i] + ";\n";
  }
  return text;
}

// A hash of all headers in the folder, independent of their order.
std::string hashOf(const fs::path& folder) {
  uint64_t all = 0;
  std::error_code failure;
  for (fs::recursive_directory_iterator at(folder, failure), end; !failure && at != end;
       at.increment(failure)) {
    if (const auto text = readTextFile(at->path())) all += fnv1a64(*text);
  }
  return hex64(all);
}

/// The first line in which clang itself reports an exhausted resource; empty if there is none.
/// Skips lines that start with a source position, because they may quote the source (#error).
std::string clangShortageIn(std::string_view log, const std::string& path) {
  while (!log.empty()) {
    const std::string_view line = log.substr(0, log.find('\n'));
    log.remove_prefix(std::min(log.size(), line.size() + 1));
    const bool isPlaced = line.starts_with(path + ":") && line.find(": fatal error: ") == line.npos;
    if (!isPlaced && isResourceExhaustion(line)) return std::string(line);
  }
  return {};
}

class Clang final : public Compiler {
 public:
  explicit Clang(ClangProgram program)
      : program_(std::move(program)),
        fingerprint_(hashOf(program_.header.parent_path()) + hashOf(program_.wholeHeaders())) {}

  std::string name() const override { return "clang"; }
  std::string version() const override { return program_.version; }
  std::string fingerprint() const override { return fingerprint_; }
  /// True because the files that clang has read are checked afterwards.
  bool keepsFiles() const override { return true; }

  Result<std::string> compile(const CompileRequest& request, std::string& log) override {
    const PrivateFolder folder;
    if (folder.path().empty()) return workError(folder.trouble());
    const fs::path source = folder.path() / "kernel.cu";
    const fs::path ptx = folder.path() / "kernel.ptx";
    // Errors and .loc directives then refer to the kernel's file.
    const std::string lined =
        lineDirective(request.source.path) + request.source.text + uses(request.instances);
    if (Status written = writeFileAtomically(source, lined); !written) return written.error();
    Allowance limits(request.limits);
    auto ran = run(command(request, folder.path(), source, ptx), folder.path(), limits);
    if (!ran) return ran.error();
    log = std::move(ran->output);
    if (ran->timedOut) return tooSlow(*ran, request);
    if (auto failure = failureOf(*ran, log, request)) return std::move(*failure);
    if (ran->exitStatus != 0) {
      Error error = compileError(log, request.source, "clang " + program_.version,
                                 "it ended with status " + std::to_string(ran->exitStatus));
      // An error without a position is not about the source.
      if (!error.where) return workError(std::move(error.message));
      return placedInstance(
          withRemedy(std::move(error), log, program_.header.parent_path().parent_path().string()),
          request);
    }
    // Clang lists the files that it read. Other files than clang's and ours would be missing from
    // the cache key, and the kernel's author might not be allowed to read them.
    if (const auto foreign =
            foreignFile(folder.path() / "kernel.d", readable(request, folder.path())))
      return requestError(request.source.path + " makes clang read " + *foreign +
                          ", which is not a header of the compiler");
    if (request.asWritten)
      if (const Status made = compileCode(request, limits, folder.path(), ptx); !made)
        return made.error();
    Result<std::string> text = readTextFile(ptx, size_t{64} << 20);
    if (!text) return text.error();
    return withMaskedRotations(std::move(*text));
  }

 private:
  /// The folders whose files clang may read for the request.
  [[nodiscard]] std::vector<fs::path> readable(const CompileRequest& request,
                                               const fs::path& folder) const {
    std::vector<fs::path> folders{folder, program_.header.parent_path(), program_.resources};
    if (request.wholeProgram)
      folders.insert(folders.end(), {program_.wholeHeaders(), "/usr/include", "/usr/lib"});
    return folders;
  }

  std::vector<std::string> command(const CompileRequest& request, const fs::path& folder,
                                   const fs::path& source, const fs::path& ptx) const {
    std::vector<std::string> words = program_.words(request.arch, folder);
    words.insert(words.end(), request.wholeProgram ? kWhole.begin() : kDeviceOnly.begin(),
                 request.wholeProgram ? kWhole.end() : kDeviceOnly.end());
    const fs::path first =
        request.wholeProgram ? program_.wholeHeaders() / "program.h" : program_.header;
    words.insert(words.end(), {"-include", first.string(), "-isystem",
                               (first.parent_path() / "include").string()});
    if (request.relocatable) words.emplace_back("-fgpu-rdc");
    if (request.asWritten) {
      const std::vector<std::string> early = ClangProgram::earlyCodeWords();
      words.insert(words.end(), early.begin(), early.end());
    }
    for (const auto& [name, value] : request.tunables) {
      words.push_back("-D" + name + "=" + std::to_string(value));
    }
    words.insert(words.end(), {"-MD", "-MF", (folder / "kernel.d").string(), "-o", ptx.string(),
                               source.string()});
    return words;
  }

  Result<CommandResult> run(const std::vector<std::string>& words, const fs::path& folder,
                            Allowance& limits) const {
    Result<CommandResult> ran = program_.run(words, folder, limits.left());
    if (ran) limits.takeOff(*ran);
    return ran;
  }

  /// Replaces the LLVM code in the file `ptx` by PTX.
  Status compileCode(const CompileRequest& request, Allowance& limits, const fs::path& folder,
                     const fs::path& ptx) const {
    std::error_code failed;
    const fs::path code = folder / "kernel.ll";
    fs::rename(ptx, code, failed);
    if (failed) return workError(ptx.string() + " cannot be renamed: " + failed.message());
    std::vector<std::string> words = program_.codeWords(request.arch);
    words.insert(words.end(), {"-o", ptx.string(), code.string()});
    const auto ran = run(words, folder, limits);
    if (!ran) return ran.error();
    if (ran->timedOut) return tooSlow(*ran, request);
    if (auto failure = failureOf(*ran, ran->output, request)) return std::move(*failure);
    if (ran->exitStatus != 0)
      return requestError("clang generates no PTX for " + request.source.path +
                          " without optimisation");
    return {};
  }

  static Error tooSlow(const CommandResult& ran, const CompileRequest& request) {
    return lateError("clang needs more than " + ran.limit + " for " + request.source.path +
                     "; it was stopped");
  }

  /// The error if a compile failed for a reason other than an error in the source: an exhausted
  /// resource or a crash of clang.
  static std::optional<Error> failureOf(const CommandResult& ran, const std::string& log,
                                        const CompileRequest& request) {
    constexpr int kSignals = 128, kKilled = kSignals + 9;
    if (ran.exitStatus == 0) return std::nullopt;
    const std::string during = " while it compiled " + request.source.path;
    if (const std::string lack = clangShortageIn(log, request.source.path); !lack.empty())
      return workError("clang was stopped because the machine ran short of a resource" + during +
                       ": " + lack);
    const bool hasCrashed = log.find("PLEASE submit a bug report") != std::string::npos;
    if (!hasCrashed && ran.exitStatus <= kSignals) return std::nullopt;
    const std::string what =
        "clang " +
        (hasCrashed ? "crashed"
                    : "was stopped by signal " + std::to_string(ran.exitStatus - kSignals)) +
        during;
    const bool isTexts = request.asWritten && ran.exitStatus != kKilled;
    return isTexts ? requestError(what) : workError(what);
  }

  ClangProgram program_;
  std::string fingerprint_;
};

}  // namespace

std::unique_ptr<Compiler> clangCompiler(ClangProgram program) {
  return std::make_unique<Clang>(std::move(program));
}

}  // namespace tilestep::compile
