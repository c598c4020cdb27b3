// SPDX-License-Identifier: Apache-2.0
#include "ui/page/two_tone.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <optional>

namespace tilestep::ui {
namespace {

constexpr std::array<std::string_view, 2> kPaints{"fill", "stroke"};
constexpr std::string_view kImage = "<image";
constexpr size_t kHexSigns = 7;  // "#0f1318"

bool takes(std::string_view& text, std::string_view start) {
  if (!text.starts_with(start)) return false;
  text.remove_prefix(start.size());
  return true;
}

/// Removes `fill="#0f1318" fill-opacity="0.5"` from the start of the text; returns "#0f131880".
std::optional<std::string> takePaint(std::string_view& text, std::string_view what) {
  std::string_view rest = text;
  const std::string name(what);
  if (!takes(rest, " " + name + "=\"#") || rest.size() < kHexSigns) return std::nullopt;
  std::string colour = "#" + std::string(rest.substr(0, kHexSigns - 1));
  rest.remove_prefix(kHexSigns - 1);
  if (!takes(rest, "\"")) return std::nullopt;
  if (takes(rest, " " + name + "-opacity=\"")) {
    const size_t end = rest.find('"');
    if (end == std::string_view::npos) return std::nullopt;
    const double opacity = std::strtod(std::string(rest.substr(0, end)).c_str(), nullptr);
    rest.remove_prefix(end + 1);
    char alpha[8];
    std::snprintf(alpha, sizeof alpha, "%02x", static_cast<unsigned>(std::lround(255 * opacity)));
    colour += alpha;
  }
  text = rest;
  return colour;
}

size_t numberOf(const model::PageColour& colour, std::vector<model::PageColour>& colours) {
  const auto at = std::ranges::find(colours, colour) - colours.begin();
  if (at == std::ssize(colours)) colours.push_back(colour);
  return static_cast<size_t>(at);
}

/// Removes the image at the start of each text. Returns one image if they are equal. Otherwise it
/// returns both, and the page shows the one that fits its theme.
std::string takeImages(std::string_view& light, std::string_view& dark) {
  const auto take = [](std::string_view& text) {
    const std::string_view image = text.substr(0, text.find('>') + 1);
    text.remove_prefix(image.size());
    return std::string(image);
  };
  const auto shownIn = [](std::string image, const char* appearance) {
    return image.insert(kImage.size(), std::string(" class=\"") + appearance + "\"");
  };
  const std::string one = take(light), other = take(dark);
  return one == other ? one : shownIn(one, "in-light") + shownIn(other, "in-dark");
}

}  // namespace

std::string twoTone(std::string_view light, std::string_view dark,
                    std::vector<model::PageColour>& colours) {
  std::vector<model::PageColour> all = colours;
  const std::string_view plain = light;
  std::string merged;
  while (!light.empty() && !dark.empty()) {
    bool painted = false;
    for (const std::string_view what : kPaints) {
      if (light.front() != ' ') break;
      const std::optional<std::string> one = takePaint(light, what);
      const std::optional<std::string> other = takePaint(dark, what);
      if (one.has_value() != other.has_value()) return std::string(plain);
      if (!one) continue;
      merged += " " + std::string(what) + "=\"var(--p" +
                std::to_string(numberOf({*one, *other}, all)) + ")\"";
      painted = true;
    }
    if (painted) continue;
    if (light.starts_with(kImage) && dark.starts_with(kImage)) {
      merged += takeImages(light, dark);
      continue;
    }
    if (light.front() != dark.front()) return std::string(plain);
    merged += light.front();
    light.remove_prefix(1);
    dark.remove_prefix(1);
  }
  if (!light.empty() || !dark.empty()) return std::string(plain);
  colours = std::move(all);
  return merged;
}

}  // namespace tilestep::ui
