// SPDX-License-Identifier: Apache-2.0
// Which folders may include which: the rules of docs/architecture/features.md.
#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "base/files.h"
#include "features/registry.h"
#include "support/source_root.h"

namespace tilestep::model {
namespace folders_test {

struct Include {
  std::string from, to;  ///< Paths below src.
};

/// All includes of files below `what`, such as "features/", in a folder of src.
std::vector<Include> includesOf(const std::string& what, const std::string& folder) {
  const std::filesystem::path root = std::filesystem::path(support::sourceRoot()) / "src";
  std::vector<Include> includes;
  for (const auto& file : std::filesystem::recursive_directory_iterator(root / folder)) {
    const std::string name = file.path().extension().string();
    if (name != ".h" && name != ".cpp") continue;
    const std::string text = readTextFile(file.path().string(), size_t{1} << 20).value();
    const std::string start = "#include \"" + what;
    for (size_t at = text.find(start); at != text.npos; at = text.find(start, at + 1)) {
      const size_t begin = at + start.size() - what.size();
      includes.push_back({std::filesystem::relative(file.path(), root).string(),
                          text.substr(begin, text.find('"', begin) - begin)});
    }
  }
  return includes;
}

std::vector<Include> featuresIncludedBy(const std::string& folder) {
  return includesOf("features/", folder);
}

/// "features/scene" of "features/scene/panel.h".
std::string featureOf(const std::string& path) {
  return path.substr(0, path.find('/', std::string("features/").size()));
}

TEST(Folders, TheModelIncludesNoFeature) {
  for (const Include& include : featuresIncludedBy("model"))
    ADD_FAILURE() << include.from << " includes " << include.to;
}

TEST(Folders, TheKitIncludesNoFeatureButTheTimelinesLayout) {
  for (const Include& include : featuresIncludedBy("ui/kit"))
    EXPECT_EQ(include.to, "features/timeline/panel_layout.h") << include.from;
}

TEST(Folders, PagesAndTheKitIncludeNothingOfTheShell) {
  ASSERT_FALSE(includesOf("ui/kit/", "ui/page").empty()) << "the folder was not read";
  for (const char* folder : {"ui/page", "ui/kit"})
    for (const Include& include : includesOf("ui/shell/", folder))
      ADD_FAILURE() << include.from << " includes " << include.to;
}

TEST(Folders, TheKitIncludesNothingOfPages) {
  for (const Include& include : includesOf("ui/page/", "ui/kit"))
    ADD_FAILURE() << include.from << " includes " << include.to;
}

TEST(Folders, FeaturesIncludeOfEachOtherViewsAlone) {
  const std::vector<Include> includes = featuresIncludedBy("features");
  ASSERT_GT(includes.size(), 100U) << "the folder was not read";
  for (const Include& include : includes) {
    const bool own = featureOf(include.from) == featureOf(include.to);
    const bool registry = include.from.starts_with("features/registry.") ||
                          include.from.starts_with("features/panel_registry.");
    EXPECT_TRUE(own || registry || include.to.ends_with("view.h"))
        << include.from << " includes " << include.to;
  }
}

TEST(Folders, EachFeatureHasTheNameOfItsFolder) {
  std::vector<std::string> folders, ids;
#define TILESTEP_FEATURE(name) folders.emplace_back(#name);
#define TILESTEP_FEATURE_WITH_PANEL(name) TILESTEP_FEATURE(name)
#include "features/features.def"
#undef TILESTEP_FEATURE
#undef TILESTEP_FEATURE_WITH_PANEL
  for (const std::unique_ptr<Feature>& feature : features::makeFeatures())
    ids.emplace_back(feature->id());
  EXPECT_EQ(ids, folders);
}

TEST(Folders, NoneHasMoreThanFortyFiles) {
  const std::filesystem::path root = std::filesystem::path(support::sourceRoot()) / "src";
  for (const auto& folder : std::filesystem::recursive_directory_iterator(root)) {
    if (!folder.is_directory()) continue;
    size_t files = 0;
    for (const auto& file : std::filesystem::directory_iterator(folder.path()))
      files += file.is_regular_file() ? 1 : 0;
    EXPECT_LE(files, 40U) << folder.path();
  }
}

}  // namespace folders_test
}  // namespace tilestep::model
