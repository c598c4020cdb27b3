// SPDX-License-Identifier: Apache-2.0
// Kernels that somebody else wrote: what they can have the compiler read, and what it may take.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>

#include "support/has.h"
#include "support/service.h"
#include "system/run_support.h"

namespace tilestep::system_test::foreign_kernel_test {

namespace fs = std::filesystem;
using support::Words;

constexpr const char* kSecret = "SECRETWORD";

class ForeignKernel : public testing::Test {
 protected:
  support::TemporaryFolder folder{"foreign"};

  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(folder.path(name)) << text;
    return folder.path(name);
  }
  /// Runs the file. What it says, together.
  support::Finished run(const std::string& file, const Words& environment = {}) const {
    return support::tilestep({"run", file, "--device", "simt", "--size", "64"}, environment);
  }
};

/// A sum of two vectors with something before it and in its body.
std::string kernelWith(const std::string& before, const std::string& inside) {
  return "/*---\nsizes = { n = 64 }\n[launch]\nblock = [64]\ngrid = [1]\n[[operand]]\nname = "
         "\"x\"\n"
         "rows = 1\ncolumns = \"n\"\ndirection = \"out\"\n[[operand]]\nname = \"n\"\nkind = "
         "\"scalar\"\n"
         "---*/\n" +
         before + "__global__ void f(float* x, int n) {\n" + inside +
         "  x[threadIdx.x] = 1.0f;\n}\n";
}

TEST_F(ForeignKernel, NoDirectiveReadsAFileOfThisMachine) {
  const std::string secret = write("secret.txt", "\"" + std::string(kSecret) + "\"\n");
  const std::string place = "\"" + secret + "\"";
  int number = 0;
  for (const std::string& text : {
           kernelWith("", "const char* s =\n#include " + place + "\n;\n  printf(\"%s\\n\", s);\n"),
           kernelWith("#include /*<cstdint>*/ " + place + "\n", ""),
           kernelWith("#include /\\\n*<cstdint>*/ " + place + "\n", ""),
           kernelWith("int q;\r#include " + place + "\n", ""),
           kernelWith("//x\r#include " + place + "\n", ""),
           kernelWith("", "#if __has_include(" + place + ")\n  x[0] = 7.0f;\n#endif\n"),
           kernelWith("", "const char s[] = {\n#embed " + place + "\n};\n"),
           kernelWith("", "#include " + secret + "\n"),
       }) {
    const support::Finished finished = run(write("k" + std::to_string(++number) + ".cu", text));
    EXPECT_FALSE(has(finished.out, kSecret)) << text << finished.out;
    EXPECT_FALSE(has(finished.err, kSecret)) << text << finished.err;
    EXPECT_EQ(finished.status, 2) << text << finished.err;
  }
}

TEST_F(ForeignKernel, AMacroThatAsksForAFileIsToldNothing) {
  const auto answerFor = [&](const std::string& place) {
    const std::string file =
        write("ask.cu", kernelWith("#define CAT(a, b) a##b\n#if CAT(__has_, include)(\"" + place +
                                       "\")\n#define ANSWER 1\n#else\n#define ANSWER 2\n#endif\n",
                                   "  x[1] = ANSWER;\n"));
    const support::Finished finished =
        support::tilestep({"run", file, "--device", "simt", "--json"});
    const size_t at = finished.out.find("output_hash");
    return std::to_string(finished.status) +
           (at == std::string::npos ? "" : finished.out.substr(at, 40));
  };
  EXPECT_EQ(answerFor(write("there.txt", "")), answerFor(folder.path("not-there.txt")));
}

TEST_F(ForeignKernel, TheModelSolutionCannotBeIncluded) {
  const support::HomeCopy home;
  const std::string file =
      write("in.cu",
            "#pragma push_macro(\"__global__\")\n#define __global__ __device__\n#include "
            "/*<cstdint>*/ \"" +
                (home.folder() / "kernels/matrix_sum.cu").string() +
                "\"\n#pragma pop_macro(\"__global__\")\n__global__ void add(const float* M, const "
                "float* N, float* P, int m, int n) {\n  matrix_sum(M, N, P, m, n);\n}\n");
  const support::Finished finished = support::tilestep(
      {"run", file, "--spec", "matrix_sum", "--size", "20", "--device", "simt", "--check"});
  EXPECT_EQ(finished.status, 2) << finished.out << finished.err;
  EXPECT_TRUE(has(finished.err, "in.cu:3"));
}

TEST_F(ForeignKernel, VariablesOfTheEnvironmentBringInNoHeaders) {
  fs::create_directory(folder.path("inject"));
  std::ofstream(folder.path("inject/cuda_fp16.h")) << "#error injected\n";
  const support::Finished finished =
      run(write("k.cu", kernelWith("#include <cuda_fp16.h>\n", "")),
          {"CPATH=" + folder.path("inject"), "CPLUS_INCLUDE_PATH=" + folder.path("inject")});
  EXPECT_FALSE(has(finished.err, "injected"));
}

/// All processes whose command line has the word.
std::vector<pid_t> processesWith(const std::string& word) {
  std::vector<pid_t> found;
  std::error_code failure;
  for (fs::directory_iterator at("/proc", failure), end; !failure && at != end;
       at.increment(failure)) {
    const std::string name = at->path().filename();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    std::ostringstream line;
    line << std::ifstream(at->path() / "cmdline").rdbuf();  // The process may end while it is read.
    if (line.str().find(word) != std::string::npos) found.push_back(std::stoi(name));
  }
  return found;
}

/// Waits until no process has the word. A process that starts a program has no command line for a
/// moment, so one look is not enough.
bool allEnd(const std::string& word, std::chrono::steady_clock::time_point until) {
  constexpr int kLooks = 10;
  for (int looks = 0; looks < kLooks;) {
    if (std::chrono::steady_clock::now() > until) return false;
    looks = processesWith(word).empty() ? looks + 1 : 0;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  return true;
}

/// A template that takes any compiler minutes and gigabytes.
const std::string kBomb =
    "template <int N, int M> struct B {\n"
    "  static __device__ float f() { return B<N - 1, 2 * M>::f() + B<N - 1, 2 * M + 1>::f(); }\n"
    "};\n"
    "template <int M> struct B<0, M> { static __device__ float f() { return M; } };\n";

TEST_F(ForeignKernel, ACompilerEndsWithTheProgramThatIsKilled) {
  const std::string temporary = folder.path("tmp");
  fs::create_directory(temporary);
  const std::string file = write("bomb.cu", kernelWith(kBomb, "  x[1] = B<24, 1>::f();\n"));
  support::Running running(
      support::tilestepWords({"run", file, "--device", "simt", "--timeout", "60"}),
      support::tilestepEnvironment({"TMPDIR=" + temporary, "TILESTEP_COMPILER=clang"}));
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  bool compiles = false;
  while (!compiles && std::chrono::steady_clock::now() < until) {
    compiles = !processesWith(temporary).empty();
    if (!compiles) std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  running.signal(SIGKILL);
  EXPECT_TRUE(compiles);
  static_cast<void>(running.wait());
  EXPECT_TRUE(allEnd(temporary, until));
}

}  // namespace tilestep::system_test::foreign_kernel_test
