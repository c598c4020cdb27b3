// SPDX-License-Identifier: Apache-2.0
// Invalid requests exit with 2 and one line that names the mistake, the limit and the nearest legal
// value.
#include <gtest/gtest.h>

#include <algorithm>

#include "support/results.h"
#include "support/tool.h"
#include "system/run_support.h"

namespace tilestep::system_test::requests_test {

using support::HomeCopy;
using support::Words;

TEST(Requests, InvalidRequestsAreRefusedInOneLine) {
  const std::string worker = support::tilestepWords({})[0] + " worker ";
  struct Case {
    Words words, parts;
  };
  for (const auto& [words, parts] : {
           Case{{"run", "matmul_tiled", "--set", "TILE_WIDTH=33", "--device", "simt"},
                {"TILE_WIDTH", "33", "32"}},
           Case{{"run", "matmul_tiled", "--size", "0", "--device", "simt"}, {"0", "1"}},
           Case{{"run", "matmul_tiled", "--size", "-4", "--device", "simt"}, {"-4"}},
           Case{{"run", "matmul_tiled", "--size", "100000", "--device", "simt"}, {"10000000000"}},
           // Unknown names come with the nearest.
           Case{{"run", "matmul_tield"}, {"matmul_tield", "matmul_tiled"}},
           Case{{"run", "matmul_tiled", "--set", "TILE_WITDH=8"}, {"TILE_WITDH", "TILE_WIDTH"}},
           Case{{"run", "matmul_tiled", "--size", "q=8"}, {"size q", "m, n and k"}},
           Case{{"run", "matrix_sum", "--k", "8"}, {"size k"}},
           Case{{"run", "missing/file.cu"}, {"missing/file.cu"}},
           Case{{"run", "missing.cu"}, {"there is no file missing.cu"}},
           Case{{"runn", "matmul_tiled"}, {"runn", "Nearest: run;"}},
           Case{{"run", "matmul_tiled", "--chek"}, {"--chek", "Nearest: --check;"}},
           Case{{"--kernle=matmul_naive"}, {"Nearest: --kernel;"}},
           Case{{"--lab", "my.cu"}, {"there is no file my.cu"}},
           Case{{"my.cu", "your.cu"}, {"tilestep your.cu", "tilestep run your.cu"}},
           Case{{"my.cu"}, {"there is no file my.cu"}},
           Case{{"run", "matmul_tiled", "--tile", "8"}, {"--tile", "--help"}},
           Case{{"run"}, {"kernel"}},
           Case{{"fly"}, {"fly"}},
           // Devices that do not exist.
           Case{{"run", "matmul_tiled", "--device", "gpu"},
                {"'gpu'", "auto, simt, cuda:N and recorded:NAME"}},
           Case{{"run", "matmul_tiled", "--device", "cuda:99"}, {}},
           Case{{"run", "matmul_tiled", "--device", "recorded:no-such"}, {"recording"}},
           // Arguments that are not numbers.
           Case{{"run", "matmul_tiled", "--size", "big"}, {"'big'"}},
           Case{{"run", "matmul_tiled", "--set", "TILE_WIDTH"}, {"NAME=VALUE"}},
           Case{{"run", "matmul_tiled", "--set", "TILE_WIDTH=4,8"}, {"sweep"}},
           Case{{"run", "matmul_tiled", "--trace", "1"}, {"X,Y"}},
           Case{{"run", "matmul_tiled", "--seed", "x"}, {"--seed"}},
           Case{{"run", "matmul_tiled", "--size", "512", "--device", "simt", "--memory", "1M"},
                {"matmul_tiled needs ", "operands 3 MiB", "1 MiB are allowed", "--memory"}},
           Case{{"run", "matmul_tiled", "--size", "512", "--device", "simt", "--memory", "1G",
                 "--worker", worker + "--memory 1M"},
                {"1 MiB are allowed"}},
       })
    expectRefused(words, parts);
  for (const char* seconds : {"-1", "0", "nan", "1e300"})
    expectRefused({"run", "matmul_tiled", "--device", "simt", "--timeout", seconds},
                  {"--timeout", "0.001"});
  for (const char* bytes : {"x", "0", "1.5G", "2GB"})
    expectRefused({"run", "matmul_tiled", "--device", "simt", "--memory", bytes},
                  {"--memory", "512M", bytes});
  expectRefused({"run", "matmul_tiled"}, {"TILE_HOME_THAT_IS_NOT_THERE"},
                {"TILESTEP_HOME=/TILE_HOME_THAT_IS_NOT_THERE"});
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
      support::expectStatus(2, {"run", "broken", "--device", "simt"}, {home.variable()});
  EXPECT_EQ(run.out, "");
  EXPECT_TRUE(has(run.err, "kernels/broken.cu:" + std::to_string(number)));
  EXPECT_TRUE(has(run.err, "oops(;")) << "the source line is shown: " << run.err;
}

TEST(Requests, AFileWithoutFrontMatterIsRefusedWithARemedy) {
  const HomeCopy home;
  home.write("kernels/bare.cu", "__global__ void bare(float* P) { P[0] = 1; }\n");
  const support::Finished run =
      support::expectStatus(2, {"run", "bare", "--device", "simt"}, {home.variable()});
  EXPECT_EQ(run.out, "");
  const std::string first = run.err.substr(0, run.err.find('\n'));
  for (const char* part : {"kernels/bare.cu:1", "front matter", "bare.toml"}) {
    EXPECT_TRUE(has(first, part)) << run.err;
  }
}

}  // namespace tilestep::system_test::requests_test
