// SPDX-License-Identifier: Apache-2.0
// Wrong requests: exit 2, one line that names what is wrong, the limit and the nearest legal value.
#include <gtest/gtest.h>

#include <algorithm>

#include "support/has.h"
#include "support/tool.h"
#include "system/run_support.h"

namespace tilestep::system_test::requests_test {

using support::HomeCopy;

TEST(Requests, ATileTooWide) {
  expectRefused({"run", "matmul_tiled", "--set", "TILE_WIDTH=33", "--device", "simt"},
                {"TILE_WIDTH", "33", "32"});
}

TEST(Requests, ASizeOfZeroAndSizesTooLarge) {
  expectRefused({"run", "matmul_tiled", "--size", "0", "--device", "simt"}, {"0", "1"});
  expectRefused({"run", "matmul_tiled", "--size", "-4", "--device", "simt"}, {"-4"});
  expectRefused({"run", "matmul_tiled", "--size", "100000", "--device", "simt"}, {"10000000000"});
}

TEST(Requests, UnknownNamesComeWithTheNearest) {
  expectRefused({"run", "matmul_tield"}, {"matmul_tield", "matmul_tiled"});
  expectRefused({"run", "matmul_tiled", "--set", "TILE_WITDH=8"}, {"TILE_WITDH", "TILE_WIDTH"});
  expectRefused({"run", "matmul_tiled", "--size", "q=8"}, {"size q", "m, n and k"});
  expectRefused({"run", "matrix_sum", "--k", "8"}, {"size k"});
  expectRefused({"run", "missing/file.cu"}, {"missing/file.cu"});
  expectRefused({"run", "missing.cu"}, {"there is no file missing.cu"});
}

TEST(Requests, DevicesThatAreNotThere) {
  expectRefused({"run", "matmul_tiled", "--device", "gpu"},
                {"'gpu'", "auto, simt, cuda:N and recorded:NAME"});
  expectRefused({"run", "matmul_tiled", "--device", "cuda:99"}, {});
  expectRefused({"run", "matmul_tiled", "--device", "recorded:no-such"}, {"recording"});
}

TEST(Requests, TextsThatAreNoNumbers) {
  expectRefused({"run", "matmul_tiled", "--size", "big"}, {"'big'"});
  expectRefused({"run", "matmul_tiled", "--set", "TILE_WIDTH"}, {"NAME=VALUE"});
  expectRefused({"run", "matmul_tiled", "--set", "TILE_WIDTH=4,8"}, {"sweep"});
  expectRefused({"run", "matmul_tiled", "--trace", "1"}, {"X,Y"});
  for (const char* seconds : {"-1", "0", "nan", "1e300"}) {
    expectRefused({"run", "matmul_tiled", "--device", "simt", "--timeout", seconds},
                  {"--timeout", "0.001"});
  }
  expectRefused({"run", "matmul_tiled", "--seed", "x"}, {"--seed"});
}

TEST(Requests, MemoryThatIsNoneOrNotEnough) {
  for (const char* bytes : {"x", "0", "1.5G", "2GB"})
    expectRefused({"run", "matmul_tiled", "--device", "simt", "--memory", bytes},
                  {"--memory", "512M", bytes});
  expectRefused({"run", "matmul_tiled", "--size", "512", "--device", "simt", "--memory", "1M"},
                {"matmul_tiled needs ", "operands 3 MiB", "1 MiB are allowed", "--memory"});
  const std::string worker = support::tilestepWords({})[0] + " worker ";
  expectRefused({"run", "matmul_tiled", "--size", "512", "--device", "simt", "--memory", "1G",
                 "--worker", worker + "--memory 1M"},
                {"1 MiB are allowed"});
}

TEST(Requests, UnknownOptionsAndMissingArguments) {
  expectRefused({"run", "matmul_tiled", "--tile", "8"}, {"--tile", "--help"});
  expectRefused({"run"}, {"kernel"});
  expectRefused({"fly"}, {"fly"});
}

TEST(Requests, AMistypedCommandOrOptionComesWithTheNearest) {
  expectRefused({"runn", "matmul_tiled"}, {"runn", "Nearest: run;"});
  expectRefused({"run", "matmul_tiled", "--chek"}, {"--chek", "Nearest: --check;"});
  expectRefused({"--kernle=matmul_naive"}, {"Nearest: --kernel;"});
  expectRefused({"--lab", "my.cu"}, {"there is no file my.cu"});
  expectRefused({"my.cu", "your.cu"}, {"tilestep your.cu", "tilestep run your.cu"});
  expectRefused({"my.cu"}, {"there is no file my.cu"});
}

TEST(Requests, AKernelThatDoesNotCompileIsNamedWithItsLine) {
  const HomeCopy home;
  const std::string text = home.read("kernels/matmul_naive.cu");
  const std::string line = "    float Pvalue = 0.0f;";
  home.write("kernels/broken.cu", support::replaced(support::replaced(text, line, line + " oops(;"),
                                                    "matmul_naive", "broken"));
  const size_t before = text.substr(0, text.find(line)).size();
  const auto number = 1 + std::count(text.begin(), text.begin() + static_cast<long>(before), '\n');
  const support::Finished run =
      support::tilestep({"run", "broken", "--device", "simt"}, {home.variable()});
  EXPECT_EQ(run.status, 2);
  EXPECT_EQ(run.out, "");
  EXPECT_TRUE(has(run.err, "kernels/broken.cu:" + std::to_string(number)));
  EXPECT_TRUE(has(run.err, "oops(;")) << "the source line is shown: " << run.err;
}

TEST(Requests, AFileWithoutFrontMatterSaysWhatItNeeds) {
  const HomeCopy home;
  home.write("kernels/bare.cu", "__global__ void bare(float* P) { P[0] = 1; }\n");
  const support::Finished run =
      support::tilestep({"run", "bare", "--device", "simt"}, {home.variable()});
  EXPECT_EQ(run.status, 2);
  EXPECT_EQ(run.out, "");
  const std::string first = run.err.substr(0, run.err.find('\n'));
  for (const char* part : {"kernels/bare.cu:1", "front matter", "bare.toml"}) {
    EXPECT_TRUE(has(first, part)) << run.err;
  }
}

TEST(Requests, AHomeThatIsNone) {
  expectRefused({"run", "matmul_tiled"}, {"TILE_HOME_THAT_IS_NOT_THERE"},
                {"TILESTEP_HOME=/TILE_HOME_THAT_IS_NOT_THERE"});
}

}  // namespace tilestep::system_test::requests_test
