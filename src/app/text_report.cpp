// SPDX-License-Identifier: Apache-2.0
#include "app/text_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/hardware_report.h"
#include "base/figure.h"
#include "base/hash.h"
#include "base/library_product.h"
#include "base/printable.h"
#include "base/text_table.h"
#include "lab/figures.h"
#include "lab/recording/recording.h"
#include "metrics/timeline.h"

namespace tilestep::app {
namespace {

std::string shape(const Dim3& size) {
  return size.z > 1 ? fmt::format("{} x {} x {}", size.x, size.y, size.z)
                    : fmt::format("{} x {}", size.x, size.y);
}

std::string place(const device::AccessSite& site) {
  return fmt::format("line {}, thread ({}, {}, {}) of block ({}, {}, {})", site.line, site.thread.x,
                     site.thread.y, site.thread.z, site.block.x, site.block.y, site.block.z);
}

std::string elementText(const compile::ResolvedOperand& operand, uint64_t element) {
  const std::string& name = operand.spec.name;
  if (operand.rows == 0 || operand.columns == 0) return fmt::format("{}[{}]", name, element);
  return fmt::format("{}[{}][{}]", name, element / operand.columns, element % operand.columns);
}

/// "bins[0] is 3, should be 8; 5 of 8 elements are wrong"
std::string wrongText(const lab::RunResult& result) {
  const lab::Check& check = *result.check;
  const lab::WrongElement& first = *check.firstWrong;
  // Prints enough digits to tell the two values apart.
  const auto number = [&](double value) {
    const bool alike = fmt::format("{:.6g}", first.got) == fmt::format("{:.6g}", first.expected);
    return fmt::format("{:.{}g}", value, alike ? 17 : 6);
  };
  return fmt::format("{} {}, should be {}; {} of {} {} wrong",
                     elementText(result.plan.operands[first.operand], first.element),
                     first.written ? "is " + number(first.got) : "was never written",
                     number(first.expected), grouped(check.wrong), grouped(check.compared),
                     check.compared == 1 ? "element is"
                     : check.wrong == 1  ? "elements is"
                                         : "elements are");
}

/// "1 output element was", "2 output elements were"
std::string outputElements(uint64_t count, const char* one, const char* several) {
  return grouped(count) + (count == 1 ? " output element " : " output elements ") +
         (count == 1 ? one : several);
}

/// "1 epoch", "2 epochs"
std::string counted(uint64_t count, const std::string& what) {
  return grouped(count) + " " + what + (count == 1 ? "" : "s");
}

std::string compileTime(const lab::CompilerInfo& compiler) {
  if (compiler.cached) return " (cached)";
  return " in " + toText(compiler.ms / 1000, Unit::seconds);
}

std::string heading(const lab::RunResult& result) {
  std::string text = result.kernel;
  for (const auto& [name, value] : result.plan.tunables)
    text += fmt::format("  {} {}", name, value);
  for (const auto& [name, value] : lab::orderedSizes(result.plan.sizes)) {
    text += fmt::format("  {} {}", name, value);
  }
  const std::string& day = result.device.recordedOn;
  if (isLibraryProduct(result.kernel)) {
    return text + fmt::format("\n{} {} ({}), {} {}\n\n", day.empty() ? "on" : "recorded on",
                              device::machineText(result.device),
                              day.empty() ? result.device.id : result.device.id + ", " + day,
                              result.compiler.name, result.compiler.version);
  }
  text += fmt::format("\n{} {} ({}), compiled by {} {} for {}{}\n\n",
                      day.empty() ? "on" : "recorded on", device::machineText(result.device),
                      day.empty() ? result.device.id : result.device.id + ", " + day,
                      result.compiler.name, result.compiler.version, result.compiler.arch,
                      compileTime(result.compiler));
  return text;
}

void addLaunches(TextTable& table, const lab::RunResult& result) {
  if (isLibraryProduct(result.kernel)) return;  // The library chooses its launches.
  for (const Launch& launch : result.plan.launches) {
    table.add({"launch", shape(launch.grid) + " blocks",
               fmt::format("of {} threads", shape(launch.block))});
  }
  table.add({"shared memory", grouped(result.sharedBytes) + " B",
             result.sharedBytes <= Limits{}.sharedBytesPerBlock
                 ? "per block"
                 : "per block: more than 48 KiB, for which a program calls cudaFuncSetAttribute"});
  if (result.registers) table.add({"registers", std::to_string(*result.registers), "per thread"});
  if (result.localBytes && *result.localBytes > 0) {
    table.add({"local memory", grouped(*result.localBytes) + " B", "per thread"});
  }
}

/// Adds the driver's facts about the machine code.
void addMachine(TextTable& table, const lab::RunResult& result) {
  if (!result.machine) return;
  const device::MachineFacts& facts = *result.machine;
  if (facts.spillStoreBytes.value_or(0) + facts.spillLoadBytes.value_or(0) > 0) {
    table.add({"spills", grouped(*facts.spillStoreBytes) + " B",
               fmt::format("stored and {} B loaded per thread", grouped(*facts.spillLoadBytes))});
  }
  table.add({"resident blocks", std::to_string(facts.activeBlocks),
             "per multiprocessor; " + facts.limiter + " allow" +
                 (facts.limiter == "shared memory" ? "s" : "") + " no more"});
}

void addMeasurement(TextTable& table, const lab::RunResult& result) {
  if (!result.measurement) {
    const bool could = result.device.measures;
    table.add({"time", "–",
               result.nearest ? result.nearest->why
               : could        ? "not measured"
                              : "the interpreter gives no times"});
    if (result.nearest && result.nearest->known) {
      table.add({"", "",
                 "nearest recorded point: " +
                     lab::pointText(result.nearest->sizes, result.nearest->tunables)});
    }
    return;
  }
  const device::Measurement& timing = *result.measurement;
  const auto seconds = [](double ms) { return toText(ms / 1000, Unit::seconds); };
  table.add({"time", seconds(timing.medianMs),
             fmt::format("{}: median of {}, p10 {}, p90 {}",
                         timing.recorded ? "measured " + result.device.recordedOn : "measured",
                         timing.repetitions, seconds(timing.p10Ms), seconds(timing.p90Ms))});
  if (!timing.method.empty()) table.add({"", "", timing.method});
  if (timing.rejected > 0) {
    table.add(
        {"", "", counted(timing.rejected, "sample") + " left out: the GPU's clock had dropped"});
  }
  if (timing.coldMedianMs) {
    table.add({"time, cold", seconds(*timing.coldMedianMs),
               "measured: median of single runs, each after the L2 cache was emptied"});
  }
  if (timing.clockMhz) {
    table.add({"clock", toText(*timing.clockMhz * 1e6, Unit::hertz),
               timing.powerWatts ? fmt::format("mean during the measurement, drawing {:.0f} W",
                                               *timing.powerWatts)
                                 : "mean during the measurement"});
  }
  if (const auto gflops = lab::gflopsOf(result)) {
    table.add({"speed", toText(*gflops * 1e9, Unit::flopPerSecond),
               "computed: operations ÷ median time"});
  }
  if (const auto asked = lab::askedBandwidthGbsOf(result)) {
    table.add({"asked by lanes", toText(*asked * 1e9, Unit::bytesPerSecond),
               "requested bytes ÷ median time, including bytes served by caches"});
  }
}

void addCheck(TextTable& table, const lab::RunResult& result) {
  if (!result.checkNote.empty()) table.add({"check", "not judged", result.checkNote});
  if (!result.check) return;
  const lab::Check& check = *result.check;
  if (check.reference.empty()) {
    table.add({"check", "WRONG", "the kernel names no reference, so no values are compared"});
  } else {
    table.add({"check", check.ok ? "right" : "WRONG",
               fmt::format("scaled error {:.2g} of at most {:.2g} against {}", check.scaledError,
                           check.bound, check.reference)});
  }
  if (check.nonFinite > 0) {
    table.add({"", "", outputElements(check.nonFinite, "is", "are") + " NaN or infinite"});
  }
  if (check.unwritten > 0) {
    table.add({"", "", outputElements(check.unwritten, "was", "were") + " never written"});
  }
  if (check.firstWrong) table.add({"", "", wrongText(result)});
}

std::string cycles(const metrics::EpochCycles& epoch) {
  return grouped(static_cast<uint64_t>(std::lround(epoch.busy))) + " cycles, then " +
         grouped(static_cast<uint64_t>(std::lround(epoch.wait))) + " at its barrier";
}

/// Each row names what its share is a share of: blocks overlap, so their times do not add up to the
/// launch's time.
std::string timelineTable(const lab::RunResult& result) {
  if (!result.timeline) return "\n" + result.timelineNote + "\n";
  const trace::Timeline& timeline = *result.timeline;
  const metrics::Waves waves = metrics::waves(timeline);
  const auto share = [](double ratio) { return toText(ratio, Unit::ratio); };
  TextTable table;
  table.add({"achieved occupancy", share(metrics::achievedOccupancy(timeline)),
             fmt::format("of {} warps per multiprocessor, while it is active", timeline.maxWarps)});
  table.add({"waves", fmt::format("{:.2f}", waves.waves),
             fmt::format("{} on {} of {} multiprocessors, up to {} together on one",
                         counted(timeline.blocks(), "block"), waves.usedMultiprocessors,
                         timeline.multiprocessors, waves.blocksTogether)});
  table.add({"tail", share(waves.tailShare),
             "of the time, after the first multiprocessor ran out of blocks"});
  table.add({"at barriers", share(metrics::barrierWaitShare(timeline)),
             "of a warp's time; other warps may work meanwhile"});
  const auto phase = metrics::phaseEpochCycles(timeline);
  if (phase.size() == 2) {
    table.add({"load epoch", "", "of one warp, while others work: " + cycles(phase[0])});
    table.add({"compute epoch", "", "of one warp, while others work: " + cycles(phase[1])});
  }
  return fmt::format(
             "\ntimed by {}'s own clocks, in a run that took {:.2f} times the plain kernel's time "
             "(tick {} ns)\n",
             result.device.name, timeline.price, timeline.tickNs) +
         table.text("  ");
}

/// Timings of one launch by several methods; the first sample is shown separately.
std::string timingsTable(const lab::RunResult& result) {
  if (result.timings.empty()) return "\n" + result.timingsNote + "\n";
  TextTable table;
  for (const device::NamedValue& value : result.timings) {
    const auto text = [&](double number) {
      return value.unit == "s" ? toText(number, Unit::seconds)
                               : fmt::format("{:.4g} {}", number, value.unit);
    };
    table.add(
        {value.id, text(value.median),
         fmt::format("p10 {}, p90 {}, least {}, first {}; {}", text(value.p10), text(value.p90),
                     text(value.min), text(value.first), counted(value.count, "sample"))});
  }
  return "\none launch, timed in several ways; medians\n" + table.text("  ");
}

std::string counterTable(const lab::RunResult& result) {
  TextTable table;
  const std::vector<std::string> uncertain = lab::uncertainNames(result.uncertain);
  for (const lab::NamedCount& count : lab::namedCounts(result.counters->total)) {
    const bool isUncertain = std::ranges::binary_search(uncertain, count.name);
    const device::HardwareFigure* figure =
        isUncertain && result.hardware ? result.hardware->find(count.name) : nullptr;
    if (figure != nullptr) {
      table.add({count.name, grouped(static_cast<uint64_t>(std::llround(figure->value))),
                 "by the hardware; " + grouped(count.value) + " in the PTX"});
    } else {
      table.add({count.name, grouped(count.value), isUncertain ? "uncertain" : ""});
    }
  }
  const trace::GlobalCounts& loads = result.counters->total.globalLoad;
  const std::string by = result.countersFrom == "simt"
                             ? "the interpreter, because the recording has no counts"
                             : result.device.name;
  std::string text = fmt::format("\ncounted by {}, the whole grid, {}\n", by,
                                 counted(result.counters->epochs.size(), "epoch"));
  text += table.text("  ");
  for (const lab::UncertainCounts& counts : result.uncertain)
    text += "  uncertain: " + lab::whyText(counts) + "\n";
  if (result.countingOverhead) {
    text += fmt::format("  the counting run took {:.2f} times the plain run's time\n",
                        *result.countingOverhead);
  }
  if (loads.sectors > 0) {
    const double moved = static_cast<double>(loads.sectors) * 32;
    text += fmt::format("  useful share of loads {}",
                        toText(static_cast<double>(loads.distinctBytes) / moved, Unit::ratio));
    if (loads.bytes > loads.distinctBytes) {
      text += fmt::format(", load efficiency {} (it counts a broadcast once per lane)",
                          toText(static_cast<double>(loads.bytes) / moved, Unit::ratio));
    }
    text += "\n";
  }
  return text;
}

/// Quotes a word for a shell if necessary.
std::string quoted(const std::string& word) {
  const bool plain = word.find_first_not_of(
                         "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                         "0123456789_-+./:=") == std::string::npos;
  if (plain && !word.empty()) return word;
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

/// The command that runs this launch in the interpreter, for a launch that a GPU could not
/// complete.
std::string interpreterCommand(const lab::RunResult& result) {
  const bool shipped = result.source == "kernels/" + result.kernel + ".cu";
  std::string text =
      "tilestep run " + quoted(shipped ? result.kernel : result.source) + " --device simt --check";
  for (const auto& [name, value] : lab::orderedSizes(result.plan.sizes)) {
    text += fmt::format(" --size {}={}", name, value);
  }
  for (const auto& [name, value] : result.plan.tunables) {
    text += fmt::format(" --set {}={}", name, value);
  }
  return text;
}

/// The output of the kernel's printf, each line after the thread that wrote it.
std::string printedLines(const lab::RunResult& result) {
  constexpr size_t kMost = 200;
  if (result.printed.empty()) return {};
  std::string text = "\nthe kernel printed\n";
  for (size_t i = 0; i < std::min(result.printed.size(), kMost); ++i) {
    std::string line = result.printed[i].text;
    while (line.ends_with('\n')) line.pop_back();
    text += fmt::format("  {}: {}\n", place(result.printed[i].at), printableBlock(line, "    "));
  }
  if (result.printed.size() > kMost) {
    text += fmt::format("  and {} more; --json has them\n", result.printed.size() - kMost);
  }
  if (!result.printedAll) text += "  and more, which was not kept\n";
  return text;
}

std::string problems(const lab::RunResult& result) {
  std::string text;
  for (const device::Fault& fault : result.faults) {
    text += fmt::format("\n{}: {}", fault.kind, fault.message);
    // The interpreter's messages already name the line and the thread.
    const bool placed = fault.message.find("(thread") != std::string::npos;
    if (fault.at.line > 0 && !placed) text += " (" + place(fault.at) + ")";
    text += fault.count > 1 ? " " + counted(fault.count, "time") + ".\n" : "\n";
  }
  const bool isKernels = std::ranges::any_of(
      result.faults, [](const device::Fault& fault) { return fault.kind != "time-limit"; });
  const bool wrong = isKernels || (result.check && !result.check->ok);
  if (wrong && result.device.measures) {
    text += "\nto find the line, run the same launch in the interpreter:\n  " +
            interpreterCommand(result) + "\n";
  }
  if (!result.hazards) return text;
  for (const device::Hazard& hazard : *result.hazards) {
    text += fmt::format("\n{} in {} memory, epoch {}, {}\n  {}\n  first   {}\n  second  {}\n",
                        hazard.kind, hazard.space, hazard.epoch, counted(hazard.count, "time"),
                        hazard.message, place(hazard.first), place(hazard.second));
  }
  return text;
}

}  // namespace

std::string textReport(const lab::RunResult& result) {
  TextTable table;
  addLaunches(table, result);
  addMachine(table, result);
  addMeasurement(table, result);
  addCheck(table, result);
  const bool noOutputs = !result.device.recordedOn.empty() && result.outputHash == 0;
  table.add({"outputs", noOutputs ? "–" : hex64(result.outputHash),
             noOutputs ? "nothing ran, and none are recorded" : "FNV-1a of their bytes"});
  if (result.trace) {
    const std::string from = result.traceFrom.empty() ? result.device.id : result.traceFrom;
    const std::string overhead =
        result.traceOverhead
            ? fmt::format(", at {:.2f} times the plain launch's time", *result.traceOverhead)
            : "";
    table.add(
        {"trace", grouped(result.trace->size()) + " events",
         fmt::format("of block ({}, {}, {}), from {}{}; --json prints them", result.trace->block.x,
                     result.trace->block.y, result.trace->block.z, from, overhead)});
    if (!result.traceNote.empty()) table.add({"", "", result.traceNote});
  }
  std::string text = heading(result) + table.text("  ");
  if (result.counters) text += counterTable(result);
  if (result.timeline || !result.timelineNote.empty()) text += timelineTable(result);
  if (!result.timings.empty() || !result.timingsNote.empty()) text += timingsTable(result);
  text += hardwareTable(result) + comparisonTable(result);
  return text + printedLines(result) + problems(result);
}

}  // namespace tilestep::app
