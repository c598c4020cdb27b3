// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "guard/kept.h"
#include "guard/masks.h"
#include "guard/request_log.h"
#include "model/session_options.h"
#include "support/service.h"
#include "support/tool.h"
#include "ui/headless_window.h"

namespace tilestep::tests {

/// Plays a script in a window and records what the guard compares. The lines of a script:
///
///   # a remark
///   start device=auto kernel=matmul_tiled beside=none size=64 TILE_WIDTH=8 home=copy
///                        opens the window; only as the first line; each part may be missing;
///                        the default device is the interpreter
///   key space shift+T    presses keys, with a frame after each
///   look WORDS           waits until the window has settled, and records its state
///   await /sweep/points 6   waits until this field of the state has this value
///   answers 2            lets only two answers arrive until the line has ended
///   frames 5             draws 5 frames, 0.05 s each by the window's clock
///   save                 records what would be saved for the next start
///   reopen               closes the window and opens it again from its saved state
///   edit kernels/matmul_tiled.cu "from" "to"   changes a file, if home=copy
///
/// and the commands of guard/commands.cpp. No frame is drawn between parts separated by |.
class Player {
 public:
  explicit Player(std::string gesture);

  /// False if the script cannot continue; trouble() gives the reason.
  bool play();
  [[nodiscard]] const std::string& trouble() const { return trouble_; }

  [[nodiscard]] const std::vector<Appearance>& looks() const { return looks_; }
  /// The script's lines that led to requests, each followed by its requests.
  [[nodiscard]] std::string requests() const;
  /// The saved files, by the ending of the kept name: "window.toml", "pins.toml", "sweep.csv".
  [[nodiscard]] std::map<std::string, std::string> files() const;

 private:
  void start(const std::vector<std::string>& words);
  void open();
  void takeLine(const std::string& line);
  void takePart(const std::string& part, bool alone);
  /// True if the player itself executes the command.
  bool ownCommand(const std::vector<std::string>& words, const std::string& part, bool alone);
  void pressKeys(const std::vector<std::string>& words, bool alone);
  void look(const std::string& words);
  bool settle();
  void await(const std::string& pointer, const std::string& value);
  void reopen();
  [[nodiscard]] std::string savedText() const;
  [[nodiscard]] nlohmann::json stateNow() const;
  void fail(const std::string& why);

  std::string gesture_, line_, trouble_;
  support::TemporaryFolder scratch_{"guard"};
  std::optional<support::HomeCopy> home_;
  model::SessionOptions options_;
  std::shared_ptr<RequestLog> log_ = std::make_shared<RequestLog>();
  std::unique_ptr<HeadlessWindow> window_;
  Replacements replacements_;
  std::vector<Appearance> looks_;
  std::map<std::string, std::string> files_;
};

}  // namespace tilestep::tests
