// SPDX-License-Identifier: Apache-2.0
// What counts for a file that is graded: nvcc's word, and the compiler's.
#include "compile/compilers/nvcc_opinion.h"

#include <gtest/gtest.h>

namespace tilestep::compile {
namespace nvcc_opinion_test {

using Kind = NvccAnswer::Kind;

const KernelSource kKernel{"k.cu", "__global__ void f(float* p) {\n  p[0] = 1;\n}\n", {}, {}};

Error at(int line, const std::string& message) {
  Error error = requestError(message);
  error.where = TextLocation{"k.cu", line, 0};
  return error;
}

NvccAnswer refuses(bool isOfDevice) {
  return {Kind::refuses, at(1, "nvcc's words"), isOfDevice, "nvcc 13.0"};
}

/// "request: message" or "work: message"; empty where the file is taken.
std::string outcome(const Status& own, const Result<NvccAnswer>& word) {
  const Status status = asNvccWould({kKernel, own, "clang 15", [&] { return word; }});
  if (status) return {};
  return (status.error().kind == ErrorKind::request ? "request: " : "work: ") +
         status.error().message;
}

TEST(NvccOpinion, WhatTheCompilerTakesNvccMayRefuse) {
  EXPECT_EQ(outcome({}, NvccAnswer{Kind::takes, {}, false, "nvcc"}), "");
  EXPECT_EQ(outcome({}, NvccAnswer{}), "");
  EXPECT_EQ(outcome({}, refuses(true)), "request: nvcc 13.0: nvcc's words");
  EXPECT_EQ(outcome({}, refuses(false)),
            "work: nvcc 13.0 refuses this, which is not device code: nvcc's words");
  NvccAnswer otherwise = refuses(true);
  otherwise.kind = Kind::takesOtherwise;
  EXPECT_EQ(outcome({}, otherwise), "");
  EXPECT_EQ(outcome(at(2, "expected a \";\""), otherwise),
            "work: nvcc 13.0 takes the file only as C++20 or for newer GPUs: expected a \";\"");
  EXPECT_EQ(outcome({}, workError("it ran out of memory")), "work: it ran out of memory");
}

TEST(NvccOpinion, AMistakeForTheCompilerIsNoneWhereNvccTakesTheFile) {
  const Status mistake = at(2, "expected a \";\""), doubtful = at(2, "cannot open \"limits\"");
  EXPECT_EQ(outcome(mistake, NvccAnswer{Kind::takes, {}, false, "nvcc"}),
            "work: nvcc takes the file, and clang 15 does not take this: expected a \";\"");
  for (const Result<NvccAnswer>& word :
       {Result<NvccAnswer>(refuses(true)), Result<NvccAnswer>(refuses(false)),
        Result<NvccAnswer>(NvccAnswer{})})
    EXPECT_EQ(outcome(mistake, word), "request: expected a \";\"");
  EXPECT_EQ(outcome(doubtful, refuses(true)), "request: nvcc 13.0: nvcc's words");
  EXPECT_EQ(outcome(doubtful, refuses(false)),
            "work: nvcc 13.0 refuses this, which is not device code: nvcc's words");
  const std::string lacks =
      "work: It uses a library that the grader does not have, and has to be compiled with nvcc: "
      "cannot open \"limits\"";
  EXPECT_EQ(outcome(doubtful, NvccAnswer{}), lacks);
  for (const Status& own : {mistake, doubtful})
    EXPECT_EQ(outcome(own, workError("no memory")), "work: no memory");
  Error ofHeader = at(2, "expected a \";\"");
  ofHeader.where->file = "cub.cuh";
  EXPECT_TRUE(outcome(ofHeader, NvccAnswer{}).starts_with("work: It uses a library"));
}

TEST(NvccOpinion, NvccIsNotAskedWhereItHasNothingToSay) {
  const auto unasked = []() -> Result<NvccAnswer> {
    ADD_FAILURE() << "nvcc was asked";
    return NvccAnswer{};
  };
  const Status late = workError("the compiler reached its limit");
  Error ptx = at(7, "'selp' takes 4 operands");
  ptx.where->file = "k.cu (PTX)";
  const Status ofPtx = ptx;
  for (const Status* own : {&late, &ofPtx})
    EXPECT_EQ(asNvccWould({kKernel, *own, "clang 15", unasked}).error().message,
              own->error().message);
}

}  // namespace nvcc_opinion_test
}  // namespace tilestep::compile
