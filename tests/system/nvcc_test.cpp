// SPDX-License-Identifier: Apache-2.0
// What nvcc is asked about files that are graded, with scripts in its place that say what nvcc
// says, and with the nvcc of this machine where there is one.
#include "compile/compilers/nvcc.h"

#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "base/process/confine.h"
#include "support/service.h"
#include "support/skips.h"
#include "support/source_root.h"
#include "system/run_support.h"

namespace tilestep::system_test {
namespace nvcc_test {

namespace fs = std::filesystem;
using compile::Nvcc;
using compile::NvccWord;
using Kind = NvccWord::Kind;

/// What a script answers to the questions about nvcc itself, in front of what it does with a file.
/// $file is the file that is asked about.
constexpr const char* kAnswersProbes =
    "#!/bin/sh\n"
    "for file; do :; done\n"
    "if [ \"$file\" = --version ]; then echo 'tools, release 12.7, V12.7.1'; exit 0; fi\n"
    "if [ \"$file\" = --list-gpu-arch ]; then echo compute_75; echo compute_99; exit 0; fi\n"
    "grep -q 'void probe' \"$file\" && exit 0\n";

const std::string kProgram =
    "#include <cstdio>\n__global__ void f(float* p) {\n  p[0] = 1;\n}\nint main() { f(0); }\n";

/// A variable of the environment, which is as it was once the object is gone.
class Variable {
 public:
  explicit Variable(const char* name) : name_(name) {
    if (const char* before = std::getenv(name)) before_ = before;
  }
  ~Variable() { set(before_); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;
  void set(const std::optional<std::string>& value) const {
    if (value) ::setenv(name_, value->c_str(), 1);
    if (!value) ::unsetenv(name_);
  }

 private:
  const char* name_;
  std::optional<std::string> before_;
};

class NvccTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!canKeepFiles()) GTEST_SKIP() << support::because(support::kNoLandlock);
  }

  /// Has an nvcc do that, behind the answers to what is asked of every nvcc.
  void pretend(const std::string& body) const { install(kAnswersProbes + body); }

  void install(const std::string& script) const {
    fs::create_directories(folder.path("toolkit/bin"));
    folder.write("toolkit/bin/nvcc", script);
    fs::permissions(folder.path("toolkit/bin/nvcc"), fs::perms::owner_all);
    home.set(folder.path("toolkit"));
    toolkit.set(std::nullopt);
  }

  static Result<NvccWord> ask(const std::string& text, std::chrono::milliseconds time = kPatience) {
    const std::unique_ptr<Nvcc> nvcc = Nvcc::find(support::tilestepWords({}).front());
    if (nvcc == nullptr) return requestError("there is no nvcc");
    compile::CompileRequest request;
    request.source = {"kernels/f.cu", text, {}, {}};
    request.tunables = {{"WIDTH", 16}};
    request.limits.time = time;
    return nvcc->ask(request);
  }

  /// What comes of a log with which it refuses a program.
  Result<NvccWord> askWhereItSays(const std::string& log, const std::string& status = "1") const {
    pretend("cat >&2 <<'END'\n" + log + "\nEND\nexit " + status + "\n");
    return ask(kProgram);
  }

  static constexpr std::chrono::milliseconds kPatience{60'000};
  support::TemporaryFolder folder{"nvcc"};
  Variable home{"CUDA_HOME"}, toolkit{"TILESTEP_TOOLKIT"};
};

TEST_F(NvccTest, ItIsGivenTheFileItsTunablesAndItsArchitecture) {
  pretend(
      "case \"$*\" in *arch=compute_75,code=sm_75*-DWIDTH=16*) ;; *) exit 1 ;; esac\n"
      "head -1 \"$file\" | grep -q '#line 1 \"kernels/f.cu\"' && grep -q 'int main' \"$file\"\n");
  const auto word = ask(kProgram);
  ASSERT_TRUE(word.ok()) << word.error().message;
  EXPECT_EQ(word->kind, Kind::takes);
}

TEST_F(NvccTest, ItsErrorsAreOfTheDeviceOrOfTheHost) {
  const std::string host =
      "kernels/f.cu(5): error: a __global__ function call must be configured\n";
  const std::string device = "kernels/f.cu(3): error: no such thing\n    p[0] = 1;\n";
  const auto ofHost = askWhereItSays(host), ofBoth = askWhereItSays(host + "\n" + device);
  ASSERT_TRUE(ofHost.ok() && ofBoth.ok());
  EXPECT_EQ(ofHost->kind, Kind::refuses);
  EXPECT_FALSE(ofHost->isOfDevice);
  EXPECT_EQ(ofHost->error->where->line, 5);
  EXPECT_TRUE(ofBoth->isOfDevice);
  EXPECT_EQ(ofBoth->error->message, "no such thing");
  EXPECT_EQ(ofBoth->error->sourceLine, "  p[0] = 1;");
}

TEST_F(NvccTest, WhatItTakesForNewerGpusIsNotRefused) {
  pretend(
      "case \"$*\" in *arch=compute_99,code=sm_99*-std=c++20*) exit 0 ;; esac\n"
      "echo 'kernels/f.cu(3): error: no such thing'\nexit 1\n");
  const auto word = ask(kProgram);
  ASSERT_TRUE(word.ok()) << word.error().message;
  EXPECT_EQ(word->kind, Kind::takesOtherwise);
}

TEST_F(NvccTest, WhatItLacksSaysNothingOfTheFile) {
  for (const char* log :
       {"kernels/f.cu:1:10: fatal error: timer.h: No such file or directory",
        "kernels/f.cu:1:10: fatal error: /root/timer.h: Permission denied",
        "nvcc fatal   : Unsupported gpu architecture 'compute_75'",
        "ptxas /tmp/x.ptx, line 25; error   : Instruction 'shfl' without '.sync'"}) {
    const auto word = askWhereItSays(log);
    ASSERT_TRUE(word.ok()) << log;
    EXPECT_EQ(word->kind, Kind::unknown) << log;
  }
}

/// The log quotes the file, so a text may put anything in front of and behind a mistake.
TEST_F(NvccTest, ATextCannotTakeItsWordAway) {
  const std::string mistake = "kernels/f.cu(3): error: no such thing\n";
  for (const std::string& quoted :
       {std::string("  const char* z = R\"(: fatal error: y: No such file or directory"),
        std::string("ptxas error   : no"), std::string("nvcc error   : 'cicc' died due to nothing"),
        std::string("a.h(1): catastrophic error: out of memory")}) {
    for (const std::string& log : {mistake + quoted, quoted + "\n" + mistake}) {
      const auto word = askWhereItSays(log);
      ASSERT_TRUE(word.ok()) << log;
      EXPECT_EQ(word->kind, Kind::refuses) << log;
      EXPECT_TRUE(word->isOfDevice) << log;
    }
  }
}

TEST_F(NvccTest, NoFileIsIncludedByAPathOrAMacro) {
  pretend("echo 'kernels/f.cu(5): error: it was asked'\nexit 1\n");
  for (const char* include :
       {"#include \"/usr/lib/os-release\"\n", "#include <../lib/os-release>\n",
        "#define H <x>\n#include H\n", "%:include \"/usr/lib/os-release\"\n",
        "#inc\\\nlude \"/usr/lib/os-release\"\n", "#include \\\n\"/usr/lib/os-release\"\n",
        "/**/ # /**/ include \"/usr/lib/os-release\"\n", "#\\\ninclude \"/usr/lib/os-release\"\n",
        "#embed \"/usr/lib/os-release\"\n"}) {
    const auto word = ask(kProgram + include);
    ASSERT_TRUE(word.ok()) << include;
    EXPECT_EQ(word->kind, Kind::unknown) << include;
  }
  const auto plain = ask("#include <sys/time.h>\n#include \"timer.h\"\n" + kProgram);
  ASSERT_TRUE(plain.ok());
  EXPECT_EQ(plain->kind, Kind::refuses);
}

TEST_F(NvccTest, PtxasMayEndWithAnyStatus) {
  const auto word = askWhereItSays(
      "ptxas error   : File uses too much global constant data (0x10004 bytes, 0x10000 max)",
      "255");
  ASSERT_TRUE(word.ok()) << word.error().message;
  EXPECT_EQ(word->kind, Kind::unknown);
}

TEST_F(NvccTest, ALackOfTheMachineIsNoAnswer) {
  for (const char* log :
       {"/usr/include/c++/12/vector(390): catastrophic error: out of memory",
        "nvcc error   : 'cicc' died due to signal 9 (Kill signal)", "cc1plus: out of memory", ""}) {
    const auto word = askWhereItSays(log);
    ASSERT_FALSE(word.ok()) << log;
    EXPECT_EQ(word.error().kind, ErrorKind::work) << word.error().message;
  }
  const auto quoted =
      askWhereItSays("kernels/f.cu(3): error: no such thing\n  printf(\"out of memory\");");
  ASSERT_TRUE(quoted.ok()) << "what a line of the file says is no lack";
  EXPECT_EQ(quoted->kind, Kind::refuses);
}

TEST_F(NvccTest, OneThatDoesNotEndIsStoppedWithAllThatItStarted) {
  const std::string mark = "TILESTEP_MARK=" + folder.path();
  pretend("export " + mark + "\nsleep 600 &\nwait\n");
  const auto word = ask(kProgram, std::chrono::seconds(2));
  ASSERT_FALSE(word.ok());
  EXPECT_EQ(word.error().kind, ErrorKind::work);
  EXPECT_TRUE(support::becomesTrue(10, [&] { return support::processesWith(mark).empty(); }));
}

TEST_F(NvccTest, WhatItStartedEndsWithTheProgramThatIsKilled) {
  const std::string mark = "TILESTEP_MARK=" + folder.path();
  pretend("export " + mark + "\nsleep 600 &\nwait\n");
  folder.write("a.cu", "__global__ void block_sums(const float* in, float* out, int n) {}\n");
  const std::string spec =
      fs::path(support::sourceRoot()) / "tests/grade/submissions/block_sums/teacher.toml";
  support::Running running(support::tilestepWords({"grade", folder.path("a.cu"), "--spec", spec}),
                           support::tilestepEnvironment({}));
  EXPECT_TRUE(support::becomesTrue(60, [&] { return !support::processesWith(mark).empty(); }));
  running.signal(SIGKILL);
  static_cast<void>(running.wait());
  EXPECT_TRUE(support::becomesTrue(10, [&] { return support::processesWith(mark).empty(); }));
}

TEST_F(NvccTest, OneThatCannotCompileHasNoSay) {
  install("#!/bin/sh\necho 'crt/host_config.h(41): error: unsupported GNU version!'\nexit 1\n");
  const auto broken = ask(kProgram);
  ASSERT_TRUE(broken.ok()) << broken.error().message;
  EXPECT_EQ(broken->kind, Kind::unknown);
  install("#!/bin/sh\necho 'sh: 1: gcc: not found'\nexit 1\n");
  const auto lacksHost = ask(kProgram);
  ASSERT_TRUE(lacksHost.ok()) << lacksHost.error().message;
  EXPECT_EQ(lacksHost->kind, Kind::unknown);
  install("#!/bin/sh\necho 'cc1plus: out of memory'\nexit 1\n");
  EXPECT_FALSE(ask(kProgram).ok()) << "it may compile at another time";
}

TEST_F(NvccTest, WithoutLimitsNoneIsAsked) {
  pretend("exit 0\n");
  EXPECT_EQ(Nvcc::find(""), nullptr);
}

/// The nvcc of this machine, on what it might read and what it refuses.
TEST_F(NvccTest, TheRealOneReadsNoOtherFiles) {
  const std::string include = "#include \"" + folder.path("secret.h") + "\"\n";
  folder.write("secret.h", "not C++ at all\n");
  const auto plain = ask(kProgram);
  if (!plain && plain.error().message == "there is no nvcc")
    GTEST_SKIP() << support::because(support::kNoToolkit, "nvcc");
  ASSERT_TRUE(plain.ok()) << plain.error().message;
  EXPECT_EQ(plain->kind, Kind::refuses);
  const auto reads = ask(include + kProgram);
  ASSERT_TRUE(reads.ok()) << reads.error().message;
  EXPECT_EQ(reads->kind, Kind::unknown) << "it must not know what the file holds";
  const auto asks = ask("#if __has_include(\"" + folder.path("secret.h") +
                        "\")\n#error there is one\n#endif\n__global__ void f() {}\n");
  ASSERT_TRUE(asks.ok()) << asks.error().message;
  EXPECT_EQ(asks->kind, Kind::takes);
  const auto assembles = ask("__global__ void f() {}\nint main() { asm(\".incbin \\\"" +
                             folder.path("secret.h") + "\\\"\"); }\n");
  ASSERT_TRUE(assembles.ok()) << assembles.error().message;
  EXPECT_EQ(assembles->kind, Kind::takes) << "nothing is assembled";
}

}  // namespace nvcc_test
}  // namespace tilestep::system_test
