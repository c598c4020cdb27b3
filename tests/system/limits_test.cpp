// SPDX-License-Identifier: Apache-2.0
// Time and memory limits of a run, and the remains of a run that was ended.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <sstream>

#include "support/results.h"
#include "support/service.h"
#include "support/source_root.h"
#include "system/run_support.h"

namespace tilestep::system_test::limits_test {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;
using nlohmann::json;

/// A kernel on one array with this body, after `before`.
std::string kernelWith(const std::string& before, const std::string& body) {
  return "/*---\nsizes = { n = 64 }\n[launch]\nblock = [64]\ngrid = [1]\n"
         "[[operand]]\nname = \"x\"\nextent = \"n\"\ndirection = \"inout\"\nfill = \"zero\"\n"
         "expect = \"0\"\n---*/\n" +
         before + "__global__ void f(float* x) {\n" + body + "}\n";
}

const std::string kEndless =
    "  unsigned i = 0;\n  while (true) *(volatile float*)(x + threadIdx.x) = ++i;\n";

/// A template that takes any compiler minutes and gigabytes.
const std::string kBomb =
    "template <int N, int M> struct B {\n"
    "  static __device__ float f() { return B<N - 1, 2 * M>::f() + B<N - 1, 2 * M + 1>::f(); }\n"
    "};\n"
    "template <int M> struct B<0, M> { static __device__ float f() { return M; } };\n";

/// The contents of a file of /proc; empty if the process has ended.
std::string processFile(pid_t process, const std::string& name) {
  // If the process ends meanwhile, an iterator over the file would throw; operator<< does not.
  std::ostringstream text;
  text << std::ifstream("/proc/" + std::to_string(process) + "/" + name).rdbuf();
  return text.str();
}

/// All processes whose command line or environment has the word.
std::vector<pid_t> processesWith(const std::string& word) {
  std::vector<pid_t> found;
  std::error_code failure;
  for (fs::directory_iterator at("/proc", failure), end; !failure && at != end;
       at.increment(failure)) {
    const std::string name = at->path().filename();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    for (const char* what : {"cmdline", "environ"}) {
      if (processFile(std::stoi(name), what).find(word) == std::string::npos) continue;
      found.push_back(std::stoi(name));
      break;
    }
  }
  return found;
}

/// The processes that `program` itself started as `tilestep worker`. A child in which a worker is
/// about to start its compiler briefly has the worker's command line, but another parent.
std::vector<pid_t> workersOf(pid_t program, const std::vector<pid_t>& processes) {
  const std::string parent = "\nPPid:\t" + std::to_string(program) + "\n";
  std::vector<pid_t> workers;
  std::ranges::copy_if(processes, std::back_inserter(workers), [&](pid_t process) {
    return processFile(process, "status").find(parent) != std::string::npos &&
           processFile(process, "cmdline").find(std::string("\0worker", 7)) != std::string::npos;
  });
  return workers;
}

class LimitsTest : public testing::Test {
 protected:
  [[nodiscard]] bool hasFolders() const { return !fs::is_empty(folder.path("tmp")); }
  /// Whether clang is compiling the kernel, and not the test at the start that shows whether clang
  /// works.
  [[nodiscard]] bool hasKernel() const {
    std::error_code ignored;
    for (fs::directory_iterator at(folder.path("tmp"), ignored), end; !ignored && at != end;
         at.increment(ignored))
      if (fs::exists(at->path() / "kernel.cu", ignored)) return true;
    return false;
  }

  /// Starts a run, ends its worker once `isThere` is true, and checks that neither leaves anything.
  template <class Condition>
  void leavesNothingOfItsWorker(const std::string& file, const std::string& environment, int signal,
                                const Condition& isThere) {
    const std::string temporary = folder.path("tmp");
    // Remains of an earlier worker are removed when the next worker starts, so they would be
    // mistaken for this worker's.
    fs::remove_all(temporary);
    fs::create_directories(temporary);
    support::Running running(
        support::tilestepWords({"run", file, "--device", "simt", "--timeout", "300"}),
        support::tilestepEnvironment({"TMPDIR=" + temporary, environment}));
    std::vector<pid_t> workers;
    ASSERT_TRUE(support::becomesTrue(60, [&] {
      workers = workersOf(running.id(), processesWith(temporary));
      return workers.size() == 1 && isThere();
    })) << "it did not come so far";
    ASSERT_EQ(::kill(workers.front(), signal), 0);
    const support::Finished finished = running.wait();
    EXPECT_EQ(finished.status, 1) << finished.err;
    EXPECT_TRUE(has(finished.err, "worker"));
    EXPECT_TRUE(support::becomesTrue(60, [&] { return processesWith(temporary).empty(); }));
  }

  /// Starts a run, sends it a signal once `isThere` is true, and checks that it leaves nothing.
  template <class Condition>
  void leavesNothing(const std::string& file, const std::string& environment, int signal,
                     const Condition& isThere) {
    const std::string temporary = folder.path("tmp");
    fs::create_directories(temporary);
    support::Running running(
        support::tilestepWords({"run", file, "--device", "simt", "--timeout", "300"}),
        support::tilestepEnvironment({"TMPDIR=" + temporary, environment}));
    ASSERT_TRUE(support::becomesTrue(60, isThere)) << "it did not come so far";
    running.signal(signal);
    EXPECT_EQ(running.wait().status, -signal);
    EXPECT_TRUE(support::becomesTrue(60, [&] { return processesWith(temporary).empty(); }));
    EXPECT_FALSE(hasFolders()) << "temporary folders are left";
  }

  support::TemporaryFolder folder{"limits"};
};

TEST_F(LimitsTest, AKernelThatRunsPastTheTimeLimitIsAFaultAndTheResultIsStillPrinted) {
  const json run =
      runJson({folder.write("f.cu", kernelWith("", kEndless)), "--timeout", "5", "--check"}, {}, 1);
  ASSERT_EQ(run["faults"].size(), 1U) << run["faults"];
  EXPECT_EQ(run["faults"][0]["kind"], "timeout");
  EXPECT_EQ(run["check"]["ok"], nullptr);
  const std::string reason = run["check"]["reason"];
  EXPECT_TRUE(has(reason, "(timeout)"));
}

TEST_F(LimitsTest, CompilingPastTheTimeLimitIsAnError) {
  const std::string file = folder.write("f.cu", kernelWith(kBomb, "  x[1] = B<24, 1>::f();\n"));
  const support::Finished finished =
      support::expectStatus(1, {"run", file, "--device", "simt", "--timeout", "2"});
  EXPECT_EQ(finished.out, "");
  EXPECT_EQ(finished.err,
            "tilestep: compiling " + file +
                " had not ended when the time limit of 2.00 s, which is for the whole "
                "run, had passed; make the sizes smaller, or allow more with "
                "--timeout\n");
}

TEST_F(LimitsTest, ARunEndedDuringCompilationLeavesNothing) {
  const std::string file = folder.write("f.cu", kernelWith(kBomb, "  x[1] = B<24, 1>::f();\n"));
  for (const int signal : {SIGINT, SIGKILL})
    leavesNothing(file, "TILESTEP_COMPILER=clang", signal, [&] { return hasFolders(); });
}

TEST_F(LimitsTest, ARunEndedDuringTheLaunchLeavesNothing) {
  const std::string file = folder.write("f.cu", kernelWith("", kEndless));
  for (const int signal : {SIGINT, SIGKILL}) {
    // After this time, compilation has ended or was ended, so the worker runs the kernel.
    const auto since = Clock::now();
    leavesNothing(file, "TILESTEP_LIMITS_TEST=1", signal, [&] {
      return processesWith(folder.path("tmp")).size() > 1 &&
             Clock::now() - since > std::chrono::seconds(2);
    });
  }
}

TEST_F(LimitsTest, AKilledWorkerEndsItsCompiler) {
  const std::string file = folder.write("f.cu", kernelWith(kBomb, "  x[1] = B<24, 1>::f();\n"));
  for (const int signal : {SIGTERM, SIGKILL})
    leavesNothingOfItsWorker(file, "TILESTEP_COMPILER=clang", signal, [&] { return hasKernel(); });
}

TEST_F(LimitsTest, AWorkerKilledDuringTheLaunchLeavesNothing) {
  const std::string file = folder.write("f.cu", kernelWith("", kEndless));
  const auto since = Clock::now();
  leavesNothingOfItsWorker(file, "TILESTEP_LIMITS_TEST=1", SIGKILL,
                           [&] { return Clock::now() - since > std::chrono::seconds(2); });
}

}  // namespace tilestep::system_test::limits_test
