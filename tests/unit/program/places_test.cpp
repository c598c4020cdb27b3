// SPDX-License-Identifier: Apache-2.0
#include "program/places.h"

#include <gtest/gtest.h>

#include "base/files.h"
#include "base/private_folder.h"

namespace tilestep::program::places_test {

/// The first argument of cudaMalloc call `number` in the line `text`.
std::string nameIn(const std::string& text, size_t number = 0) {
  const PrivateFolder folder;
  const std::string file = (folder.path() / "a.cu").string();
  EXPECT_TRUE(writeFileAtomically(file, "// first line\n" + text + "\n").ok());
  return firstArgument({file, 2}, "cudaMalloc", number);
}

TEST(ProgramPlaces, AnAllocationIsNamedByItsFirstArgument) {
  EXPECT_EQ(nameIn("cudaMalloc(&d_A, n * sizeof(float));"), "d_A");
  EXPECT_EQ(nameIn("cudaMalloc((void**)&d_A, bytes);"), "d_A");
  EXPECT_EQ(nameIn("cudaMalloc((void **) & d_A, bytes);"), "d_A");
  EXPECT_EQ(nameIn("cudaMalloc(reinterpret_cast<void**>(&d_A), bytes);"), "d_A");
  EXPECT_EQ(nameIn("CHECK(cudaMalloc(&(rows[i]), sizeof(float) * f(a, b)));"), "rows[i]");
  EXPECT_EQ(nameIn("  cudaMalloc (&p->data, 4);"), "p->data");
  EXPECT_EQ(nameIn("cudaMalloc(\n    &d_A,\n    bytes);"), "d_A");
  EXPECT_EQ(nameIn("cudaMalloc(out, bytes);"), "out");
  const std::string line = "cudaMalloc(&a, n); cudaMalloc(&b, n); cudaMalloc(&c, n);";
  EXPECT_EQ(nameIn(line, 0), "a");
  EXPECT_EQ(nameIn(line, 1), "b");
  EXPECT_EQ(nameIn(line, 2), "c");
  EXPECT_EQ(nameIn(line, 3), "");
  EXPECT_EQ(nameIn("allocate(&d_A, bytes);"), "");
  EXPECT_EQ(nameIn("cudaMalloc"), "");
  EXPECT_EQ(nameIn("cudaMalloc((((("), "((((");
  EXPECT_EQ(firstArgument({"/nowhere/a.cu", 3}, "cudaMalloc", 0), "");
  Places places("/nowhere/program");
  EXPECT_EQ(places.of(0).line, 0U);
  EXPECT_EQ(places.of(0x1234).line, 0U);
}

}  // namespace tilestep::program::places_test
