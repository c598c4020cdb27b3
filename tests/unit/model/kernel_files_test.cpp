// SPDX-License-Identifier: Apache-2.0
#include "model/kernel_files.h"

#include <gtest/gtest.h>

#include "base/files.h"
#include "base/private_folder.h"
#include "features/lessons/view.h"
#include "support/results.h"
#include "support/source_root.h"
#include "unit/model/session_fixture.h"

namespace tilestep::model::kernel_files_test {

namespace fs = std::filesystem;

class OwnKernels : public SessionFixture {
 protected:
  [[nodiscard]] fs::path folder() const { return folder_.path(); }
  fs::path own() const { return folder_.path() / "tilestep" / "kernels"; }
  void put(const std::string& name, const std::string& text) const {
    ASSERT_TRUE(writeFileAtomically(own() / name, text));
  }
  static std::string tiled() {
    return readTextFile(support::sourceRoot() + "/kernels/matmul_tiled.cu").value();
  }
  void openWithOwn() {
    SessionOptions options;
    options.ownKernels = own().string();
    open(options);
  }
  /// The entry with this name that would be shown after the folders are read again.
  const compile::CatalogueEntry* entry(const std::string& name) {
    now += 2;
    next();
    return findEntry(*snapshot().catalogue, name);
  }

 private:
  PrivateFolder folder_;
};

TEST_F(OwnKernels, AppearInAnOpenWindowEvenIfTheirFolderIsCreatedLater) {
  openWithOwn();
  EXPECT_EQ(entry("mine"), nullptr);
  put("mine.cu", tiled());
  ASSERT_NE(entry("mine"), nullptr);
  EXPECT_TRUE(entry("mine")->spec.has_value());
  EXPECT_EQ(entry("mine")->source.path, (own() / "mine.cu").string());
  fs::remove(own() / "mine.cu");
  EXPECT_EQ(entry("mine"), nullptr);
}

TEST_F(OwnKernels, AKernelGivenByPathDoesNotReplaceALessonsKernel) {
  const fs::path file = folder() / "matmul_tiled.cu";
  ASSERT_TRUE(writeFileAtomically(file, tiled() + "// Mine.\n"));
  SessionOptions options;
  options.kernel = file.string();
  open(options);
  ASSERT_NE(entry("matmul_tiled"), nullptr);
  EXPECT_EQ(entry("matmul_tiled")->source.path, file.string());
  ASSERT_NE(notice("own kernels"), nullptr);
  EXPECT_TRUE(has(notice("own kernels")->text, "replaces the kernel matmul_tiled"));
  const auto lesson = next().view<features::LessonsView>().lessons.at(0).file;
  session->apply(command("lessons.open", lesson));
  EXPECT_NE(entry("matmul_tiled")->source.path, file.string());
  EXPECT_TRUE(has(notice("own kernels")->text, "The lesson uses"));
  SessionOptions later;
  later.saved = parseSaved(toToml(session->saved()), "window.toml").value();
  open(later);
  EXPECT_TRUE(next().view<features::LessonsView>().lesson);
  EXPECT_NE(entry("matmul_tiled")->source.path, file.string());
  session->apply(command("lessons.close"));
  EXPECT_EQ(entry("matmul_tiled")->source.path, file.string()) << "as before the lesson";
}

TEST_F(OwnKernels, TheShippedFileGivenByPathIsTheSameKernel) {
  SessionOptions options;
  options.kernel = support::sourceRoot() + "/kernels/matmul_tiled.cu";
  open(options);
  next();
  EXPECT_EQ(notice("own kernels"), nullptr);
}

TEST_F(OwnKernels, ADamagedFileLeavesTheOthersAndIsReadAgainWhenSaved) {
  put("broken.cu", "/*---\ntitle = \n---*/\n");
  openWithOwn();
  ASSERT_NE(entry("broken"), nullptr);
  EXPECT_TRUE(entry("broken")->error.has_value());
  EXPECT_TRUE(entry("matmul_tiled")->spec.has_value());
  put("broken.cu", tiled());
  EXPECT_TRUE(entry("broken")->spec.has_value());
}

TEST_F(OwnKernels, AFileWithAShippedKernelsNameIsReportedUntilRenamed) {
  put("matmul_tiled.cu", "not a kernel");
  openWithOwn();
  EXPECT_EQ(entry("matmul_tiled")->source.path, "kernels/matmul_tiled.cu");
  ASSERT_NE(notice("own kernels"), nullptr);
  EXPECT_EQ(notice("own kernels")->text,
            (own() / "matmul_tiled.cu").string() +
                " is not used, because a kernel called matmul_tiled comes with Tilestep; "
                "rename the file and its function.");
  fs::rename(own() / "matmul_tiled.cu", own() / "mine.cu");
  EXPECT_NE(entry("mine"), nullptr);
  EXPECT_EQ(notice("own kernels"), nullptr);
}

TEST_F(OwnKernels, AFileGivenByPathTakesPrecedence) {
  put("mine.cu", "not a kernel");
  SessionOptions options;
  options.ownKernels = own().string();
  options.kernel = (own().parent_path() / "mine.cu").string();
  ASSERT_TRUE(writeFileAtomically(options.kernel, tiled()));
  open(options);
  ASSERT_NE(entry("mine"), nullptr);
  EXPECT_EQ(entry("mine")->source.path, options.kernel);
}

}  // namespace tilestep::model::kernel_files_test
