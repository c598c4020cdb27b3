// SPDX-License-Identifier: Apache-2.0
#include "model/export/shared_parts.h"

#include <array>
#include <map>
#include <optional>

#include "base/hash.h"

namespace tilestep::model {
namespace {

constexpr std::array<std::string_view, 4> kShapes{"<rect ", "<path ", "<text ", "<image "};
constexpr size_t kLeast = 80;    ///< In bytes. A shorter run is hardly longer than a reference.
constexpr size_t kLong = 500;    ///< In bytes. A longer line, such as an image, is a separate run.
constexpr uint64_t kPerRun = 8;  ///< The average number of lines per run.

/// A part of a picture: a run of shapes, which can be shared, or anything else, which is never
/// shared.
struct Run {
  std::string_view text;
  bool shapes = false;
};

bool isShape(std::string_view line) {
  if (line.find("url(#") != std::string_view::npos) return false;
  for (const std::string_view start : kShapes)
    if (line.starts_with(start)) return true;
  return false;
}

/// The end of a run depends only on the content of its last line, so that equal lines form equal
/// runs wherever they occur.
std::vector<Run> runsOf(std::string_view svg) {
  std::vector<Run> runs;
  bool open = false;
  for (size_t from = 0; from < svg.size();) {
    const size_t end = std::min(svg.find('\n', from), svg.size() - 1) + 1;
    const std::string_view line = svg.substr(from, end - from);
    const bool shape = isShape(line);
    const bool alone = line.size() > kLong;
    if (open && !alone && runs.back().shapes == shape)
      runs.back().text = {runs.back().text.data(), runs.back().text.size() + line.size()};
    else
      runs.push_back({line, shape});
    open = !alone && (!shape || fnv1a64(line) % kPerRun != 0);
    from = end;
  }
  return runs;
}

}  // namespace

SharedParts shareParts(const std::vector<std::string_view>& svgs) {
  std::vector<std::vector<Run>> pictures;
  std::map<std::string_view, size_t> times;
  for (const std::string_view svg : svgs) {
    pictures.push_back(runsOf(svg));
    for (const Run& run : pictures.back())
      if (run.shapes && run.text.size() >= kLeast) ++times[run.text];
  }
  std::map<std::string_view, std::string> names;
  SharedParts shared;
  const auto written = [&](const Run& run) -> std::string {
    const auto found = times.find(run.text);
    if (!run.shapes || found == times.end() || found->second < 2) return std::string(run.text);
    const auto [name, fresh] = names.try_emplace(run.text, "g" + std::to_string(names.size()));
    if (fresh)
      shared.definitions += "<g id=\"" + name->second + "\">\n" + std::string(run.text) + "</g>\n";
    return "<use href=\"#" + name->second + "\"/>\n";
  };
  for (const std::vector<Run>& runs : pictures) {
    std::string svg;
    for (const Run& run : runs) svg += written(run);
    shared.svgs.push_back(std::move(svg));
  }
  if (!shared.definitions.empty())
    shared.definitions =
        "<svg class=\"unseen\" aria-hidden=\"true\" width=\"0\" height=\"0\"><defs>\n" +
        shared.definitions + "</defs></svg>\n";
  return shared;
}

}  // namespace tilestep::model
