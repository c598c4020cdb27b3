// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>

#include "app/commands.h"
#include "app/options.h"
#include "base/files.h"
#ifdef TILESTEP_HAS_WINDOW
#include "ui/window.h"
#endif

namespace tilestep::app {
namespace {

struct WindowPresets {
  std::string kernel, device = "auto", stateFile;
  Choice choice;
  WorkerOptions worker;
};

#ifdef TILESTEP_HAS_WINDOW
int openWindow(const WindowPresets& presets) {
  const Result<std::filesystem::path> home = findHome();
  if (!home) return fail(home.error());
  const Result<Kernel> kernel =
      loadKernel(presets.kernel.empty() ? "matmul_tiled" : presets.kernel);
  if (!kernel) return fail(kernel.error());
  Result<Chosen> chosen = chosenOf(presets.choice, kernel->spec);
  if (!chosen) return fail(chosen.error());
  ui::WindowOptions options;
  options.home = home->string();
  options.cacheFolder = cacheFolder().string();
  options.kernel = presets.kernel;
  options.sizes = std::move(chosen->sizes);
  options.tunables = std::move(chosen->tunables);
  options.device = presets.device;
  options.workerCommand = presets.worker.command;
  options.stateFile = presets.stateFile;
  return ui::runWindow(options);
}
#else
int openWindow(const WindowPresets&) {
  return fail(requestError("this build has no window; see tilestep --help for the commands"));
}
#endif

}  // namespace

Action addWindowOptions(CLI::App& root) {
  auto presets = std::make_shared<WindowPresets>();
  root.add_option("--kernel", presets->kernel, "The kernel that the window starts with")
      ->type_name("KERNEL|FILE.cu");
  addChoiceOptions(root, presets->choice, false);
  root.add_option("--device", presets->device, "auto, simt or cuda:N")->type_name("DEVICE");
  root.add_option("--worker", presets->worker.command,
                  "Run the work with this command, such as \"ssh host tilestep worker\"")
      ->type_name("\"COMMAND ARGS\"");
  root.add_option("--state,--state-file", presets->stateFile,
                  "Keep the window's state here as JSON")
      ->type_name("FILE");
  return [presets] { return openWindow(*presets); };
}

}  // namespace tilestep::app
