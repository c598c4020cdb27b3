// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace tilestep::ui {

/// What the window starts with; the command line presets it.
struct WindowOptions {
  std::string home;                         ///< Holds kernels/, shaders/ and assets/.
  std::string cacheFolder;                  ///< Empty: nothing is kept on disk.
  std::string kernel;                       ///< Name in kernels/ or a path; empty: matmul_tiled.
  std::map<std::string, int64_t> sizes;     ///< What is measured; the scene's too while small.
  std::map<std::string, int64_t> tunables;  ///< Missing names take the kernel's defaults.
  std::string device = "auto";
  std::string entry, besideEntry;  ///< Of the kernels' files; empty: not chosen.
  std::string beside;              ///< A kernel's name or path, "none", or empty: the usual.
  std::map<std::string, int64_t> besideTunables;  ///< Its own; the others follow the kernel's.
  std::string workerCommand;                      ///< Empty: this program with `worker`.
  std::string lesson;                             ///< A lesson's file to open; empty: none.
  std::string pictureFolder;  ///< Not empty: the lesson's steps are gone through by themselves, a
                              ///< PNG a step (NN-slug.png) is kept here, and the window closes.
  std::vector<std::string> tunedFolders;  ///< Of the best tunables, the user's own first.
  std::string sweepFolder;  ///< Keeps points of sweeps between runs; empty: nothing does.
  std::string sweepFile;    ///< A file of points that is shown first; empty: none.
  std::string savedFile;    ///< What the window showed last; empty: nothing is restored or kept.
  std::string pinsFile;     ///< The pinned runs; empty: none are restored or kept.
  std::string frameLog;     ///< Where to write what each frame took, as CSV; empty: nowhere.
  std::string stateFile;    ///< Where to keep the window's state as JSON (ui/shell/state_file.h).
};

/// Opens the window and returns when it is closed: 0. Where there is no display or no OpenGL 3.3 it
/// prints one sentence on standard error and returns 2; so where a lesson is damaged. A lesson that
/// was played returns 1 where a step could not be shown. Call from the main thread.
int runWindow(const WindowOptions& options);

}  // namespace tilestep::ui
