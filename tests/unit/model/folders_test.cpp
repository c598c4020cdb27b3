// SPDX-License-Identifier: Apache-2.0
// Which folders may include which, according to docs/architecture.md and
// docs/architecture/features.md. The rules also cover files that a build omits, so that builds
// without the GPU side or without the window need no separate test.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "features/registry.h"
#include "support/source_root.h"

namespace tilestep::model {
namespace folders_test {

struct Include {
  std::string from, to;  ///< Paths below src; `to` is as written in the include, such as "imgui.h".
};

std::vector<Include> allIncludes() {
  const std::filesystem::path root = std::filesystem::path(support::sourceRoot()) / "src";
  std::vector<Include> includes;
  for (const auto& file : std::filesystem::recursive_directory_iterator(root)) {
    const std::string ending = file.path().extension().string();
    if (ending != ".h" && ending != ".cpp") continue;
    const std::string from = std::filesystem::relative(file.path(), root).string();
    std::ifstream lines(file.path());
    static const std::regex include(R"re(^\s*#\s*include\s*["<]([^">]+)[">])re");
    std::smatch match;
    for (std::string line; std::getline(lines, line);)
      if (std::regex_search(line, match, include)) includes.push_back({from, match[1]});
  }
  return includes;
}

/// All includes of files whose path begins with `what`, such as "features/", in a folder of src.
std::vector<Include> includesOf(const std::string& what, const std::string& folder) {
  std::vector<Include> includes = allIncludes();
  std::erase_if(includes, [&](const Include& include) {
    return !include.to.starts_with(what) || !include.from.starts_with(folder + '/');
  });
  return includes;
}

std::vector<Include> featuresIncludedBy(const std::string& folder) {
  return includesOf("features/", folder);
}

/// The folders of docs/architecture.md, and the folders that each may include. A feature's panels
/// are the folder "panels".
using Folders = std::map<std::string, std::set<std::string>>;

Folders arrows() {
  Folders may{{"base", {}}, {"app", {"ui", "grade", "worker", "model", "panels", "program"}}};
  may["ptx"] = may["trace"] = may["gfx"] = {"base"};
  may["compile"] = {"base", "ptx"};
  may["metrics"] = {"base", "trace"};
  may["simt"] = {"base", "ptx", "trace"};
  may["device"] = {"simt"};
  may["lab"] = {"compile", "device", "metrics"};
  // The library with which a user's program is linked includes no other folder; its server uses its
  // protocol.
  may["guest"] = {};
  may["program"] = {"guest", "lab"};
  may["worker"] = {"lab", "program"};
  may["grade"] = may["model"] = {"worker"};
  may["features"] = {"model"};
  may["ui"] = may["panels"] = {"features", "gfx"};
  may["ui"].insert("panels");
  may["panels"].insert("ui");
  may["web"] = {"ui"};
  // A folder may also include everything that the folders it includes may include.
  for (size_t round = 0; round < may.size(); ++round)
    for (auto& [from, to] : may)
      for (const std::string& via : std::set<std::string>(to))
        to.insert(may[via].begin(), may[via].end());
  return may;
}

std::string folderOf(const std::string& path) {
  const std::string folder = path.substr(0, path.find('/'));
  const bool isPanel = folder == "features" && path.find("/panel") != std::string::npos;
  return isPanel || path.starts_with("features/panel_registry.") ? "panels" : folder;
}

/// "features/scene" of "features/scene/panel.h".
std::string featureOf(const std::string& path) {
  return path.substr(0, path.find('/', std::string("features/").size()));
}

TEST(Folders, IncludesFollowTheDocumentedRules) {
  const Folders may = arrows();
  const std::filesystem::path root = std::filesystem::path(support::sourceRoot()) / "src";
  size_t count = 0;
  for (const Include& include : allIncludes()) {
    EXPECT_FALSE(include.to.starts_with("..")) << include.from << " includes " << include.to;
    const std::string from = folderOf(include.from), to = folderOf(include.to);
    const bool isOurs = may.contains(to) || std::filesystem::is_directory(root / to);
    if (from == to || !isOurs) continue;
    ++count;
    for (const std::string& folder : {from, to})
      ASSERT_TRUE(may.contains(folder)) << "docs/architecture.md has no folder " << folder;
    EXPECT_TRUE(may.at(from).contains(to)) << include.from << " includes " << include.to;
  }
  EXPECT_GT(count, 1000U) << "the folders were not read";
}

TEST(Folders, OnlyTheWindowsFoldersIncludeItsLibraries) {
  const std::set<std::string> window{"gfx", "ui", "panels"};
  for (const Include& include : allIncludes()) {
    for (const char* library : {"imgui", "GLFW/", "epoxy/", "stb_", "fontconfig/"}) {
      if (!include.to.starts_with(library)) continue;
      EXPECT_TRUE(window.contains(folderOf(include.from)))
          << include.from << " includes " << include.to;
    }
  }
}

TEST(Folders, OnlyTheGpuSideIncludesItsHeaders) {
  for (const Include& include : allIncludes()) {
    if (!include.to.starts_with("device/cuda/")) continue;
    EXPECT_TRUE(include.from.starts_with("device/cuda/"))
        << include.from << " includes " << include.to;
  }
}

TEST(Folders, OnlyTheShellIncludesFeaturesAndOnlyTheirRegistries) {
  for (const Include& include : featuresIncludedBy("ui")) {
    EXPECT_TRUE(include.from.starts_with("ui/shell/")) << include.from;
    EXPECT_TRUE(include.to == "features/panel_registry.h" || include.to == "features/registry.h")
        << include.from << " includes " << include.to;
  }
}

TEST(Folders, TheKitIncludesNothingOfPages) {
  for (const Include& include : includesOf("ui/page/", "ui/kit"))
    ADD_FAILURE() << include.from << " includes " << include.to;
}

TEST(Folders, FeaturesIncludeOnlyViewsOfEachOther) {
  const std::vector<Include> includes = featuresIncludedBy("features");
  ASSERT_GT(includes.size(), 100U) << "the folder was not read";
  for (const Include& include : includes) {
    const bool own = featureOf(include.from) == featureOf(include.to);
    const bool registry = include.from.starts_with("features/registry.") ||
                          include.from.starts_with("features/panel_registry.");
    const bool isShared = include.to == "features/names.h" || include.to.ends_with("view.h");
    EXPECT_TRUE(own || registry || isShared) << include.from << " includes " << include.to;
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

TEST(Folders, ThePathsOfTheIndexExist) {
  const std::filesystem::path root = support::sourceRoot();
  std::ifstream index(root / "docs/architecture/where.md");
  static const std::regex path(R"(`(\w[\w.]*(?:/[\w.]+)+)`)");
  size_t count = 0;
  for (std::string line; std::getline(index, line);) {
    for (std::sregex_iterator at(line.begin(), line.end(), path), end; at != end; ++at, ++count) {
      const std::string name = (*at)[1];
      EXPECT_TRUE(std::filesystem::exists(root / "src" / name) ||
                  std::filesystem::exists(root / name))
          << "docs/architecture/where.md names " << name;
    }
  }
  EXPECT_GT(count, 100U) << "the index was not read";
}

}  // namespace folders_test
}  // namespace tilestep::model
