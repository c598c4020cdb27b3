// SPDX-License-Identifier: Apache-2.0
#include "guard/player.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <utility>

#include "features/sweeps/sweep_samples.h"
#include "guard/commands.h"
#include "lab/points/points_file.h"
#include "model/choice/pins.h"
#include "model/files/saved.h"
#include "stored/stored_results.h"
#include "support/known_fonts.h"
#include "support/source_root.h"
#include "ui/shell/saved_file.h"

namespace tilestep::tests {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using Words = std::vector<std::string>;

constexpr int kWidth = 1600, kHeight = 1000;

std::vector<std::string> partsOf(const std::string& line) {
  std::vector<std::string> parts;
  const std::string between = " | ";
  size_t from = 0;
  for (size_t at = 0; (at = line.find(between, from)) != std::string::npos; from = at + 3)
    parts.push_back(line.substr(from, at - from));
  parts.push_back(line.substr(from));
  return parts;
}

}  // namespace

Player::Player(std::string gesture) : gesture_(std::move(gesture)) {}

bool Player::play() {
  std::ifstream file(guardFolder() / "gestures" / (gesture_ + ".txt"));
  for (std::string line; trouble_.empty() && std::getline(file, line);) {
    if (line.empty() || line.front() == '#') continue;
    line_ = line;
    log_->push_back("> " + line);
    takeLine(line);
  }
  if (trouble_.empty() && !line_.starts_with("look")) look("at the end");
  return trouble_.empty();
}

void Player::fail(const std::string& why) {
  if (trouble_.empty()) trouble_ = "\"" + line_ + "\": " + why;
}

void Player::start(const Words& words) {
  options_.home = support::sourceRoot();
  options_.device = "simt";
  for (size_t i = 1; i < words.size(); ++i) {
    const size_t end = words[i].find('=');
    const std::string name = words[i].substr(0, end), value = words[i].substr(end + 1);
    if (name == "home")
      home_.emplace();
    else if (name == "device")
      options_.device = value;
    else if (name == "kernel")
      options_.kernel = value;
    else if (name == "beside")
      options_.comparison.kernel = value;
    else if (name == "size")
      for (const char* size : {"m", "n", "k"}) options_.sizes[size] = std::stoll(value);
    else
      options_.tunables[name] = std::stoll(value);
  }
  if (home_) options_.home = home_->folder().string();
  options_.shippedTuned = options_.home + "/assets/tuned";
  options_.pointsFile = scratch_.path("points.db");
  open();
}

void Player::open() {
  HeadlessWishes wishes;
  wishes.motion = true;  // As when the program opens.
  wishes.wrap = [this](std::unique_ptr<worker::Client> client) {
    return logged(std::move(client), options_.home, log_);
  };
  window_ = std::make_unique<HeadlessWindow>(options_, kWidth, kHeight, wishes);
  window_->frame();
  if (window_->compiler() != kStoredCompiler)
    fail("the worker uses " + window_->compiler() + " and not " + kStoredCompiler);
  // The paths of the tree and of the temporary folders differ.
  replacements_ = {
      {options_.home, "(home)"}, {support::sourceRoot(), "(tree)"}, {scratch_.path(), "(scratch)"}};
}

void Player::takeLine(const std::string& line) {
  const Words words = wordsOf(line);
  if (words.front() == "start") return start(words);
  if (!window_) start({});
  const std::vector<std::string> parts = partsOf(line);
  for (const std::string& part : parts)
    if (trouble_.empty()) takePart(part, parts.size() == 1);
  window_->frame();
}

void Player::takePart(const std::string& part, bool alone) {
  const Words words = wordsOf(part);
  if (ownCommand(words, part, alone)) return;
  if (const std::string why = doCommand(*window_, words); !why.empty()) fail(why);
}

bool Player::ownCommand(const Words& words, const std::string& part, bool alone) {
  const std::string& what = words.front();
  if (what == "key") {
    pressKeys(words, alone);
  } else if (what == "look") {
    look(part.size() > 5 ? part.substr(5) : "");
  } else if (what == "await") {
    await(words.at(1), words.at(2));
  } else if (what == "answers") {
    if (!window_->takeSome(std::stoul(words.at(1)))) fail("the answers never arrived");
  } else if (what == "frames") {
    for (int i = 0; i < std::stoi(words.at(1)); ++i) window_->frame();
  } else if (what == "save") {
    files_["window.toml"] = maskedText(savedText(), replacements_);
  } else if (what == "reopen") {
    reopen();
  } else if (what == "edit") {
    home_->write(words.at(1),
                 support::replaced(home_->read(words.at(1)), words.at(2), words.at(3)));
  } else {
    return false;
  }
  return true;
}

void Player::pressKeys(const Words& words, bool alone) {
  for (size_t i = 1; i < words.size(); ++i) {
    window_->key(words[i]);
    if (alone) window_->frame();
  }
}

bool Player::settle() {
  // A timeline is requested after 0.4 s, and ImGui settles in a few frames.
  constexpr int kStill = 14;
  constexpr double kPatienceSeconds = 100;
  const double end = window_->now() + kPatienceSeconds;
  std::string last;
  for (int still = 0; window_->now() < end;) {
    const bool moves = window_->frame() || window_->session().snapshot()->busy.questions;
    std::string state = window_->state();
    still = moves || state != last ? 0 : still + 1;
    last = std::move(state);
    if (still < kStill) continue;
    // Only this call shows whether another thread is still reading a recording.
    if (window_->staysQuiet()) return true;
    still = 0;
  }
  fail("the window never settled");
  return false;
}

json Player::stateNow() const {
  return maskedState(window_->state(), replacements_);
}

void Player::look(const std::string& words) {
  if (settle()) looks_.push_back({words, stateNow()});
}

/// settle() first sends the delayed requests, so that the order of requests does not depend on how
/// long this function waits.
void Player::await(const std::string& pointer, const std::string& value) {
  if (!settle()) return;
  const auto end = std::chrono::steady_clock::now() + kPatience;
  const json::json_pointer where(pointer);
  json wanted = json::parse(value, nullptr, false);
  if (wanted.is_discarded()) wanted = value;
  json now;
  while (std::chrono::steady_clock::now() < end) {
    const json state = json::parse(window_->state());
    if (state.contains(where)) now = state.at(where);
    if (now == wanted) return;
    (void)window_->staysQuiet();
    window_->frame();
  }
  fail("the value never matched; it is " + now.dump());
}

std::string Player::savedText() const {
  model::Saved saved = window_->session().saved();
  ui::addWindow(saved, window_->ui());
  saved.width = kWidth;
  saved.height = kHeight;
  return model::toToml(saved);
}

void Player::reopen() {
  const auto saved = model::parseSaved(savedText(), "saved");
  if (!saved) return fail(saved.error().message);
  model::SessionOptions options;
  options.home = options_.home;
  options.shippedTuned = options_.shippedTuned;
  options.pointsFile = options_.pointsFile;
  options.saved = *saved;
  options.pins = window_->session().pins();
  if (options.pins) {
    auto pins = model::parsePins(model::toToml(*options.pins), "pins");
    if (!pins) return fail(pins.error().message);
    options.pins = std::make_shared<const model::Pins>(std::move(*pins));
  }
  window_.reset();
  options_ = options;
  open();
}

std::string Player::requests() const {
  std::string text, scriptLine;
  for (const std::string& line : *log_) {
    if (line.starts_with("> ")) {
      scriptLine = line + "\n";
      continue;
    }
    text += std::exchange(scriptLine, "") + line + "\n";
  }
  return maskedText(text, replacements_);
}

namespace {

/// The rows of the user's points without their dates, one per line.
std::string keptPoints(const std::string& file) {
  const auto database = lab::openPoints(file);
  if (!database) return database.error().message;
  std::vector<std::string> columns{
      "kernel", "code", "arch", "compiler", "device", "launch", "sizes_and_tunables", "median_ms"};
  for (const features::KeptCount& count : features::kKeptCounts) columns.emplace_back(count.name);
  columns.insert(columns.end(), {"reason", "made_by"});
  std::string cells = "''";
  for (const std::string& column : columns)
    cells += " || '\n  " + column + "=' || ifnull(" + column + ", '')";
  std::string text;
  (void)database->run("SELECT " + cells + " FROM points", {},
                      [&](const lab::SqlRow& row) { text += "point" + row.text(0) + "\n"; });
  return text;
}

}  // namespace

std::map<std::string, std::string> Player::files() const {
  std::map<std::string, std::string> files = files_;
  if (const model::PinsPointer& pins = window_->session().pins())
    files["pins.toml"] = maskedPins(model::toToml(*pins));
  const std::string points = fs::exists(options_.pointsFile) ? keptPoints(options_.pointsFile) : "";
  if (!points.empty()) files["points.txt"] = points;
  return files;
}

}  // namespace tilestep::tests
