// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "lab/lab.h"

namespace tilestep::lab::json_test {

using nlohmann::json;

json parsed(const RunResult& result) {
  return json::parse(toJson(result));
}

RunResult sample() {
  RunResult result;
  result.kernel = "matmul_tiled";
  result.source = "kernels/matmul_tiled.cu";
  result.device.id = "simt";
  result.device.name = "SIMT interpreter";
  result.compiler = {"nvrtc", "13.0", "compute_75", 41.2};
  result.plan.sizes = {{"k", 3}, {"m", 1}, {"n", 2}};
  result.plan.tunables = {{"TILE_WIDTH", 16}};
  result.plan.launches.push_back({"matmul_tiled", {63, 63, 1}, {16, 16, 1}, 0});
  result.sharedBytes = 2048;
  result.outputHash = 0xabc;
  return result;
}

TEST(Json, UnknownValuesAreNull) {
  const json document = parsed(sample());
  EXPECT_EQ(document["schema"], 1);
  EXPECT_EQ(document["device"]["compute_capability"], nullptr);
  EXPECT_EQ(document["launch"]["registers"], nullptr);
  EXPECT_EQ(document["launch"]["grid"], json::array({63, 63, 1}));
  for (const char* key : {"check", "measurement", "counters", "hazards"})
    EXPECT_EQ(document[key], nullptr) << key;
  EXPECT_EQ(document["faults"], json::array());
  EXPECT_EQ(document["output_hash"], "0000000000000abc");
  for (const char* key : {"trace", "hardware", "timeline", "timings"})
    EXPECT_FALSE(document.contains(key)) << key;
}

TEST(Json, UnjudgedChecksHaveReasonsAndWrongElementsHaveValues) {
  RunResult result = sample();
  result.checkNote = "the launch was stopped at line 9 (out-of-bounds); fix that first";
  json document = parsed(result);
  EXPECT_EQ(document["check"]["ok"], nullptr);
  EXPECT_EQ(document["check"]["unwritten"], nullptr);
  EXPECT_EQ(document["check"]["reason"], result.checkNote);
  EXPECT_EQ(document["check"]["reference"], nullptr);
  result.nothingToCompare = true;
  document = parsed(result);
  EXPECT_EQ(document["check"]["reference"], "");
  EXPECT_EQ(document["check"]["ok"], nullptr);
  EXPECT_EQ(document["check"]["reason"], result.checkNote);
  result.nothingToCompare = false;
  result.checkNote.clear();
  result.plan.operands.resize(2);
  result.plan.operands[1].spec.name = "bins";
  result.check = Check{"formula", 0.6, 0, 0, false, 0, WrongElement{1, 0, true, 3, 8}, 5, 8};
  document = parsed(result);
  EXPECT_EQ(document["check"]["ok"], false);
  EXPECT_EQ(document["check"]["wrong"], 5);
  EXPECT_EQ(document["check"]["compared"], 8);
  EXPECT_EQ(document["check"]["first_wrong"],
            json::parse(R"({"operand": "bins", "index": 0, "got": 3, "expected": 8})"));
  EXPECT_FALSE(document["check"].contains("reason"));
}

TEST(Json, KeysAreInDocumentedOrder) {
  const std::string text = toJson(sample());
  size_t before = 0;
  for (const char* key :
       {"schema", "kernel", "source", "device", "compiler", "sizes", "tunables", "launch", "check",
        "output_hash", "measurement", "counters", "hazards", "faults"}) {
    const size_t at = text.find("\n  \"" + std::string(key) + "\": ");
    ASSERT_NE(at, std::string::npos) << key;
    EXPECT_GT(at, before == 0 ? 0 : before) << key;
    before = at;
  }
  EXPECT_LT(text.find("\"m\":1"), text.find("\"k\":3"));
}

TEST(Json, MeasurementHasDerivedFigures) {
  RunResult result = sample();
  result.plan.operations = 1e9;
  result.measurement = device::Measurement{false, 0.5, 0.4, 0.45, 0.6, 20, 1980};
  json timing = parsed(result)["measurement"];
  EXPECT_EQ(timing["source"], "live");
  EXPECT_EQ(timing["median_ms"], 0.5);
  EXPECT_EQ(timing["gflops"], 2000);
  EXPECT_EQ(timing["asked_bandwidth_gbs"], nullptr);
  EXPECT_EQ(timing["clock_mhz"], 1980);
  result.counters.emplace();
  result.counters->total.globalLoad.bytes = 1000000;
  timing = parsed(result)["measurement"];
  EXPECT_EQ(timing["asked_bandwidth_gbs"], 2);
}

TEST(Json, CountersAreIntegersAndAbsentIfUnknown) {
  RunResult result = sample();
  result.counters.emplace();
  result.counters->total.globalLoad = {1, 2, 3, 4, 5};
  result.counters->total.sharedStore = {6, 7, 8};
  result.counters->epochs.resize(2);
  const json counters = parsed(result)["counters"], &total = counters["total"];
  int expected = 0;
  for (const char* name :
       {"global_load_threads", "global_load_requests", "global_load_sectors", "global_load_bytes",
        "global_load_distinct_bytes", "shared_store_requests", "shared_store_wavefronts",
        "shared_store_bank_conflicts"})
    EXPECT_EQ(total[name], ++expected) << name;
  EXPECT_FALSE(total.contains("warp_instructions"));
  EXPECT_EQ(counters["epochs"].size(), 2U);
  for (const char* key : {"epochs_truncated", "price", "uncertain"})
    EXPECT_FALSE(counters.contains(key)) << key;
  result.counters->epochsTruncated = true;
  result.countingOverhead = 1.75;
  EXPECT_EQ(parsed(result)["counters"]["price"], 1.75);
  EXPECT_EQ(parsed(result)["counters"]["epochs_truncated"], true);
  result.uncertain = {
      {UncertainCounts::Why::unrolled, 9, {"global_load_requests", "global_load_sectors"}}};
  const json uncertain = parsed(result)["counters"];
  EXPECT_EQ(uncertain["uncertain"], json::array({"global_load_requests", "global_load_sectors"}));
  EXPECT_EQ(uncertain["uncertain_because"][0]["line"], 9);
  EXPECT_EQ(uncertain["uncertain_because"][0]["counters"].size(), 2U);
}

TEST(Json, HardwareCountersUseOurNames) {
  RunResult result = sample();
  result.hardware.emplace();
  result.hardware->figures = {
      {"dram_bytes_read", "dram__bytes_read.sum", Unit::bytes, 8388608},
      {"achieved_occupancy", "sm__warps_active.avg.pct_of_peak_sustained_active", Unit::ratio, 1}};
  result.hardware->passes = 7;
  result.hardware->library = "CUPTI 13.0";
  json document = parsed(result);
  const json& hardware = document["hardware"];
  EXPECT_EQ(hardware["dram_bytes_read"]["value"], 8388608);
  EXPECT_TRUE(hardware["dram_bytes_read"]["value"].is_number_integer());
  EXPECT_EQ(hardware["dram_bytes_read"]["metric"], "dram__bytes_read.sum");
  EXPECT_TRUE(hardware["achieved_occupancy"]["value"].is_number_float());
  EXPECT_EQ(hardware["passes"], 7);
  EXPECT_EQ(hardware["caches"], "cold");
  EXPECT_FALSE(hardware.contains("l2_read_sectors")) << "absent, never zero";
  EXPECT_FALSE(document.contains("comparison")) << "there are no counts to compare with";
  result.counters.emplace();
  result.counters->total.globalLoad.requests = 5;
  document = parsed(result);
  EXPECT_EQ(document["comparison"][0]["name"], "global_load_requests");
  EXPECT_EQ(document["comparison"][0]["counted"], 5);
  EXPECT_EQ(document["comparison"][0]["hardware"], nullptr);
  EXPECT_EQ(document["comparison"][0]["match"], "unknown");
}

TEST(Json, AbsentPartsStateTheReason) {
  RunResult result = sample();
  result.hardware.emplace();
  result.hardware->refused = "No hardware counters: ask.";
  result.timelineNote = result.timingsNote = "The interpreter gives no times.";
  const json document = parsed(result);
  EXPECT_EQ(document["hardware"], json({{"refused", "No hardware counters: ask."}}));
  for (const char* key : {"timeline", "timings"})
    EXPECT_EQ(document[key], (json{{"absent", "The interpreter gives no times."}})) << key;
}

TEST(Json, FaultsAndHazardsHaveLocations) {
  RunResult result = sample();
  device::Fault fault;
  fault.kind = "out-of-bounds";
  fault.at = {12, {1, 2, 0}, {3, 4, 0}};
  fault.address = 0xff;
  fault.message = "past the end of \"M\"\nby 4 bytes";
  result.faults.push_back(fault);
  result.hazards.emplace();
  result.hazards->push_back({"read-after-write", "shared", {5, {}, {}}, {6, {}, {}}, 3, 9});
  const json document = parsed(result);
  EXPECT_EQ(document["faults"][0]["line"], 12);
  EXPECT_EQ(document["faults"][0]["thread"], json::array({1, 2, 0}));
  EXPECT_EQ(document["faults"][0]["address"], "0x00000000000000ff");
  EXPECT_EQ(document["hazards"][0]["second"]["line"], 6);
  EXPECT_EQ(document["hazards"][0]["count"], 9);
  EXPECT_FALSE(result.clean());
}

TEST(Json, TracesAreColumnsOfNumbers) {
  RunResult result = sample();
  auto recording = std::make_shared<trace::BlockTrace>();
  result.trace = recording;
  recording->sharedArrays.push_back({"Mds", 0, 1024, 16});
  trace::TraceEvent event;
  event.space = trace::Space::global;
  event.width = 4;
  event.buffer = 0;
  event.mask = 0b101;
  const std::vector<uint32_t> offsets{0, 64};
  const std::vector<std::byte> values(8, std::byte{1});
  event.offsets = offsets;
  event.values = values;
  recording->append(event);
  trace::TraceEvent barrier;
  barrier.operation = trace::Operation::barrier;
  barrier.sequence = 1;
  barrier.mask = 0b101;
  recording->append(barrier);
  recording->finish();
  result.traceFrom = "simt";
  const json document = parsed(result)["trace"];
  EXPECT_EQ(document["from"], "simt");
  EXPECT_EQ(document["events"], 2);
  EXPECT_TRUE(document["price"].is_null());
  EXPECT_TRUE(document["note"].is_null());
  const json& columns = document["columns"];
  EXPECT_EQ(columns["operation"], json::array({"load", "barrier"}));
  EXPECT_EQ(columns["offset"], json::array({0, 64}));
  EXPECT_EQ(columns["value"], json::array({0x01010101, 0x01010101}));
  EXPECT_EQ(columns["lane_start"], json::array({0, 2}));
  EXPECT_EQ(columns["mask"][0], 5);
  EXPECT_EQ(document["shared_arrays"][0]["name"], "Mds");
}

trace::Timeline twoBlocks() {
  trace::Timeline t;
  t.tickNs = 32;
  t.multiprocessors = 2;
  t.maxWarps = 8;
  t.warpsPerBlock = 2;
  t.price = 1.25;
  t.phases = 1;
  t.epochsPerPhase = 2;
  t.sm = {1, 0};
  t.startNs = {0, 64};
  t.endNs = {96, 128};
  t.busyWarpCycles = {100, 120};
  t.waitWarpCycles = {20, 40};
  t.activeCycles = {100, 75};
  t.epochs = 3;
  t.epochStep = 2;
  t.epochBusy = {60, 30, 10};
  t.epochWait = {14, 6, 0};
  return t;
}

TEST(Json, TimelineIsLastWithFiguresAndColumns) {
  RunResult result = sample();
  result.timeline = twoBlocks();
  const json timeline = parsed(result)["timeline"];
  EXPECT_EQ(timeline["tick_ns"], 32);
  EXPECT_EQ(timeline["price"], 1.25);
  EXPECT_EQ(timeline["waves"], 1);
  EXPECT_EQ(timeline["tail"], 0.25);
  EXPECT_EQ(timeline["achieved_occupancy"], 0.2);
  EXPECT_NEAR(timeline["barrier_wait_share"].get<double>(), 60.0 / 280, 1e-12);
  EXPECT_EQ(timeline["clock_mhz"], nullptr);
  EXPECT_EQ(timeline["load_epoch_cycles"], (json{{"busy", 30.0}, {"wait", 7.0}}));
  EXPECT_EQ(timeline["compute_epoch_cycles"], (json{{"busy", 15.0}, {"wait", 3.0}}));
  EXPECT_EQ(timeline["epochs"]["blocks"], 1);
  EXPECT_EQ(timeline["epochs"]["busy_cycles"], json::array({30.0, 15.0, 5.0}));
  EXPECT_EQ(timeline["columns"]["sm"], json::array({1, 0}));
  EXPECT_EQ(timeline["columns"]["end_ns"], json::array({96, 128}));
  EXPECT_EQ(timeline["columns"]["wait_cycles"], json::array({10.0, 20.0}));
}

TEST(Json, LaunchTimingsAreAListOfNamedValues) {
  RunResult result = sample();
  result.timings = {{"events", "s", 30, 1e-6, 2e-6, 3e-6, 4e-6, 9e-6, "Two events."}};
  EXPECT_EQ(parsed(result)["timings"],
            json::parse(R"([{"id": "events", "unit": "s", "count": 30, "min": 1e-6, "p10": 2e-6,
                             "median": 3e-6, "p90": 4e-6, "first": 9e-6,
                             "method": "Two events."}])"));
}

}  // namespace tilestep::lab::json_test
