// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>

#include "base/descriptor.h"
#include "base/files.h"
#include "lab/lab.h"
#include "ptx/source_file.h"
#include "worker/program_launches.h"
#include "worker/server.h"

namespace tilestep::worker {
namespace {

/// The contents of the file with the launch's kernel; empty if it is the program's own file.
std::string kernelTextOf(const lab::Experiment& experiment) {
  const device::CapturedLaunch& launch = *experiment.captured;
  const ptx::Function* kernel = launch.module->find(launch.launch.entry);
  if (kernel == nullptr) return {};
  const std::filesystem::path file = ptx::sourceFileOf(*launch.module, *kernel);
  const std::filesystem::path program = experiment.source.launch->program.path;
  if (file.empty() || file.filename() == program.filename()) return {};
  constexpr size_t kMostBytes = size_t{1} << 20;
  const Result<std::string> text = readTextFile(
      std::filesystem::path(experiment.source.launch->program.folder) / file, kMostBytes);
  return text ? *text : std::string();
}

class LabWork : public Work {
 public:
  explicit LabWork(const lab::Options& options) : lab_(options), launches_(options) {}

  Result<lab::RunResult> run(const lab::Experiment& experiment, const device::Cancelled& cancelled,
                             const Progress& progress) override {
    const Result<lab::Experiment> asked = launches_.withLaunch(experiment, cancelled, progress);
    if (!asked) return asked.error();
    Result<lab::RunResult> result = lab_.run(*asked, cancelled, progress);
    if (result && experiment.source.launch) {
      result->kernel = compile::nameOf(experiment.source);
      result->kernelText = kernelTextOf(*asked);
    }
    return result;
  }
  Result<DevicesReply> devices() override {
    const auto compiler = lab_.compiler();
    return DevicesReply{lab_.devices(), compiler ? *compiler : compiler.error().message};
  }
  Result<device::Ceilings> ceilings(const std::string& device) override {
    return lab_.ceilings(device);
  }
  Result<std::string> ptx(const lab::Experiment& experiment, bool instrumented) override {
    const Result<lab::Experiment> asked = launches_.withLaunch(experiment, {}, {});
    if (!asked) return asked.error();
    return lab_.ptx(*asked, instrumented);
  }
  Status live(const lab::Experiment& experiment,
              const std::function<void(device::LiveBatch&&)>& sink,
              const device::Cancelled& cancelled, const Progress& progress) override {
    const Result<lab::Experiment> asked = launches_.withLaunch(experiment, cancelled, progress);
    if (!asked) return asked.error();
    return lab_.live(*asked, sink, cancelled, progress);
  }
  [[nodiscard]] bool spent() const override { return lab_.spent(); }

 private:
  lab::Lab lab_;
  ProgramLaunches launches_;
};

/// A copy of the descriptor that child processes do not inherit, because a compiler that outlives
/// the worker must not keep its streams open.
Descriptor keptCopy(int descriptor) {
  return Descriptor(::fcntl(descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1));
}

/// Reserves standard input and output for frames. Libraries then use stderr and empty input.
void giveStandardStreamsAway(int in, int out) {
  if (out == STDOUT_FILENO) ::dup2(STDERR_FILENO, STDOUT_FILENO);
  if (in != STDIN_FILENO) return;
  const Descriptor nothing(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  ::dup2(nothing.get(), STDIN_FILENO);
}

}  // namespace

int serve(int in, int out, const lab::Options& options) {
  const Descriptor requests = keptCopy(in), answers = keptCopy(out);
  giveStandardStreamsAway(in, out);
  std::signal(SIGPIPE, SIG_IGN);
  LabWork work(options);
  const int status = serveWork(requests.get(), answers.get(), work);
  // A lost GPU may still run a kernel that never ends, and the driver's clean-up would wait for the
  // kernel. So no destructor or exit handler may run. All answers have been written.
  if (work.spent()) ::_exit(status);
  return status;
}

}  // namespace tilestep::worker
