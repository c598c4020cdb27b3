// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <tuple>

#include "base/files.h"
#include "base/private_folder.h"
#include "compile/kernel.h"
#include "support/results.h"
#include "unit/compile/sample_kernel.h"

namespace tilestep::compile::catalogue_test {

namespace fs = std::filesystem;

class CatalogueTest : public testing::Test {
 protected:
  CatalogueTest() { fs::create_directories(kernels()); }
  fs::path kernels() const { return folder.path() / "kernels"; }
  void put(const std::string& name, const std::string& text) const {
    ASSERT_TRUE(writeFileAtomically(kernels() / name, text).ok());
  }
  PrivateFolder folder;
};

TEST_F(CatalogueTest, NewFilesAreListedAndBrokenOnesHaveAnError) {
  EXPECT_TRUE(readCatalogue(kernels()).empty());
  put("scale.cu", sampleText());
  put("broken.cu", "/*---\ntitle = 3\n---*/\n");
  put("plain.cu", "__global__ void plain() {}\n");
  put("notes.txt", "no kernel");
  put(".hidden.cu", sampleText());
  fs::create_directories(kernels() / "probes");
  put("probes/inner.cu", sampleText());
  fs::create_directories(kernels() / "folder.cu");
  fs::create_directories(kernels() / "ladder");
  put("ladder/rung.cu", sampleText());
  const auto entries = readCatalogue(kernels());
  ASSERT_EQ(entries.size(), 4u);
  EXPECT_EQ(entries[3].source.path, "kernels/ladder/rung.cu");
  EXPECT_EQ(entries[0].source.path, "kernels/broken.cu");
  ASSERT_TRUE(entries[0].error.has_value());
  EXPECT_FALSE(entries[0].spec.has_value());
  EXPECT_EQ(toString(*entries[0].error).substr(0, 19), "kernels/broken.cu:2");
  ASSERT_TRUE(entries[1].error.has_value());
  EXPECT_TRUE(has(entries[1].error->message, "plain.toml"));
  EXPECT_EQ(entries[2].spec->title, "Scale");
}

TEST_F(CatalogueTest, AFileWithoutAKernelIsNotQuoted) {
  put("secret.cu", "root:secret:1:2\n");
  put("toml.cu", "/*---\nroot:secret\n---*/\n");
  put("kernel.cu", "__global__ void f() {} // quoted\n");
  const auto entries = readCatalogue(kernels());
  ASSERT_EQ(entries.size(), 3U);
  for (const CatalogueEntry& entry : entries) {
    ASSERT_TRUE(entry.error.has_value());
    EXPECT_FALSE(has(toString(*entry.error), "secret:"));
    EXPECT_EQ(entry.error->sourceLine.empty(), entry.source.path != "kernels/kernel.cu")
        << entry.source.path;
  }
}

TEST_F(CatalogueTest, FrontMatterMayBeInAFileBesideTheKernel) {
  const std::string text = sampleText();
  const size_t end = text.find("---*/");
  put("scale.cu", text.substr(end + 5));
  put("scale.toml", text.substr(5, end - 5));
  const auto entries = readCatalogue(kernels());
  ASSERT_EQ(entries.size(), 1u);
  ASSERT_TRUE(entries[0].spec.has_value()) << toString(*entries[0].error);
  EXPECT_EQ(entries[0].spec->operands.size(), 2u);
}

TEST_F(CatalogueTest, FrontMatterBothInAFileAndBesideItIsAnErrorOfThatKernel) {
  put("scale.cu", sampleText());
  put("scale.toml", "title = \"Other\"\n");
  put("twin.cu", sampleText());
  const auto entries = readCatalogue(kernels());
  ASSERT_EQ(entries.size(), 2u);
  ASSERT_TRUE(entries[0].error.has_value());
  EXPECT_TRUE(has(entries[0].error->message, "kernels/scale.cu and in kernels/scale.toml"));
  EXPECT_FALSE(entries[0].spec.has_value());
  EXPECT_TRUE(entries[1].spec.has_value());
}

TEST_F(CatalogueTest, KernelsAreFoundByNameFileNameAndPath) {
  put("scale.cu", sampleText());
  const std::string folderName = kernels();
  EXPECT_EQ(findKernel(folderName, "scale")->path, "kernels/scale.cu");
  EXPECT_EQ(findKernel(folderName, "scale.cu")->path, "kernels/scale.cu");
  EXPECT_EQ(findKernel(folderName + "/", "scale")->path, "kernels/scale.cu");
  fs::create_directories(kernels() / "ladder");
  put("ladder/rung.cu", sampleText());
  EXPECT_EQ(findKernel(folderName, "rung")->path, "kernels/ladder/rung.cu");
  const std::string path = kernels() / "scale.cu";
  EXPECT_EQ(findKernel("/nowhere", path)->path, path);
}

TEST_F(CatalogueTest, AnUnknownNameIsAnsweredWithTheNearestKernel) {
  EXPECT_TRUE(fails(findKernel(kernels(), "scale"), "contains no .cu file"));
  put("scale.cu", sampleText());
  const auto unknown = findKernel(kernels(), "scael");
  ASSERT_FALSE(unknown.ok());
  EXPECT_EQ(unknown.error().message, "there is no kernel 'scael'; the nearest kernel is scale");
  EXPECT_EQ(unknown.error().kind, ErrorKind::request);
  EXPECT_FALSE(findKernel(kernels(), "").ok());
  EXPECT_FALSE(findKernel(kernels(), "./scale.cu").ok());
  EXPECT_FALSE(findKernel(kernels(), "/etc/passwd").ok());
}

TEST_F(CatalogueTest, AnEmptyTomlFileBesideAKernelIsReported) {
  put("mine.cu", "__global__ void mine() {}");
  put("mine.toml", " \n");
  for (const char* text : {" \n", ""}) {
    put("mine.toml", text);
    const auto found = findKernel(kernels(), (kernels() / "mine.cu").string());
    ASSERT_TRUE(found) << "its source can be shown";
    const auto spec = parseKernel(*found);
    ASSERT_TRUE(fails(spec, "mine.toml is empty; tilestep draft "));
    EXPECT_TRUE(spec.error().where->file.ends_with("mine.toml"));
  }
  EXPECT_TRUE(fails(findKernel(kernels(), (kernels() / "mine.toml").string()),
                    "its .toml is read with it"));
}

class OwnKernelsTest : public CatalogueTest {
 protected:
  OwnKernelsTest() { fs::create_directories(own()); }
  fs::path own() const { return folder.path() / "own"; }
  void putOwn(const std::string& name, const std::string& text) const {
    ASSERT_TRUE(writeFileAtomically(own() / name, text).ok());
  }
  std::vector<std::string> paths() const {
    std::vector<std::string> found;
    for (const CatalogueEntry& entry : readCatalogue(kernels(), own()))
      found.push_back(entry.source.path);
    return found;
  }
  std::string pathOf(const std::string& name) const { return (own() / name).string(); }
};

TEST_F(OwnKernelsTest, ComeAfterShippedKernelsUnderTheirFullPaths) {
  put("scale.cu", sampleText());
  putOwn("alpha.cu", sampleText());
  fs::create_directories(own() / "ladder");
  putOwn("ladder/rung.cu", sampleText());
  EXPECT_EQ(paths(), (std::vector<std::string>{"kernels/scale.cu", pathOf("alpha.cu")}));
  EXPECT_EQ(findKernel(kernels(), "alpha", own())->path, pathOf("alpha.cu"));
  EXPECT_EQ(findKernel(kernels(), "alpha.cu", own())->path, pathOf("alpha.cu"));
  EXPECT_FALSE(findKernel(kernels(), "rung", own()));
  EXPECT_EQ(findKernel(kernels(), "alfa", own()).error().message,
            "there is no kernel 'alfa'; the nearest kernel is alpha");
}

TEST_F(OwnKernelsTest, DamagedKernelsAreListedBesideTheOthers) {
  put("scale.cu", sampleText());
  putOwn("a_broken.cu", "/*---\ntitle = 3\n---*/\n");
  putOwn("b_large.cu", std::string((size_t{1} << 20) + 1, ' '));
  putOwn("c_bytes.cu", std::string("\0\xff\xfe", 3));
  putOwn("d_toml.cu", sampleText());
  fs::create_directories(own() / "d_toml.toml");
  fs::create_directories(own() / "e_folder.cu");
  fs::create_symlink("nowhere", own() / "f_link.cu");
  putOwn("g_good.cu", sampleText());
  const auto entries = readCatalogue(kernels(), own());
  ASSERT_EQ(entries.size(), 6U);
  for (size_t i = 1; i < 5; ++i) {
    EXPECT_TRUE(entries[i].error.has_value()) << entries[i].source.path;
    EXPECT_TRUE(entries[i].source.path.starts_with(own().string())) << entries[i].source.path;
  }
  EXPECT_TRUE(entries[0].spec.has_value());
  EXPECT_TRUE(entries[5].spec.has_value());
}

TEST_F(OwnKernelsTest, AShippedKernelKeepsItsName) {
  put("scale.cu", sampleText());
  fs::create_directories(kernels() / "ladder");
  put("ladder/rung.cu", sampleText());
  for (const char* name : {"scale.cu", "rung.cu", "mine.cu"}) putOwn(name, sampleText());
  EXPECT_EQ(paths(), (std::vector<std::string>{"kernels/scale.cu", "kernels/ladder/rung.cu",
                                               pathOf("mine.cu")}));
  EXPECT_EQ(findKernel(kernels(), "scale", own())->path, "kernels/scale.cu");
  EXPECT_EQ(findKernel(kernels(), pathOf("scale.cu"), own())->path, pathOf("scale.cu"));
  const auto hidden = hiddenKernels(kernels(), own());
  ASSERT_EQ(hidden.size(), 2U);
  EXPECT_EQ(hidden[0].source.path, pathOf("rung.cu"));
  EXPECT_EQ(hidden[1].error->message,
            pathOf("scale.cu") +
                " is not used, because a kernel called scale comes with Tilestep; rename the "
                "file and its function");
}

TEST_F(OwnKernelsTest, TheFolderOfShippedKernelsAddsNothing) {
  put("scale.cu", sampleText());
  fs::create_directory_symlink(kernels(), folder.path() / "link");
  for (const fs::path& same : {kernels(), kernels() / "", folder.path() / "link"}) {
    EXPECT_EQ(readCatalogue(kernels(), same).size(), 1U) << same;
    EXPECT_EQ(readCatalogue(kernels(), same)[0].source.path, "kernels/scale.cu");
    EXPECT_TRUE(hiddenKernels(kernels(), same).empty()) << same;
  }
}

TEST(Catalogue, EveryShippedKernelHasValidFrontMatter) {
  const auto entries = readCatalogue(kernelFolder());
  EXPECT_GE(entries.size(), 32U);
  for (const CatalogueEntry& entry : entries) {
    ASSERT_TRUE(entry.spec.has_value()) << toString(*entry.error);
    EXPECT_EQ(entry.spec->entry.substr(0, entry.spec->entry.find('<')), entry.spec->name);
    EXPECT_FALSE(entry.spec->title.empty());
    const auto& operands = entry.spec->operands;
    const bool formula = std::any_of(operands.begin(), operands.end(),
                                     [](const OperandSpec& o) { return !o.expect.empty(); });
    EXPECT_TRUE(formula || !entry.spec->reference.empty()) << entry.spec->name;
    const auto defaults = plan(*entry.spec, {}, {}, Limits{});
    EXPECT_TRUE(defaults.ok()) << (defaults ? "" : defaults.error().message);
  }
}

// Each pair of a filter element and a matrix element that it covers counts as two operations.
TEST(Catalogue, OperationsOfConvolutionsExcludeGhostCells) {
  const auto onElements = [](int64_t side, int64_t radius) {
    int64_t pairs = 0;
    for (int64_t to = 0; to < side; ++to)
      for (int64_t from = to - radius; from <= to + radius; ++from)
        pairs += from >= 0 && from < side ? 1 : 0;
    return pairs;
  };
  for (const char* name : {"convolution_naive", "convolution_tiled"})
    for (const auto& [m, n, radius] :
         {std::tuple<int64_t, int64_t, int64_t>{1, 1, 5}, {3, 20, 5}, {37, 41, 1}, {2, 3, 2}}) {
      const KernelSpec spec = *parseKernel(*findKernel(kernelFolder(), name));
      const auto planned =
          valueOrThrow(plan(spec, {{"m", m}, {"n", n}}, {{"RADIUS", radius}}, Limits{}));
      EXPECT_EQ(planned.operations,
                static_cast<double>(2 * onElements(m, radius) * onElements(n, radius)))
          << name << " " << m << " " << n << " " << radius;
    }
}

}  // namespace tilestep::compile::catalogue_test
