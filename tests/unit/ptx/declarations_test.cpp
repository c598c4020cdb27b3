// SPDX-License-Identifier: Apache-2.0
#include "ptx/debug/declarations.h"

#include <gtest/gtest.h>

#include "ptx/debug/dwarf.h"

namespace tilestep::ptx::declarations_test {

/// The output of clang 14, with N = 4, for
///   struct Box { float w; short s; double *q; int v[2]; };
///   __constant__ float weights[5];
///   template <int N> __global__ void k(const float *a, Box box, unsigned n) {
///     __shared__ double tile[N][N + 1];
constexpr char kComments[] =
    "// .debug_abbrev "
    "01110125081305030810061b08110112010000023400030849133f0c3a0b3b0b330b020a0000030101491300"
    "000421004913370b000005240003083e0b0b0b000006240003080b0b3e0b0000072e0111011201400a874008"
    "03083a0b3b0b3f0c0000080500330b020a03083a0b3b0b4913000009050003083a0b3b0b491300000a300049"
    "1303081c0d00000b0f00491300000c2600491300000d1301360b03080b0b3a0b3b0b00000e0d00030849133a"
    "0b3b0b380a000000\n"
    "// .debug_info "
    "ab010000020000000000080144656269616e20636c616e672076657273696f6e2031342e302e360021006b2e"
    "637500000000002f746d702f6c61756e63686573000000000000000000000000000000000002776569676874"
    "73006c000000010105040903000000000000000003780000000481000000050005666c6f6174000404065f5f"
    "41525241595f53495a455f545950455f5f0008070700000000000000000000000000000000019c5f5a316b49"
    "4c6934454576504b6633426f786a006b3c343e000106010274696c65001d0100000101070809030000000000"
    "000000080609030000000000000000610001064001000009626f780001065a01000008060b03000000000000"
    "000023086e0001064a0100000a390100004e000400032f0100000481000000040481000000050005646f7562"
    "6c6500040805696e740005040b450100000c7800000005756e7369676e656420696e740007040d05426f7800"
    "1801040e77007800000001040223000e73009401000001040223040e71009d01000001040223080e7600a201"
    "00000104022310000573686f72740005020b2f01000003390100000481000000020000\n";

TEST(Declarations, ContainAKernelsParametersAndTheirTypes) {
  const Declarations all = declarationsIn(kComments);
  ASSERT_EQ(all.kernels.size(), 1u);
  const DeclaredKernel* const kernel = all.kernel("_Z1kILi4EEvPKf3Boxj");
  ASSERT_NE(kernel, nullptr);
  EXPECT_EQ(kernel->name, "k<4>");
  EXPECT_EQ(kernel->line, 6u);
  ASSERT_EQ(kernel->parameters.size(), 3u);
  EXPECT_EQ(kernel->parameters[0].name, "a");
  const DeclaredType& a = all.typeOf(kernel->parameters[0]);
  EXPECT_EQ(a.text, "const float *");
  EXPECT_EQ(a.kind, DeclaredType::Kind::pointer);
  EXPECT_EQ(all.types[a.target].element, ElementType::f32);
  EXPECT_EQ(all.typeOf(kernel->parameters[2]).element, ElementType::u32);
}

TEST(Declarations, ContainAStructuresMembersAndArrayElements) {
  const Declarations all = declarationsIn(kComments);
  const DeclaredType& box = all.typeOf(all.kernel("_Z1kILi4EEvPKf3Boxj")->parameters[1]);
  EXPECT_EQ(box.kind, DeclaredType::Kind::structure);
  EXPECT_EQ(box.bytes, 24u);
  std::string members;
  for (const DeclaredType::Member& each : box.members)
    members += each.name + "@" + std::to_string(each.offset) + " ";
  EXPECT_EQ(members, "w@0 s@4 q@8 v[0]@16 v[1]@20 ");
  EXPECT_EQ(all.types[box.members[1].type].element, std::nullopt);  // ElementType has no short.
  EXPECT_EQ(all.types[box.members[2].type].kind, DeclaredType::Kind::pointer);
}

TEST(Declarations, ContainTheExtentsOfArrays) {
  const Declarations all = declarationsIn(kComments);
  const DeclaredKernel* const kernel = all.kernel("_Z1kILi4EEvPKf3Boxj");
  ASSERT_EQ(kernel->shared.size(), 1u);
  EXPECT_EQ(kernel->shared[0].name, "tile");
  EXPECT_EQ(kernel->shared[0].extents, (std::vector<uint64_t>{4, 5}));
  EXPECT_EQ(all.typeOf(kernel->shared[0]).element, ElementType::f64);
  ASSERT_EQ(all.variables.size(), 1u);
  EXPECT_EQ(all.variables[0].name, "weights");
  EXPECT_EQ(all.variables[0].extents, std::vector<uint64_t>{5});
}

TEST(Declarations, DamagedSectionsAreReadUpToTheDamage) {
  const DebugSections whole = sectionsInComments(kComments);
  for (size_t cut = 0; cut < whole.entries.size(); cut += 5) {
    DebugSections part = whole;
    part.entries.resize(cut);
    EXPECT_LE(declarationsIn(asComments(part)).kernels.size(), 1u);
    part = whole;
    part.entries[cut] = static_cast<char>(~part.entries[cut]);
    (void)declarationsIn(asComments(part));
  }
  for (size_t cut = 0; cut < whole.abbreviations.size(); cut += 3) {
    DebugSections part = whole;
    part.abbreviations[cut] = static_cast<char>(part.abbreviations[cut] ^ 21);
    (void)declarationsIn(asComments(part));
  }
}

TEST(Declarations, SectionsOfPtxBecomeComments) {
  const DebugSections sections = debugSectionsOf(
      "\t.section\t.debug_abbrev\n\t{\n.b8 1,2 // two\n.b16 772\n\t}\n"
      "\t.section .debug_info\n{\n.b32 .debug_abbrev\n.b8 -1\n}\n.section .debug_loc { }\n");
  EXPECT_EQ(sections.abbreviations, std::string("\x01\x02\x04\x03"));
  EXPECT_EQ(sections.entries, std::string("\0\0\0\0\xff", 5));
  EXPECT_EQ(sectionsInComments(asComments(sections)).entries, sections.entries);
  EXPECT_EQ(asComments(DebugSections{}), "");
}

}  // namespace tilestep::ptx::declarations_test
