// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <string>
#include <vector>

#include "app/command_line.h"
#include "app/commands.h"
#include "base/process/confine.h"
#include "compile/compilers/compiler_process.h"

namespace tilestep::app {
namespace {

/// Opens standard streams that are closed, so that no other file or pipe gets their descriptors.
void keepStandardStreams() {
  for (int stream = 0; stream <= 2; ++stream) {
    if (::fcntl(stream, F_GETFD) != -1) continue;
    // Standard output remains unwritable, so that the loss of a result is detected.
    const int opened = ::open("/dev/null", stream == 2 ? O_WRONLY : O_RDONLY);
    if (opened != stream && opened >= 0) ::close(opened);
  }
}

/// Removes and returns the words after "--", which are the arguments of the user's program.
std::vector<std::string> takeRest(std::vector<std::string>& words) {
  const auto dashes = std::find(words.begin(), words.end(), "--");
  if (words.size() < 2 || (words[1] != "run" && words[1] != "draft") || dashes == words.end())
    return {};
  std::vector<std::string> rest(dashes + 1, words.end());
  words.erase(dashes, words.end());
  return rest;
}

/// Inserts "--open" before a program's file among the window's options: "tilestep hw1.cu",
/// "tilestep --lab hw1.cu".
void nameOption(std::vector<std::string>& words) {
  const bool isWindow =
      words.size() > 1 && (words[1].starts_with("-") || words[1].ends_with(".cu"));
  for (size_t i = 1; isWindow && i < words.size(); ++i) {
    const bool isValue =
        words[i - 1] == "--open" || words[i - 1] == "--kernel" || words[i - 1] == "--beside";
    if (!words[i].ends_with(".cu") || words[i].starts_with("-") || isValue) continue;
    words.insert(words.begin() + static_cast<std::ptrdiff_t>(i), "--open");
    return;
  }
}

int run(int argc, char** argv) {
  std::vector<std::string> words(argv, argv + argc);
  nameOption(words);
  const std::vector<std::string> rest = takeRest(words);
  for (std::string& word : words)
    if (word.starts_with("-std=")) word.insert(0, "-");
  std::vector<char*> kept;
  for (std::string& word : words) kept.push_back(word.data());
  CommandLine line(
      "Tilestep shows how CUDA programs use memory. Without a command it opens the "
      "window; the options below preset it.",
      "tilestep " TILESTEP_VERSION);
  addWindow(line);
  addRunCommand(line, rest);
  addSweepCommand(line);
  addRecordCommand(line);
  addKernelsCommand(line);
  addLabsCommand(line);
  addDevicesCommand(line);
  addPtxCommand(line);
  addDraftCommand(line, rest);
  addPlayCommand(line);
  addGradeCommand(line);
  addAssignmentCommand(line);
  addWorkerCommand(line);
  return line.run(static_cast<int>(kept.size()), kept.data());
}

}  // namespace
}  // namespace tilestep::app

int main(int argc, char** argv) {
  tilestep::app::keepStandardStreams();
  // This process may have been started by Tilestep itself, for a compiler.
  if (const auto status = tilestep::runIfConfined(argc, argv)) return *status;
  if (const auto status = tilestep::compile::serveIfCompiler(argc, argv)) return *status;
  return tilestep::app::run(argc, argv);
}
