// SPDX-License-Identifier: Apache-2.0
// A worker for the client's tests. Its fake lab does what the kernel's source orders. With an
// argument, the worker misbehaves before it serves.
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <new>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "worker/server.h"

namespace tilestep::worker {
namespace {

class FakeWork : public Work {
 public:
  Result<lab::RunResult> run(const lab::Experiment& experiment, const device::Cancelled& cancelled,
                             const Progress& progress) override {
    const std::string& order = experiment.source.text;
    progress("doing " + order);
    if (order == "print") std::printf("a library prints this\n"), std::fflush(stdout);
    if (order == "exit") leave(3, "out of luck");
    if (order == "crash") ::raise(SIGSEGV);
    if (order.starts_with("name process")) progress(std::to_string(::getpid()));
    if (order == "stop") ::raise(SIGSTOP);
    if (order == "memory") throw std::bad_alloc();
    if (order == "much memory") std::vector<char>(size_t{1} << 32).back() = 1;
    if (order.starts_with("spin")) std::this_thread::sleep_for(std::chrono::microseconds(500));
    if (order == "halfway") progress({"halfway", 0.5});
    if (order == "throw") throw std::runtime_error("a library threw");
    if (order == "fail") return requestError("TILE_WIDTH is 64; at most 32");
    while (order == "wait" && !cancelled()) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    // Only a signal ends this loop.
    while (order.ends_with("hang")) ::pause();
    if (order == "wait") return workError("cancelled as asked");
    lab::RunResult result;
    result.kernel = order;
    result.device.id = experiment.device;
    // The result must exceed a pipe's capacity.
    if (order == "large") {
      result.plan.operands.emplace_back();
      result.pictures.push_back({0, 1, 1, 1, 1 << 20, std::vector<float>(1 << 20)});
    }
    if (order == "line 2") result.faults.push_back({"trap", {2, {}, {}}, 0, 1, "at line 2"});
    result.outputHash = ++runs_;
    return result;
  }
  Result<DevicesReply> devices() override {
    device::DeviceInfo info;
    info.id = "simt";
    return DevicesReply{{info}, "no compiler"};
  }
  Result<device::Ceilings> ceilings(const std::string& device) override {
    device::Ceilings c;
    c.device = device;
    return c;
  }
  Result<std::string> ptx(const lab::Experiment& experiment, bool instrumented) override {
    return experiment.source.text + (instrumented ? " instrumented" : "");
  }
  Status live(const lab::Experiment& experiment,
              const std::function<void(device::LiveBatch&&)>& sink,
              const device::Cancelled& cancelled, const Progress&) override {
    const std::string& order = experiment.source.text;
    if (order == "refuse") return requestError("live mode needs a GPU, and this is a test");
    const bool flood = order.starts_with("flood");
    device::LiveBatch batch;
    for (int i = 0; i < (flood ? 8000 : 10); ++i) {
      batch.atMs.push_back(static_cast<float>(i));
      batch.ms.push_back(1);
    }
    for (int sent = 0; !cancelled(); ++sent) {
      sink(device::LiveBatch(batch));
      if (order.ends_with("exit") && sent == 3) leave(3, "out of luck");
      std::this_thread::sleep_for(std::chrono::milliseconds(flood ? 1 : 5));
    }
    return workError("cancelled as asked");
  }

 private:
  [[noreturn]] static void leave(int status, const char* words) {
    std::fprintf(stderr, "first line\n%s\n", words);
    std::fflush(stderr);
    ::_exit(status);
  }
  uint64_t runs_ = 0;
};

int main(const std::string& manner) {
  if (manner == "greet") std::puts("\n** Welcome to the TSW cluster **\nLoading module gcc/12.2.0");
  if (manner == "flood") std::printf("%s\n", std::string(100000, 'x').c_str());
  std::fflush(stdout);
  while (manner == "say nothing") ::pause();
  if (manner == "little memory") {
    const rlimit limit{rlim_t{1} << 30, rlim_t{1} << 30};
    ::setrlimit(RLIMIT_AS, &limit);
  }
  if (manner == "leave") {
    std::fputs("no such module\n", stderr);
    return 7;
  }
  if (manner == "ignore-term") ::signal(SIGTERM, SIG_IGN);
  ::signal(SIGPIPE, SIG_IGN);
  // As in the real worker, a library's output must not mix with the frames.
  const int frames = ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
  ::dup2(STDERR_FILENO, STDOUT_FILENO);
  FakeWork work;
  return serveWork(STDIN_FILENO, frames, work);
}

}  // namespace
}  // namespace tilestep::worker

int main(int count, char** arguments) {
  return tilestep::worker::main(count > 1 ? arguments[1] : "");
}
