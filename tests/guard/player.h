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

/// Plays a script in a new window, and notes what the guard compares. A script's lines:
///
///   # a remark
///   start device=auto kernel=matmul_tiled beside=none size=64 TILE_WIDTH=8 home=copy
///                        opens the window; optional, only as the first line;
///                        the default device is the interpreter
///   key space shift+T    keys, with a frame after each
///   look WORDS           waits until nothing moves, and notes the window's state
///   await /sweep/points 6   waits until the state has this value there
///   answers 2            lets two answers arrive, and no more until the line ends
///   frames 5             five frames of 0.05 s by the window's clock
///   save                 notes what would be saved for the next start
///   reopen               closes the window and opens another in the saved state
///   edit kernels/matmul_tiled.cu "from" "to"   changes a file of a home that is a copy
///
/// and the commands of guard/commands.cpp. A line's parts between | are executed without a frame in
/// between.
class Player {
 public:
  explicit Player(std::string gesture);

  /// False if it cannot go on; trouble() says why.
  bool play();
  [[nodiscard]] const std::string& trouble() const { return trouble_; }

  [[nodiscard]] const std::vector<Appearance>& looks() const { return looks_; }
  /// The script's lines that caused requests, each followed by its requests.
  [[nodiscard]] std::string requests() const;
  /// Files by the ending of their stored names: "window.toml", "pins.toml", "sweep.csv".
  [[nodiscard]] std::map<std::string, std::string> files() const;

 private:
  void start(const std::vector<std::string>& words);
  void open();
  void takeLine(const std::string& line);
  void takePart(const std::string& part, bool alone);
  /// Whether the player knows the first word.
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
