// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace tilestep::ui {

/// The window's initial state and its files, as given on the command line.
struct WindowOptions {
  std::string home;                      ///< The folder that holds kernels/, shaders/ and assets/.
  std::string ownKernels;                ///< The folder of the user's own kernels; empty: none.
  std::string cacheFolder;               ///< Empty: nothing is kept on disk.
  std::string program;                   ///< A program's or a kernel's file to open; empty: none.
  std::string programFolder;             ///< Keeps unsaved texts of programs; empty: none are kept.
  std::string kernel;                    ///< Name or path; empty: matmul_tiled.
  std::map<std::string, int64_t> sizes;  ///< For the measurement, and for the scene while small.
  std::map<std::string, int64_t> tunables;  ///< Missing names take the kernel's defaults.
  std::string device = "auto";
  std::string entry,
      comparisonEntry;     ///< Entry functions in the kernels' files; empty: not chosen.
  std::string comparison;  ///< Kernel to compare with: name, path, "none"; empty: the usual one.
  std::map<std::string, int64_t> comparisonTunables;  ///< Its own; others follow the main kernel's.
  std::string workerCommand;                          ///< Empty: this program with `worker`.
  std::string lesson;                                 ///< A lesson's file to open; empty: none.
  std::string pictureFolder;  ///< If not empty, the lesson is played without a user, one PNG per
                              ///< step (NN-slug.png) is saved here, and the window closes.
  std::string pageFile;       ///< The same for a web page: the file that all steps are written to.
  std::string pdfFile;        ///< The same for a PDF with a page for each step.
  std::string pointsFile;    ///< The user's points; empty: none are kept between runs.
  std::string shippedTuned;  ///< The folder of the shipped best tunables.
  std::string sweepFile;    ///< A file of points that is shown first; empty: none.
  std::string savedFile;    ///< The state of the last run; empty: nothing is restored or kept.
  std::string pinsFile;     ///< The pinned runs; empty: none are restored or kept.
  std::string frameLog;     ///< A CSV file for the cost of each frame; empty: none.
  bool lab = false;       ///< Begins with everything (the lab's density), without the first minute.
  std::string stateFile;  ///< A JSON file for the state (ui/shell/state_file.h); empty: none.
};

/// Opens the window and returns the exit status when it is closed: 0, or 1 if a step of a played
/// lesson could not be shown whole or a file could not be written. Prints one sentence on standard
/// error and returns 2 if there is no display or no OpenGL 3.3, if a lesson is damaged, or if its
/// PDF cannot be made here. Call from the main thread.
int runWindow(const WindowOptions& options);

}  // namespace tilestep::ui
