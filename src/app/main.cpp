// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>
#include <string>

#include "app/commands.h"
#include "app/environment.h"

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

/// The parser's complaint as one line.
int refuse(const CLI::ParseError& failure) {
  std::string message = failure.what();
  std::replace(message.begin(), message.end(), '\n', ' ');
  return fail(requestError(message + "; tilestep --help lists commands and options"));
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
  commands["kernels"] = addKernelsCommand(root);
  commands["devices"] = addDevicesCommand(root);
  commands["ptx"] = addPtxCommand(root);
  commands["draft"] = addDraftCommand(root);
  commands["play"] = addPlayCommand(root);
  commands["worker"] = addWorkerCommand(root);
  try {
    root.parse(argc, argv);
  } catch (const CLI::Success& done) {
    return root.exit(done);
  } catch (const CLI::ParseError& failure) {
    return refuse(failure);
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
