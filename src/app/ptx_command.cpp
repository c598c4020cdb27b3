// SPDX-License-Identifier: Apache-2.0

#include "app/commands.h"
#include "app/options.h"

namespace tilestep::app {
namespace {

struct PtxOptions {
  std::string kernel, device = "auto";
  Choice choice;
  WorkerOptions worker;
  bool instrumented = false;
};

int printPtx(const PtxOptions& options) {
  Result<Kernel> kernel = loadKernel(options.kernel, options.choice.entry);
  if (!kernel) return fail(kernel.error());
  sayNotes(*kernel);
  Result<Chosen> chosen = chosenOf(options.choice, kernel->spec);
  if (!chosen) return fail(chosen.error());
  lab::Experiment experiment;
  experiment.source = std::move(kernel->source);
  experiment.sizes = std::move(chosen->sizes);
  experiment.tunables = std::move(chosen->tunables);
  experiment.device = options.device;
  Result<std::unique_ptr<worker::Client>> client = startWorker(options.worker);
  if (!client) return fail(client.error());
  const Result<std::string> ptx =
      bodyOf<std::string>(await(**client, (*client)->ptx(experiment, options.instrumented)));
  if (!ptx) return fail(ptx.error());
  return print(*ptx, kDone);
}

}  // namespace

void addPtxCommand(CommandLine& line) {
  auto options = std::make_shared<PtxOptions>();
  Command command =
      line.add("ptx", "Prints the PTX that would run", [options] { return printPtx(*options); });
  addKernelArgument(command, options->kernel);
  addDeviceOption(command, options->device, "auto, simt or cuda:N");
  addChoiceOptions(command, options->choice, false);
  command.flag("--instrumented", options->instrumented,
               "Include the counting code that a GPU runs");
  addWorkerOptions(command, options->worker);
  command.footer("Example: tilestep ptx matmul_tiled --set TILE_WIDTH=8");
}

}  // namespace tilestep::app
