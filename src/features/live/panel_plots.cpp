// SPDX-License-Identifier: Apache-2.0
#include "features/live/panel_plots.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>
#include <optional>
#include <vector>

#include "base/figure.h"
#include "features/live/live.h"
#include "ui/kit/plot.h"
#include "ui/kit/plot_series.h"
#include "ui/kit/plot_view.h"
#include "ui/kit/widgets.h"

namespace tilestep::features {
namespace {

constexpr double kShownSeconds = 30;  ///< Initial range of the time axis.

/// A plotted quantity with its amount per launch; absent if a run does not have it.
struct Quantity {
  std::string name;
  std::optional<double> (*amount)(const LiveRun& run, const LiveWork& work);
  ImU32 colour;
  Unit unit;
  Mark mark = Mark::diamond;  ///< For recorded medians and for the newest launch.
};

/// The label of DRAM's rate, as in the newest run that has it.
std::string dramNameOf(const LiveView& view) {
  const auto at = std::find_if(view.runs.rbegin(), view.runs.rend(),
                               [](const LiveRun& run) { return run.dramBytes.has_value(); });
  return at == view.runs.rend() ? "DRAM" : at->dramName;
}

/// DRAM's bytes per launch. Bytes of longer or shorter launches are scaled to the same rate.
std::optional<double> dramAmount(const LiveRun& run, const LiveWork& /*work*/) {
  if (!run.dramBytes || !run.dramMs || !run.recorded) return run.dramBytes;
  return *run.dramBytes * run.recorded->medianMs / *run.dramMs;
}

/// Calls `use` for each visible sample, and for one neighbour on each side.
template <class Use>
void eachShown(const LiveView& view, const PlotAxis& time, Use use) {
  for (const auto& chunk : view.chunks) {
    if (chunk->back().seconds < time.low) continue;
    if (chunk->front().seconds > time.high) break;
    const auto at = [&](size_t i) { return (*chunk)[i].seconds; };
    for (size_t i = firstFrom(chunk->size(), at, time.low);
         i < chunk->size() && (*chunk)[i].seconds <= time.high; ++i)
      use((*chunk)[i]);
  }
}

/// The amount per launch of each run of view.runs; NaN if unknown.
std::vector<double> amountsOf(const LiveView& view, const LiveWork& work,
                              const Quantity& quantity) {
  std::vector<double> amounts;
  for (const LiveRun& run : view.runs)
    amounts.push_back(
        quantity.amount(run, work).value_or(std::numeric_limits<double>::quiet_NaN()));
  return amounts;
}

/// NaN if the sample's run does not have the quantity.
double rateOf(const LiveView& view, const std::vector<double>& amounts, const LivePoint& point) {
  const size_t run = point.run - view.firstRun;  // Wraps around for a dropped run.
  return run < amounts.size() ? LiveView::rate(amounts[run], point.ms)
                              : std::numeric_limits<double>::quiet_NaN();
}

struct Reach {
  double least = std::numeric_limits<double>::infinity(), most = 0;
  void take(double value) {
    if (!(value > 0)) return;
    least = std::min(least, value);
    most = std::max(most, value);
  }
};

/// Rounds the end of the axis up, so that it does not change with every sample.
double roofOf(double most) {
  if (!(most > 0)) return 1;
  const double step = roundUp(most) / 20;
  return std::ceil(1.12 * most / step) * step;
}

/// The sample nearest to a time; null if there are no samples.
const LivePoint* nearestTo(const LiveView& view, double seconds) {
  const LivePoint* best = nullptr;
  for (const auto& chunk : view.chunks) {
    if (best != nullptr && chunk->front().seconds > seconds + std::abs(best->seconds - seconds))
      break;
    const auto time = [&](size_t i) { return (*chunk)[i].seconds; };
    const size_t at = firstFrom(chunk->size(), time, seconds);
    for (const size_t i : {at, at - 1}) {
      if (i >= chunk->size()) continue;
      const LivePoint& point = (*chunk)[i];
      if (best == nullptr || std::abs(point.seconds - seconds) < std::abs(best->seconds - seconds))
        best = &point;
    }
  }
  return best;
}

std::string secondsText(double seconds) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.2f s", seconds);
  return text.data();
}

class LivePlotStack {
 public:
  explicit LivePlotStack(const Context& context)
      : context_(context),
        view_(context.snapshot.view<LiveView>()),
        state_(context.ui.live),
        work_(workOf(view_)),
        list_(*ImGui::GetWindowDrawList()) {
    style_ = plotStyleOf(context.palette);
    style_.left = 3.6F * ImGui::GetFontSize();
    double first = view_.seconds;
    if (!view_.chunks.empty()) first = view_.chunks.front()->front().seconds;
    for (const LiveRun& run : view_.runs)
      if (run.recorded) first = std::min(first, run.seconds);
    whole_ = {false, first, std::max(view_.seconds, first + 1), ""};
    PlotAxis newest = whole_;
    newest.high = std::max(newest.high, std::min(first, 0.0) + kShownSeconds);
    // Leaves space on the left so that the newest samples' marks are drawn completely.
    newest.low = newest.high - 1.02 * kShownSeconds;
    time_ = shownAxis(newest, state_.time);
    times_ = timesOf();
  }

  void draw(ImVec2 size) {
    const float em = ImGui::GetFontSize();
    const bool split =
        std::ranges::any_of(view_.runs, [](const auto& r) { return r.split.has_value(); });
    const bool bytes = size.y > 14 * em;
    const bool shares = split && size.y > 22 * em;
    const float low = shares ? std::max(0.2F * size.y, 7.2F * em) : 0;
    const float middle = bytes ? 0.42F * (size.y - low) : 0;
    ImVec2 at = ImGui::GetCursorScreenPos();
    drawWork(at, {size.x, size.y - low - middle}, !bytes && !shares);
    at.y += size.y - low - middle;
    if (bytes) drawBytes(at, {size.x, middle}, !shares);
    at.y += middle;
    if (shares) drawShares(at, {size.x, low});
    ImGui::Dummy(size);
    state_.cursor.under = under_;
  }

 private:
  [[nodiscard]] PlotAxis timeAxis(bool last) const {
    PlotAxis axis = time_;
    axis.bare = !last;
    if (last) axis.title = "seconds of live mode";
    return axis;
  }

  void changes(Plot& plot, bool labels) {
    const gfx::Palette& p = context_.palette;
    for (auto run = view_.runs.rbegin(); run != view_.runs.rend(); ++run)
      if (!run->change.empty())
        plot.change(run->seconds, labels ? run->change : "", colour(p.text, 0.45F), colour(p.text));
  }

  void samples(Plot& plot, const Quantity& quantity) {
    const std::vector<double> amounts = amountsOf(view_, work_, quantity);
    const float dot = std::max(0.17F * ImGui::GetFontSize(), 2.0F);
    PlotDots dots(plot, dot);
    eachShown(view_, plot.x(), [&](const LivePoint& point) {
      dots.add(point.seconds, rateOf(view_, amounts, point));
    });
    dots.draw(plot, quantity.colour);
    for (size_t i = 0; i < view_.runs.size(); ++i)
      if (view_.runs[i].recorded)
        recorded(plot, view_.runs[i], amounts[i], quantity,
                 quantity.amount != dramAmount || !view_.runs[i].dramMs);
  }

  /// Marks a recorded median, with its spread if that is known.
  void recorded(Plot& plot, const LiveRun& run, double amount, const Quantity& quantity,
                bool spread) {
    if (!(amount > 0)) return;
    const auto rate = [&](double ms) { return LiveView::rate(amount, static_cast<float>(ms)); };
    if (spread)
      plot.segment(run.seconds, rate(run.recorded->p90Ms), run.seconds, rate(run.recorded->p10Ms),
                   quantity.colour, 1.5F, false);
    plot.point(run.seconds, rate(run.recorded->medianMs), quantity.mark, 0.35F * context_.em,
               quantity.colour, true);
  }

  /// Statistics of the visible samples, by run.
  [[nodiscard]] std::vector<Reach> timesOf() const {
    std::vector<Reach> times(view_.runs.size());
    eachShown(view_, time_, [&](const LivePoint& point) {
      const size_t run = point.run - view_.firstRun;  // Wraps around for a dropped run.
      if (run < times.size()) times[run].take(point.ms);
    });
    for (size_t i = 0; i < times.size(); ++i)
      if (view_.runs[i].recorded) times[i].take(view_.runs[i].recorded->medianMs);
    return times;
  }

  [[nodiscard]] Reach reachOf(const Quantity& quantity) const {
    Reach reach;
    const std::vector<double> amounts = amountsOf(view_, work_, quantity);
    for (size_t i = 0; i < times_.size(); ++i) {
      if (times_[i].most == 0) continue;
      reach.take(amounts[i] / times_[i].least * 1e3);
      reach.take(amounts[i] / times_[i].most * 1e3);
    }
    return reach;
  }

  void input(const char* id, const Plot& plot, const PlotAxis& wholeY, size_t which) {
    PlotInput input;
    input.zoomY = false;  // The y axis zooms only with the pointer beside it, or with Shift.
    if (which == 0) input.keys = &context_.ui.plotKeys;
    const bool over =
        plotInput(id, plot, whole_, wholeY, state_.time, state_.y[which], state_.cursor, input);
    if (over) under_ = plot.value(ImGui::GetIO().MousePos).x;
  }

  /// The cursor's time; absent if the cursor is outside the plot.
  [[nodiscard]] std::optional<double> cursor() const {
    const std::optional<double> at = state_.cursor.shown();
    return at && *at >= time_.low && *at <= time_.high ? at : std::nullopt;
  }

  void readRates(Plot& plot, const std::vector<Quantity>& quantities, bool withRun) {
    const std::optional<double> at = cursor();
    if (!at) return;
    plot.cursor(*at, colour(context_.palette.text, 0.6F));
    const LivePoint* point = nearestTo(view_, *at);
    const LiveRun* run = point != nullptr ? view_.runOf(*point) : nullptr;
    if (run == nullptr) return;
    std::vector<PlotReading> lines;
    if (withRun) {
      lines.push_back({"launch at " + secondsText(point->seconds) + ": " +
                           toText(point->ms / 1e3, Unit::seconds),
                       0});
      lines.push_back({run->label, 0});
    }
    for (const Quantity& quantity : quantities)
      if (const auto amount = quantity.amount(*run, work_))
        lines.push_back({withRun ? work_.text(LiveView::rate(*amount, point->ms))
                                 : quantity.name + " " +
                                       toText(LiveView::rate(*amount, point->ms), quantity.unit),
                         quantity.colour});
    plot.readout(*at, lines);
  }

  void drawWork(ImVec2 at, ImVec2 size, bool last) {
    const Quantity quantity{"",
                            [](const LiveRun& run, const LiveWork& work) {
                              const double amount = work.amount(run);
                              return amount > 0 ? std::optional(amount) : std::nullopt;
                            },
                            colour(context_.palette.text), Unit::flopPerSecond, Mark::circle};
    const Reach reach = reachOf(quantity);
    const PlotAxis whole{false, 0, roofOf(reach.most),
                         work_.flop ? "FLOP/s of each launch" : "launches/s (1 / launch time)"};
    const PlotAxis y = shownAxis(whole, state_.y[0], reach.least / 2);
    Plot plot(list_, at, {at.x + size.x, at.y + size.y}, timeAxis(last), y, style_);
    changes(plot, true);
    samples(plot, quantity);
    newest(plot, quantity);
    input("work", plot, whole, 0);
    readRates(plot, {quantity}, true);
  }

  /// Marks the newest launch of a running stream with the series' own shape.
  void newest(Plot& plot, const Quantity& quantity) {
    if (view_.state != LiveView::State::running || view_.chunks.empty()) return;
    const LivePoint& point = view_.chunks.back()->back();
    const LiveRun* run = view_.runOf(point);
    const std::optional<double> amount =
        run != nullptr ? quantity.amount(*run, work_) : std::nullopt;
    if (amount)
      plot.point(point.seconds, LiveView::rate(*amount, point.ms), quantity.mark,
                 0.28F * context_.em, quantity.colour, false);
  }

  [[nodiscard]] std::vector<Quantity> byteQuantities() const {
    const gfx::Palette& p = context_.palette;
    return {
        {"asked by lanes", [](const LiveRun& run, const LiveWork&) { return run.askedBytes; },
         colour(p.category(0)), Unit::bytesPerSecond, Mark::triangle},
        {"L1 sectors", [](const LiveRun& run, const LiveWork&) { return run.sectorBytes; },
         colour(p.category(1)), Unit::bytesPerSecond, Mark::square},
        {dramNameOf(view_), dramAmount, colour(p.category(2)), Unit::bytesPerSecond, Mark::circle}};
  }

  void drawBytes(ImVec2 at, ImVec2 size, bool last) {
    std::vector<Quantity> quantities = byteQuantities();
    std::erase_if(quantities, [&](const Quantity& quantity) {
      return std::ranges::none_of(
          view_.runs, [&](const LiveRun& run) { return quantity.amount(run, work_).has_value(); });
    });
    Reach reach;
    for (const Quantity& quantity : quantities) {
      const Reach one = reachOf(quantity);
      reach.take(one.least < one.most ? one.least : one.most);
      reach.take(one.most);
    }
    if (reach.most == 0) reach = {1e9, 1e12};
    const PlotAxis whole{true, std::pow(10, std::floor(std::log10(reach.least / 1.5))),
                         std::pow(10, std::ceil(std::log10(reach.most * 1.5))), "bytes/s"};
    const PlotAxis y = shownAxis(whole, state_.y[1]);
    Plot plot(list_, at, {at.x + size.x, at.y + size.y}, timeAxis(last), y, style_);
    changes(plot, false);
    for (const Quantity& quantity : quantities) samples(plot, quantity);
    std::vector<Entry> entries;
    for (const Quantity& quantity : quantities) {
      newest(plot, quantity);
      entries.push_back({quantity.name, quantity.colour, quantity.mark});
    }
    legend(plot, at, entries);
    input("bytes", plot, whole, 1);
    readRates(plot, quantities, false);
  }

  /// A legend entry, right-aligned on the title's line. The readout shows values that do not fit.
  struct Entry {
    std::string name;
    ImU32 colour;
    Mark mark = Mark::square;
  };
  void legend(const Plot& plot, ImVec2 top, const std::vector<Entry>& entries) {
    const float em = ImGui::GetFontSize();
    const float left = plot.min().x + ImGui::CalcTextSize(plot.y().title.c_str()).x + em;
    float right = plot.max().x;
    for (auto entry = entries.rbegin(); entry != entries.rend(); ++entry) {
      const float width = ImGui::CalcTextSize(entry->name.c_str()).x;
      const float start = right - width;
      if (start - 0.8F * em < left) return;
      list_.AddText({start, top.y}, colour(context_.palette.text), entry->name.c_str());
      drawMark(list_, {start - 0.6F * em, top.y + 0.5F * ImGui::GetTextLineHeight()}, entry->mark,
               0.27F * em, entry->colour, false, 1.5F);
      right = start - 1.6F * em;
    }
  }

  struct Band {
    const char* name;
    double share;
    gfx::Color color;
  };
  [[nodiscard]] std::vector<Band> bandsOf(const model::LiveSplit& split) const {
    const gfx::Palette& p = context_.palette;
    if (!split.phases)
      return {{"waiting at barriers", split.wait, p.category(3)},
              {"between barriers", split.load, p.category(0)}};
    std::vector<Band> bands{{"waiting", split.wait, p.category(3)},
                            {"computing", split.compute, p.category(2)},
                            {"loading", split.load, p.category(0)}};
    if (split.outside > 0) bands.push_back({"outside of phases", split.outside, p.category(4)});
    return bands;
  }

  [[nodiscard]] gfx::Color fillOf(const Band& band) const {
    return gfx::mix(context_.palette.surface, band.color, 0.55F);
  }

  /// Draws the bands from a run's first sample to the next run's, or to the present.
  void drawBands(Plot& plot, size_t index) {
    const LiveRun& run = view_.runs[index];
    if (!run.split) return;
    const double end =
        index + 1 < view_.runs.size() ? view_.runs[index + 1].seconds : view_.seconds;
    const double from = std::max(run.seconds, time_.low), to = std::min(end, time_.high);
    if (!(from < to)) return;
    const float em = ImGui::GetFontSize();
    double bottom = 0;
    for (const Band& band : bandsOf(*run.split)) {
      const ImVec2 low = plot.pixel(from, 100 * bottom);
      const ImVec2 high = plot.pixel(to, 100 * (bottom + band.share));
      bottom += band.share;
      if (low.y - high.y < 0.5F) continue;
      const gfx::Color fill = fillOf(band);
      list_.PushClipRect(plot.min(), plot.max(), true);
      list_.AddRectFilled({low.x, high.y}, {high.x, low.y}, colour(fill));
      list_.AddLine({low.x, high.y}, high, colour(context_.palette.surface), 1.5F);
      list_.PopClipRect();
      const std::string text = std::string(band.name) + " " + toText(band.share, Unit::ratio);
      const ImVec2 size = ImGui::CalcTextSize(text.c_str());
      const ImVec2 place{low.x + 0.4F * em, 0.5F * (low.y + high.y - size.y)};
      const bool fits = place.x + size.x + 0.4F * em < high.x && low.y - high.y > size.y &&
                        place.y >= plot.min().y && place.y + size.y <= plot.max().y;
      if (fits) list_.AddText(place, colour(gfx::textOn(fill)), text.c_str());
    }
  }

  /// Describes the bands of the newest run whose split is known.
  void bandLegend(const Plot& plot, ImVec2 at) {
    const auto run = std::find_if(view_.runs.rbegin(), view_.runs.rend(),
                                  [](const LiveRun& one) { return one.split.has_value(); });
    if (run == view_.runs.rend()) return;
    std::vector<Entry> entries;
    for (const Band& band : bandsOf(*run->split))
      entries.insert(entries.begin(), {band.name, colour(fillOf(band))});
    legend(plot, at, entries);
  }

  void drawShares(ImVec2 at, ImVec2 size) {
    const PlotAxis whole{false, 0, 100, "% of a warp's cycles"};
    PlotAxis y = shownAxis(whole, state_.y[2]);
    y.title = cutTo(y.title, size.x - style_.left);
    Plot plot(list_, at, {at.x + size.x, at.y + size.y}, timeAxis(true), y, style_);
    for (size_t i = 0; i < view_.runs.size(); ++i) drawBands(plot, i);
    changes(plot, false);
    bandLegend(plot, at);
    input("shares", plot, whole, 2);
    const std::optional<double> seconds = cursor();
    if (!seconds) return;
    plot.cursor(*seconds, colour(context_.palette.text, 0.6F));
    const LivePoint* point = nearestTo(view_, *seconds);
    const LiveRun* run = point != nullptr ? view_.runOf(*point) : nullptr;
    if (run == nullptr || !run->split || !state_.cursor.under) return;
    std::vector<PlotReading> lines;
    for (const Band& band : bandsOf(*run->split))
      lines.insert(lines.begin(), {std::string(band.name) + " " + toText(band.share, Unit::ratio),
                                   colour(band.color)});
    plot.readout(*seconds, lines);
  }

  const Context& context_;
  const LiveView& view_;
  LivePlots& state_;
  const LiveWork work_;
  ImDrawList& list_;
  PlotStyle style_;
  PlotAxis whole_, time_;
  std::vector<Reach> times_;  ///< Milliseconds.
  std::optional<double> under_;
};

}  // namespace

std::string LiveWork::text(double perSecond) const {
  if (flop) return toText(perSecond, Unit::flopPerSecond);
  return toText(perSecond, Unit::count) + " launches/s";
}

LiveWork workOf(const LiveView& view) {
  LiveWork work;
  work.flop = view.runs.empty() || std::ranges::any_of(view.runs, [](const LiveRun& run) {
                return run.operations.has_value();
              });
  return work;
}

void drawLivePlots(const Context& context, ImVec2 size) {
  compat::pushFont(context.fonts.small, context.fonts.smallPixels);
  LivePlotStack(context).draw(size);
  ImGui::PopFont();
}

}  // namespace tilestep::features
