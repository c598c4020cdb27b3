// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "app/commands.h"
#include "app/environment.h"
#include "compile/nearest_name.h"

namespace tilestep::app {
namespace {

/// A closed standard stream would lend its number to the next file or pipe that is opened.
void keepStandardStreams() {
  for (int stream = 0; stream <= 2; ++stream) {
    if (::fcntl(stream, F_GETFD) != -1) continue;
    // Standard output stays one that cannot be written, so that a lost result is noticed.
    const int opened = ::open("/dev/null", stream == 2 ? O_WRONLY : O_RDONLY);
    if (opened != stream && opened >= 0) ::close(opened);
  }
}

/// What may have been meant by the first word that nothing takes; empty where nothing is near.
std::string suggestion(const CLI::App& root) {
  const std::vector<std::string> left = root.remaining(true);
  if (left.empty()) return {};
  const std::string word = left[0].substr(0, left[0].find('='));
  const std::vector<CLI::App*> chosen = root.get_subcommands();
  if (chosen.empty() && word.ends_with(".cu"))
    return "; to see it in the window: tilestep --kernel " + word + "; to run it: tilestep run " +
           word;
  std::vector<std::string> known;
  if (word.starts_with("-")) {
    for (const CLI::Option* option : (chosen.empty() ? root : *chosen[0]).get_options())
      for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
  } else if (chosen.empty()) {
    for (const CLI::App* command : root.get_subcommands({})) known.push_back(command->get_name());
  }
  const std::string nearest = compile::nearestName(word, known);
  const bool near = !nearest.empty() && compile::editDistance(word, nearest) <= word.size() / 2;
  return near ? ". Nearest: " + nearest : "";
}

/// The parser's complaint as one line.
int refuse(const CLI::App& root, const CLI::ParseError& failure) {
  std::string message = failure.what();
  std::replace(message.begin(), message.end(), '\n', ' ');
  return fail(
      requestError(message + suggestion(root) + "; tilestep --help lists commands and options"));
}

int run(int argc, char** argv) {
  CLI::App root(
      "Tilestep shows how CUDA programs use memory. Without a command it opens the "
      "window; the options below preset it.",
      "tilestep");
  root.set_version_flag("--version", "tilestep " TILESTEP_VERSION);
  root.require_subcommand(0, 1);
  root.footer("Example: tilestep --kernel matmul_tiled --size 1024 --set TILE_WIDTH=16");
  const Action window = addWindowOptions(root);
  std::map<std::string, Action> commands;
  commands["run"] = addRunCommand(root);
  commands["sweep"] = addSweepCommand(root);
  commands["record"] = addRecordCommand(root);
  commands["kernels"] = addKernelsCommand(root);
  commands["devices"] = addDevicesCommand(root);
  commands["ptx"] = addPtxCommand(root);
  commands["draft"] = addDraftCommand(root);
  commands["play"] = addPlayCommand(root);
  commands["worker"] = addWorkerCommand(root);
  try {
    root.parse(argc, argv);
  } catch (const CLI::Success& done) {
    std::ostringstream text;  // --help and --version are results like any other.
    const int status = root.exit(done, text, text);
    return print(text.str(), status);
  } catch (const CLI::ParseError& failure) {
    return refuse(root, failure);
  }
  for (const auto& [name, action] : commands) {
    if (root.got_subcommand(name)) return action();
  }
  return window();
}

}  // namespace
}  // namespace tilestep::app

int main(int argc, char** argv) {
  tilestep::app::keepStandardStreams();
  return tilestep::app::run(argc, argv);
}
