// SPDX-License-Identifier: Apache-2.0
#include "ui/shell/open_choice.h"

#include <algorithm>
#include <system_error>

namespace tilestep::ui {

namespace fs = std::filesystem;

std::vector<std::string> entriesOf(const fs::path& folder) {
  std::vector<std::string> folders, files;
  std::error_code failed;
  for (fs::directory_iterator at(folder, failed), end; !failed && at != end; at.increment(failed)) {
    const std::string name = at->path().filename().string();
    std::error_code unknown;
    if (name.starts_with('.')) continue;
    if (at->is_directory(unknown))
      folders.push_back(name + "/");
    else if (name.ends_with(".cu"))
      files.push_back(name);
  }
  std::ranges::sort(folders);
  std::ranges::sort(files);
  if (folder.has_parent_path() && folder != folder.root_path())
    folders.insert(folders.begin(), "../");
  folders.insert(folders.end(), files.begin(), files.end());
  return folders;
}

fs::path chosenFile(const OpenDialog& dialog, const std::vector<std::string>& recent) {
  if (dialog.path.empty()) {
    auto at = static_cast<size_t>(dialog.at);
    if (at < recent.size()) return recent[at];
    at -= recent.size();
    return at < dialog.entries.size() ? fs::path(dialog.folder) / dialog.entries[at] : fs::path();
  }
  std::error_code failed;
  const fs::path typed = fs::path(dialog.folder) / dialog.path;
  const fs::path named = typed.string() + ".cu";
  if (fs::exists(named, failed)) return named;
  if (fs::exists(typed, failed)) return typed;
  for (const std::string& entry : dialog.entries)
    if (entry.starts_with(dialog.path)) return fs::path(dialog.folder) / entry;
  return typed;
}

}  // namespace tilestep::ui
