// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include "app/commands.h"
#include "app/options.h"
#include "base/files.h"
#include "worker/client.h"

namespace tilestep::app {
namespace {

int serve(unsigned threads) {
  const Result<std::filesystem::path> home = findHome();
  if (!home) return fail(home.error());
  return worker::serve(STDIN_FILENO, STDOUT_FILENO, home->string(), cacheFolder().string(), threads,
                       programPath().string());
}

}  // namespace

void addWorkerCommand(CommandLine& line) {
  auto threads = std::make_shared<unsigned>(0);
  Command command = line.add("worker", "Serves framed requests on standard input and output",
                             [threads] { return serve(*threads); });
  addThreadsOption(command, *threads, "Threads of the interpreter (0: all cores)");
  command.footer("Example: tilestep run matmul_tiled --worker \"ssh gpu-host tilestep worker\"");
}

}  // namespace tilestep::app
