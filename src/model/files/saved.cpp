// SPDX-License-Identifier: Apache-2.0
#include "model/files/saved.h"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <sstream>

#include "model/files/checked_toml.h"

namespace tilestep::model {
namespace {

constexpr size_t kLongestName = 4096;
constexpr size_t kMostNames = 256;  ///< Of kernels, tunables or sizes.
constexpr int kWidest = 32768;      ///< Pixels.
constexpr int kLeastSide = 200;     ///< Likewise, of the window.
constexpr int64_t kLargestNumber = int64_t{1} << 40;
constexpr std::array<const char*, 4> kGrains{"phase", "epoch", "event", "thread"};
constexpr size_t kThreadGrain = 3;
constexpr std::array<const char*, kThemes> kThemeNames{"dark", "light", "high-contrast"};
constexpr std::array<const char*, kPlots> kPlotNames{"story",   "roofline", "gains",
                                                     "traffic", "history",  "occupancy"};
constexpr std::array<const char*, kStages> kStageNames{"scene",  "roofline", "live",
                                                       "sweeps", "timeline", "runs"};
constexpr std::array<const char*, kOccupancyCurves> kCurveNames{"tunable", "threads", "registers",
                                                                "shared"};
constexpr std::array<const char*, kRoofFocuses> kFocusNames{"nearest", "lanes", "l1",
                                                            "l2",      "dram",  "shared"};
constexpr std::array<const char*, kSweepKinds> kSweepKindNames{"tunable", "shapes", "sizes",
                                                               "ladder"};
constexpr std::array<const char*, kSweepQuantities> kQuantityNames{
    "automatic", "speed", "time", "asked", "sectors", "wavefronts"};
constexpr std::array<const char*, kPanels> kPanelNames{"controls", "measures", "source"};

toml::table tableOf(const Sizes& sizes) {
  return toml::table{{"linked", sizes.linked}, {"sizes", bindingsTable(sizes.values)}};
}

toml::table tableOf(const SavedCamera& camera) {
  return toml::table{{"zoom", camera.zoom}, {"x", camera.x}, {"y", camera.y}};
}

toml::table tableOf(const Appearance& look, const std::optional<SavedCamera>& camera) {
  toml::table table{{"theme", kThemeNames[static_cast<size_t>(look.theme)]},
                    {"scale", look.scale},
                    {"controls_width", look.controlsWidth},
                    {"measures_width", look.measuresWidth},
                    {"source_height", look.sourceHeight}};
  toml::table panels, asked;
  for (size_t i = 0; i < kPanels; ++i) {
    panels.insert(kPanelNames[i], look.panels[i].wanted);
    asked.insert(kPanelNames[i], static_cast<int64_t>(look.panels[i].asked));
  }
  table.insert("panels", std::move(panels));
  table.insert("asked", std::move(asked));
  if (camera) table.insert("camera", tableOf(*camera));
  return table;
}

toml::table tableOf(const ViewOptions& switches) {
  return toml::table{
      {"stage", kStageNames[static_cast<size_t>(switches.stage)]},
      {"motion", switches.motion},
      {"companion_source", switches.companionSource},
      {"warp_view", switches.warpView},
      {"front_matter", switches.frontMatter},
      {"whole_grid", switches.wholeGrid},
      {"thread_view", switches.threadView},
      {"ptx_view", switches.ptxView},
      {"occupancy_alone", switches.occupancyAlone},
      {"occupancy_curve", kCurveNames[switches.occupancyCurve]},
      {"roof_focus", kFocusNames[static_cast<size_t>(switches.roofFocus)]},
      {"sweep_kind", kSweepKindNames[static_cast<size_t>(switches.sweep.kind)]},
      {"sweep_quantity", kQuantityNames[static_cast<size_t>(switches.sweep.quantity)]},
      {"sweep_axes", static_cast<int64_t>(switches.sweep.axes)},
      {"plot", kPlotNames[static_cast<size_t>(switches.plot)]}};
}

toml::table tableOf(const Place& place) {
  const size_t grain = place.ofThread ? kThreadGrain : static_cast<size_t>(place.grain);
  toml::table table{{"grain", kGrains[grain]},
                    {"step", static_cast<int64_t>(place.step)},
                    {"speed", place.speed},
                    {"table", place.table}};
  if (place.lesson.empty()) return table;
  table.insert("lesson", place.lesson);
  table.insert("lesson_step", static_cast<int64_t>(place.lessonStep));
  return table;
}

toml::table tableOf(const std::map<std::string, compile::Bindings>& tunables) {
  toml::table table;
  for (const auto& [kernel, values] : tunables) table.insert(kernel, bindingsTable(values));
  return table;
}

toml::table tableOf(const std::map<std::string, std::string>& entries) {
  toml::table table;
  for (const auto& [kernel, entry] : entries) table.insert(kernel, entry);
  return table;
}

toml::table tableOf(const Comparison& beside, const std::string& file) {
  toml::table table{{"kernel", beside.kernel}, {"tunables", tableOf(beside.tunables)}};
  if (beside.block) table.insert("block", arrayOf(*beside.block));
  if (!file.empty()) table.insert("file", file);
  return table;
}

toml::table tableOf(const Choice& choice, const std::string& kernelFile,
                    const std::string& besideFile) {
  toml::table table{{"kernel", choice.kernel},
                    {"device", choice.device},
                    {"roof_device", choice.roofDevice},
                    {"elsewhere", choice.elsewhere},
                    {"assumed_registers", static_cast<int64_t>(choice.assumedRegisters)},
                    {"block", arrayOf(choice.block)},
                    {"scene", tableOf(choice.scene)},
                    {"measure", tableOf(choice.measure)},
                    {"without_barrier", static_cast<int64_t>(choice.withoutBarrier)},
                    {"beside", tableOf(choice.beside, besideFile)},
                    {"tunables", tableOf(choice.tunables)}};
  if (!choice.entries.empty()) table.insert("entries", tableOf(choice.entries));
  if (choice.thread) table.insert("thread", arrayOf(*choice.thread));
  if (!kernelFile.empty()) table.insert("file", kernelFile);
  return table;
}

/// Typed access with ranges on top of TomlReader's.
class Reader : CheckedToml {
 public:
  using CheckedToml::CheckedToml;

  Result<Saved> read(const toml::table& root) {
    toml_.onlyKeys(root, {"version", "experiment", "place", "window"}, "the file");
    if (whole(root, "version", 0, 0, 1 << 20) != Saved::kVersion)
      fail(root, "version", "version is not 1, the only one that this program reads");
    if (const toml::table* table = tableIn(root, "experiment")) readExperiment(*table);
    if (const toml::table* table = tableIn(root, "place")) readPlace(*table);
    if (const toml::table* table = tableIn(root, "window")) readWindow(*table);
    if (toml_.error()) return *toml_.error();
    return std::move(saved_);
  }

 private:
  const toml::table* tableIn(const toml::table& table, const char* key) {
    const toml::node* node = table.get(key);
    if (node == nullptr) return nullptr;
    if (!node->is_table()) fail(table, key, std::string(key) + " is a table");
    return node->as_table();
  }

  float real(const toml::table& table, const char* key, float fallback, float low, float high) {
    return static_cast<float>(number(table, key, fallback, low, high));
  }

  bool flag(const toml::table& table, const char* key, bool fallback) {
    const toml::node* node = table.get(key);
    if (node == nullptr) return fallback;
    if (const auto value = node->value_exact<bool>()) return *value;
    fail(table, key, std::string(key) + " is true or false");
    return fallback;
  }

  std::string name(const toml::table& table, const char* key, std::string fallback) {
    std::string value = toml_.text(table, key, std::move(fallback));
    if (value.size() > kLongestName || value.find('\0') != std::string::npos)
      fail(table, key, std::string(key) + " is no name: too long, or with a zero byte");
    return value;
  }

  template <size_t N>
  size_t oneOf(const toml::table& table, const char* key, const std::array<const char*, N>& names,
               size_t fallback) {
    const std::string value = toml_.text(table, key, names[fallback]);
    std::string all;
    for (size_t i = 0; i < N; ++i) {
      if (value == names[i]) return i;
      all += (i == 0 ? "" : ", ") + std::string(names[i]);
    }
    fail(table, key, std::string(key) + " is one of: " + all);
    return fallback;
  }

  compile::Bindings bindings(const toml::table& table, const char* what) {
    compile::Bindings values;
    if (table.size() > kMostNames) toml_.fail(table, std::string("too many ") + what);
    for (const auto& [key, node] : table) {
      const std::string name(key.str());
      const std::optional<int64_t> value = node.value_exact<int64_t>();
      if (name.empty() || name.size() > kLongestName || !value || *value < -kLargestNumber ||
          *value > kLargestNumber)
        toml_.fail(node, "each of the " + std::string(what) + " is a name and a whole number");
      else
        values[name] = *value;
    }
    return values;
  }

  Sizes sizes(const toml::table& parent, const char* key) {
    Sizes sizes;
    const toml::table* table = tableIn(parent, key);
    if (table == nullptr) return sizes;
    toml_.onlyKeys(*table, {"linked", "sizes"}, key);
    sizes.linked = flag(*table, "linked", true);
    if (const toml::table* values = tableIn(*table, "sizes"))
      sizes.values = bindings(*values, "sizes");
    return sizes;
  }

  void readExperiment(const toml::table& table) {
    Choice& choice = saved_.choice;
    toml_.onlyKeys(
        table,
        {"kernel", "file", "device", "roof_device", "block", "thread", "scene", "measure",
         "without_barrier", "beside", "tunables", "elsewhere", "assumed_registers", "entries"},
        "experiment");
    choice.kernel = name(table, "kernel", choice.kernel);
    if (choice.kernel.empty()) fail(table, "kernel", "kernel is empty");
    choice.device = name(table, "device", choice.device);
    choice.roofDevice = name(table, "roof_device", "");
    choice.elsewhere = flag(table, "elsewhere", false);
    choice.assumedRegisters = static_cast<uint32_t>(whole(table, "assumed_registers", 0, 0, 255));
    saved_.kernelFile = name(table, "file", "");
    choice.scene = sizes(table, "scene");
    choice.measure = sizes(table, "measure");
    choice.withoutBarrier = static_cast<uint32_t>(whole(table, "without_barrier", 0, 0, 1'000'000));
    choice.block = index(table, "block").value_or(Dim3{0, 0, 0});
    choice.thread = index(table, "thread");
    choice.tunables = tunablesByKernel(table);
    choice.entries = entriesByKernel(table);
    if (const toml::table* beside = tableIn(table, "beside")) readBeside(*beside);
  }

  void readBeside(const toml::table& table) {
    toml_.onlyKeys(table, {"kernel", "file", "block", "tunables"}, "beside");
    Comparison& beside = saved_.choice.beside;
    beside.kernel = name(table, "kernel", beside.kernel);
    if (beside.kernel.empty()) fail(table, "kernel", "kernel is empty");
    saved_.besideFile = name(table, "file", "");
    beside.block = index(table, "block");
    beside.tunables = tunablesByKernel(table);
  }

  std::map<std::string, std::string> entriesByKernel(const toml::table& table) {
    std::map<std::string, std::string> entries;
    const toml::table* kernels = tableIn(table, "entries");
    if (kernels == nullptr) return entries;
    if (kernels->size() > kMostNames) toml_.fail(*kernels, "too many kernels");
    for (const auto& [key, node] : *kernels)
      entries[std::string(key.str())] = name(*kernels, std::string(key.str()).c_str(), "");
    return entries;
  }

  std::map<std::string, compile::Bindings> tunablesByKernel(const toml::table& table) {
    std::map<std::string, compile::Bindings> tunables;
    const toml::table* kernels = tableIn(table, "tunables");
    if (kernels == nullptr) return tunables;
    if (kernels->size() > kMostNames) toml_.fail(*kernels, "too many kernels");
    for (const auto& [key, node] : *kernels) {
      if (const toml::table* values = node.as_table())
        tunables[std::string(key.str())] = bindings(*values, "tunables");
      else
        toml_.fail(node, "tunables holds a table for each kernel");
    }
    return tunables;
  }

  std::optional<Dim3> index(const toml::table& table, const char* key) {
    if (!table.contains(key)) return std::nullopt;
    const std::vector<int64_t> values = toml_.integers(table, key);
    const auto isIndex = [](int64_t v) {
      return v >= 0 && v <= std::numeric_limits<int32_t>::max();
    };
    if (values.size() == 3 && std::ranges::all_of(values, isIndex)) {
      const auto at = [&](size_t i) { return static_cast<uint32_t>(values[i]); };
      return Dim3{at(0), at(1), at(2)};
    }
    fail(table, key, std::string(key) + " is three indices: [x, y, z]");
    return std::nullopt;
  }

  void readPlace(const toml::table& table) {
    Place& place = saved_.place;
    toml_.onlyKeys(table, {"grain", "step", "speed", "table", "lesson", "lesson_step"}, "place");
    const size_t grain = oneOf(table, "grain", kGrains, 1);
    place.ofThread = grain == kThreadGrain;
    place.grain =
        place.ofThread ? trace::StepGranularity::event : static_cast<trace::StepGranularity>(grain);
    place.table = flag(table, "table", false);
    place.step = static_cast<size_t>(whole(table, "step", 0, 0, kLargestNumber));
    place.speed = number(table, "speed", 1, 0.01, 1000);
    place.lesson = name(table, "lesson", "");
    place.lessonStep = static_cast<size_t>(whole(table, "lesson_step", 0, 0, 1000));
    if (place.lesson.empty() && place.lessonStep > 0)
      fail(table, "lesson_step", "lesson_step stands beside a lesson");
  }

  /// Of the window; 0 where it is not said or too small to see.
  int sideOf(const toml::table& table, const char* key) {
    const auto side = static_cast<int>(whole(table, key, 0, 0, kWidest));
    return side < kLeastSide ? 0 : side;
  }

  void readWindow(const toml::table& table) {
    toml_.onlyKeys(table, {"presenting", "width", "height", "switches", "desk", "presentation"},
                   "window");
    saved_.presenting = flag(table, "presenting", false);
    saved_.width = sideOf(table, "width");
    saved_.height = sideOf(table, "height");
    AppearanceSet& looks = saved_.choice.looks;
    if (const toml::table* desk = tableIn(table, "desk"))
      readLook(*desk, looks.desk, saved_.deskCamera);
    if (const toml::table* hall = tableIn(table, "presentation"))
      readLook(*hall, looks.presentation, saved_.presentationCamera);
    if (const toml::table* switches = tableIn(table, "switches"))
      readSwitches(*switches, looks.switches);
  }

  void readSwitches(const toml::table& table, ViewOptions& to) {
    toml_.onlyKeys(table,
                   {"stage", "motion", "companion_source", "warp_view", "front_matter",
                    "whole_grid", "thread_view", "ptx_view", "plot", "occupancy_alone",
                    "occupancy_curve", "roof_focus", "sweep_kind", "sweep_quantity", "sweep_axes"},
                   "switches");
    to.stage =
        static_cast<Stage>(oneOf(table, "stage", kStageNames, static_cast<size_t>(to.stage)));
    to.motion = flag(table, "motion", to.motion);
    to.companionSource = flag(table, "companion_source", to.companionSource);
    to.warpView = flag(table, "warp_view", to.warpView);
    to.frontMatter = flag(table, "front_matter", to.frontMatter);
    to.wholeGrid = flag(table, "whole_grid", to.wholeGrid);
    to.threadView = flag(table, "thread_view", to.threadView);
    to.ptxView = flag(table, "ptx_view", to.ptxView);
    to.occupancyAlone = flag(table, "occupancy_alone", to.occupancyAlone);
    to.occupancyCurve = oneOf(table, "occupancy_curve", kCurveNames, to.occupancyCurve);
    to.roofFocus = static_cast<RoofFocus>(
        oneOf(table, "roof_focus", kFocusNames, static_cast<size_t>(to.roofFocus)));
    SweepChoice& sweep = to.sweep;
    sweep.kind = static_cast<SweepKind>(
        oneOf(table, "sweep_kind", kSweepKindNames, static_cast<size_t>(sweep.kind)));
    sweep.quantity = static_cast<SweepQuantity>(
        oneOf(table, "sweep_quantity", kQuantityNames, static_cast<size_t>(sweep.quantity)));
    sweep.axes = static_cast<size_t>(
        whole(table, "sweep_axes", static_cast<int64_t>(sweep.axes), 0, 1'000'000));
    to.plot = static_cast<Plot>(oneOf(table, "plot", kPlotNames, static_cast<size_t>(to.plot)));
  }

  void readLook(const toml::table& table, Appearance& to, std::optional<SavedCamera>& camera) {
    toml_.onlyKeys(table,
                   {"theme", "scale", "controls_width", "measures_width", "source_height", "panels",
                    "asked", "camera"},
                   "the look");
    to.theme =
        static_cast<Theme>(oneOf(table, "theme", kThemeNames, static_cast<size_t>(to.theme)));
    to.scale = real(table, "scale", to.scale, 0, kMostScale);
    if (to.scale > 0 && to.scale < kLeastScale)
      fail(table, "scale", "scale is 0 (chosen by the window's size) or from 0.75 to 3");
    to.controlsWidth = real(table, "controls_width", 0, 0, kWidest);
    to.measuresWidth = real(table, "measures_width", 0, 0, kWidest);
    to.sourceHeight = real(table, "source_height", 0, 0, kWidest);
    if (const toml::table* panels = tableIn(table, "panels")) {
      toml_.onlyKeys(*panels, {"controls", "measures", "source"}, "panels");
      for (size_t i = 0; i < kPanels; ++i)
        to.panels[i].wanted = flag(*panels, kPanelNames[i], to.panels[i].wanted);
    }
    if (const toml::table* asked = tableIn(table, "asked")) {
      toml_.onlyKeys(*asked, {"controls", "measures", "source"}, "asked");
      for (size_t i = 0; i < kPanels; ++i)
        to.panels[i].asked =
            static_cast<unsigned>(whole(*asked, kPanelNames[i], 0, 0, 1'000'000'000));
    }
    if (const toml::table* moved = tableIn(table, "camera")) camera = cameraOf(*moved);
  }

  SavedCamera cameraOf(const toml::table& table) {
    constexpr float kFarthest = 1e8F;
    toml_.onlyKeys(table, {"zoom", "x", "y"}, "camera");
    return {real(table, "zoom", 1, 1e-3F, 1e4F), real(table, "x", 0, -kFarthest, kFarthest),
            real(table, "y", 0, -kFarthest, kFarthest)};
  }

  Saved saved_;
};

}  // namespace

std::string toToml(const Saved& saved) {
  const AppearanceSet& looks = saved.choice.looks;
  toml::table root{
      {"version", Saved::kVersion},
      {"experiment", tableOf(saved.choice, saved.kernelFile, saved.besideFile)},
      {"place", tableOf(saved.place)},
      {"window",
       toml::table{{"presenting", saved.presenting},
                   {"width", saved.width},
                   {"height", saved.height},
                   {"switches", tableOf(looks.switches)},
                   {"desk", tableOf(looks.desk, saved.deskCamera)},
                   {"presentation", tableOf(looks.presentation, saved.presentationCamera)}}}};
  std::ostringstream text;
  text << "# What Tilestep's window showed last. One that is damaged is set aside, and the window\n"
          "# opens as if there were none; so it does with --fresh.\n"
       << root << "\n";
  return text.str();
}

Result<Saved> parseSaved(std::string_view text, const std::string& file) {
  try {
    const toml::table root = toml::parse(text, file);
    return Reader(file, text).read(root);
  } catch (const toml::parse_error& error) {
    return syntaxError(error, file, text);
  }
}

}  // namespace tilestep::model
