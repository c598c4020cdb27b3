// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>
#include <filesystem>
#include <utility>

#include "base/files.h"
#include "base/private_folder.h"
#include "base/process/confine.h"
#include "base/process/shortage.h"
#include "compile/compilers/clang_program.h"

namespace tilestep::compile {
namespace {

namespace fs = std::filesystem;

constexpr int kOldestClang = 14;
constexpr int kNewestClang = 30;
constexpr std::chrono::milliseconds kProcessorTime{60'000};
constexpr std::string_view kHeader = "cuda_subset.h";

/// The error if exhausted resources prevent testing a clang. A later attempt may succeed.
Error cannotBeAsked(const std::string& compiler, const std::string& why) {
  return workError(
      compiler + " cannot be started to determine whether it compiles for GPUs: " + why +
      "; try again when the machine has more memory, processes or open files available");
}

/// The first line of the output, or the exit status if there is no output.
std::string whyItFailed(const CommandResult& ran) {
  const std::string line = ran.output.substr(0, ran.output.find('\n'));
  return line.empty() ? "it ended with status " + std::to_string(ran.exitStatus) : line;
}

/// Fails if the run shows nothing about clang: resources were exhausted, or it was killed or late.
Status couldSay(const std::string& compiler, const CommandResult& ran) {
  constexpr int kSignals = 128;
  if (ran.timedOut)
    return lateError(compiler + " did not report within " + ran.limit +
                     " whether it compiles for GPUs; try again when the machine is less busy");
  if (ran.exitStatus > kSignals || (ran.exitStatus != 0 && isResourceExhaustion(ran.output)))
    return cannotBeAsked(compiler, whyItFailed(ran));
  return {};
}

/// The compiler's output for an option that every clang has; empty if the compiler fails.
Result<std::string> outputOf(const std::string& compiler, const std::string& option) {
  const auto ran = runCommand({compiler, option}, kProcessorTime);
  if (!ran && isResourceExhaustion(ran.error().message))
    return cannotBeAsked(compiler, ran.error().message);
  if (!ran) return std::string();
  if (const Status said = couldSay(compiler, *ran); !said) return said.error();
  return ran->exitStatus == 0 ? ran->output : std::string();
}

// "14.0.6" from "Debian clang version 14.0.6"; empty if the program is not a clang.
std::string versionIn(const std::string& answer) {
  constexpr std::string_view kMark = "clang version ";
  const size_t at = answer.find(kMark);
  if (at == std::string::npos) return {};
  const size_t begin = at + kMark.size();
  return answer.substr(begin, answer.find_first_not_of("0123456789.", begin) - begin);
}

/// Whether clang emits PTX. It may have been built without the NVPTX backend, or may no longer
/// accept one of our options.
Result<bool> writesPtx(const ClangProgram& program, const fs::path& folder) {
  const fs::path source = folder / "probe.cu";
  const Status written = writeFileAtomically(source, "__attribute__((global)) void probe() {}\n");
  if (!written) return written.error();
  std::vector<std::string> words = program.words("compute_75", folder);
  words.insert(words.end(), {"-o", (folder / "probe.ptx").string(), source.string()});
  const auto ran = program.run(words, folder, {});
  if (!ran) return cannotBeAsked(program.path, ran.error().message);
  if (const Status said = couldSay(program.path, *ran); !said) return said.error();
  return ran->exitStatus == 0;
}

/// Whether clang emits PTX, without access to other files if this works here, otherwise with it.
/// Sets `program.keepsFiles`.
Result<bool> startsAndWritesPtx(ClangProgram& program, const fs::path& folder) {
  program.keepsFiles = !program.limiter.empty() && canKeepFiles();
  const Result<bool> writes = writesPtx(program, folder);
  if (!writes || *writes || !program.keepsFiles) return writes;
  program.keepsFiles = false;
  return writesPtx(program, folder);
}

/// Checks for free disk space, without which a suitable clang would fail the test.
Status hasRoom(const fs::path& folder) {
  constexpr size_t kBytes = size_t{256} << 10;
  const fs::path probe = folder / "room";
  const Status written = writeFileAtomically(probe, std::string(kBytes, ' '));
  std::error_code ignored;
  fs::remove(probe, ignored);
  if (written) return {};
  return workError("The temporary folder is full: " + written.error().message +
                   "; free some space, or set TMPDIR to another folder");
}

std::vector<std::string> candidates() {
  std::vector<std::string> found;
  for (int version = kNewestClang; version >= kOldestClang; --version) {
    found.push_back(findOnPath("clang++-" + std::to_string(version)));
  }
  found.push_back(findOnPath("clang++"));
  std::erase(found, std::string());
  return found;
}

/// `path` is empty if `compiler` is not a clang that emits PTX.
Result<ClangProgram> askCandidate(const std::string& compiler, const fs::path& header,
                                  const std::string& limiter, const fs::path& folder) {
  const Result<std::string> answer = outputOf(compiler, "--version");
  if (!answer) return answer.error();
  std::string version = versionIn(*answer);
  if (std::atoi(version.c_str()) < kOldestClang) return ClangProgram();
  const Result<std::string> named = outputOf(compiler, "-print-resource-dir");
  if (!named) return named.error();
  ClangProgram found{compiler, std::move(version), header, named->substr(0, named->find('\n')),
                     limiter};
  const Result<bool> writes = startsAndWritesPtx(found, folder);
  if (!writes) return writes.error();
  return *writes ? std::move(found) : ClangProgram();
}

}  // namespace

Result<ClangProgram> findClang(const fs::path& header, const std::string& limiter) {
  sweepPrivateFolders();
  const PrivateFolder folder;
  if (folder.path().empty()) return workError(folder.trouble());
  const std::vector<std::string> here = candidates();
  if (here.empty()) return ClangProgram();
  if (const Status room = hasRoom(folder.path()); !room) return room.error();
  for (const std::string& compiler : here) {
    Result<ClangProgram> found = askCandidate(compiler, header, limiter, folder.path());
    if (!found || !found->path.empty()) return found;
  }
  return ClangProgram();
}

Result<std::unique_ptr<Compiler>> openClang(const std::string& headerFolder,
                                            const std::string& program) {
  std::error_code ignored;
  const fs::path header = fs::absolute(fs::path(headerFolder) / kHeader, ignored);
  if (!fs::exists(header, ignored)) return std::unique_ptr<Compiler>();
  Result<ClangProgram> found = findClang(header, program);
  if (!found) return found.error();
  return found->path.empty() ? std::unique_ptr<Compiler>() : clangCompiler(std::move(*found));
}

}  // namespace tilestep::compile
