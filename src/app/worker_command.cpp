// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include "app/commands.h"
#include "app/options.h"
#include "base/files.h"
#include "lab/lab.h"
#include "worker/client.h"

namespace tilestep::app {
namespace {

struct ServeOptions {
  unsigned threads = 0;
  uint64_t memoryBytes = 0;
};

int serve(const ServeOptions& options) {
  const Result<std::filesystem::path> home = findHome();
  if (!home) return fail(home.error());
  return worker::serve(STDIN_FILENO, STDOUT_FILENO,
                       {home->string(), cacheFolder().string(), options.threads,
                        programPath().string(), options.memoryBytes});
}

}  // namespace

void addWorkerCommand(CommandLine& line) {
  auto options = std::make_shared<ServeOptions>();
  Command command = line.add("worker", "Serves framed requests on standard input and output",
                             [options] { return serve(*options); });
  addThreadsOption(command, options->threads, "Threads of the interpreter (0: all cores)");
  addMemoryOption(
      command, options->memoryBytes,
      "Refuse each run that needs more than BYTES of this machine's memory: 800000000, 512M, "
      "2G (no limit)");
  command.footer("Example: tilestep run matmul_tiled --worker \"ssh gpu-host tilestep worker\"");
}

}  // namespace tilestep::app
