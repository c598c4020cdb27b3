// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <CLI/CLI.hpp>

#include "app/commands.h"
#include "app/environment.h"
#include "base/files.h"
#include "worker/client.h"

namespace tilestep::app {
namespace {

int serve(unsigned threads) {
  const Result<std::filesystem::path> home = findHome();
  if (!home) return fail(home.error());
  return worker::serve(STDIN_FILENO, STDOUT_FILENO, home->string(), cacheFolder().string(),
                       threads);
}

}  // namespace

Action addWorkerCommand(CLI::App& root) {
  CLI::App& command =
      *root.add_subcommand("worker", "Serves framed requests on standard input and output");
  auto threads = std::make_shared<unsigned>(0);
  command.add_option("--threads", *threads, "Threads of the interpreter (0: all cores)")
      ->type_name("N")
      ->check(CLI::Range(0, 1024));
  command.footer("Example: tilestep run matmul_tiled --worker \"ssh gpu-host tilestep worker\"");
  return [threads] { return serve(*threads); };
}

}  // namespace tilestep::app
