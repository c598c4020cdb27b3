// SPDX-License-Identifier: Apache-2.0
#include "support/browser.h"

#include <gtest/gtest.h>

#include <sstream>

#include "support/skips.h"

namespace tilestep::support {

Browser::Browser() {
  for (const char* name : {"chromium", "chromium-browser", "google-chrome"})
    if (program_.empty()) program_ = findProgram(name);
  if (program_.empty()) why_ = because(kNoBrowser, "chromium is not installed");
}

Browser::Seen Browser::open(const std::filesystem::path& file, const std::string& fragment,
                            const Words& options) const {
  Words words{program_,
              "--headless",
              "--no-sandbox",  // A container's root user has no sandbox.
              "--disable-gpu",
              "--disable-background-networking",
              "--no-first-run",
              "--allow-file-access-from-files",  // A page may access another page in its frame.
              "--touch-events=enabled",
              "--enable-logging=stderr",
              "--virtual-time-budget=5000",
              "--user-data-dir=" + profile_.path()};
  words.insert(words.end(), options.begin(), options.end());
  words.insert(words.end(), {"--dump-dom", "file://" + file.string() + fragment});
  const Finished finished = Running(words).wait();
  EXPECT_EQ(finished.status, 0) << finished.err;
  Seen seen{finished.out, {}};
  std::istringstream lines(finished.err);
  for (std::string line; std::getline(lines, line);)
    if (line.find("CONSOLE") != std::string::npos) seen.messages += line + "\n";
  return seen;
}

}  // namespace tilestep::support
