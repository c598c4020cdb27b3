// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace tilestep::ui {

/// The window's initial state and its files, as given on the command line.
struct WindowOptions {
  std::string home;           ///< The folder that holds kernels/, shaders/ and assets/.
  std::string ownKernels;     ///< The folder of the user's own kernels; empty if none.
  std::string cacheFolder;    ///< The folder of the disk cache; empty for no disk cache.
  std::string program;        ///< The file of a program or kernel to open; empty if none.
  std::string programFolder;  ///< For unsaved program texts; empty if they are not kept.
  std::string kernel;         ///< Name or path; empty means matmul_tiled.
  std::map<std::string, int64_t> sizes;     ///< For the measurement, and for the scene if small.
  std::map<std::string, int64_t> tunables;  ///< Other tunables have the kernel's defaults.
  std::string device = "auto";
  std::string entry,
      comparisonEntry;  ///< Entry functions in the kernels' files; empty means the default.
  std::string
      comparison;  ///< Kernel to compare with: name, path, "none"; empty means the usual one.
  std::map<std::string, int64_t> comparisonTunables;  ///< The compared kernel's own values; its
                                                      ///< other tunables follow the main kernel.
  std::string workerCommand;                          ///< Empty means this program with `worker`.
  std::string lesson;                                 ///< The lesson file to open; empty if none.
  std::string pictureFolder;  ///< If not empty, the lesson is played without a user, one PNG per
                              ///< step (NN-slug.png) is saved here, and the window closes.
  std::string pageFile;       ///< The same for a web page: the file to which all steps are written.
  std::string pdfFile;        ///< The same for a PDF with one page per step.
  std::string pointsFile;     ///< The user's points; empty means none are kept between runs.
  std::string shippedTuned;   ///< The folder of the shipped best tunables.
  std::string sweepFile;      ///< A file of points to show first; empty if none.
  std::string savedFile;      ///< The state of the last run; empty if nothing is restored or kept.
  std::string pinsFile;       ///< The pinned runs; empty if none are restored or kept.
  std::string frameLog;       ///< A CSV file for the cost of each frame; empty if none.
  bool lab = false;           ///< Starts in the lab's density, without the first-minute tour.
  std::string stateFile;      ///< The JSON state file (ui/shell/state_file.h); empty if none.
};

/// Opens the window and returns the exit status after it is closed: 0, or 1 if a step of a played
/// lesson could not be shown completely or a file could not be written. Prints one sentence to
/// standard error and returns 2 if there is no display or no OpenGL 3.3, if a lesson is damaged, or
/// if a requested PDF cannot be made here. Call from the main thread.
int runWindow(const WindowOptions& options);

}  // namespace tilestep::ui
