// SPDX-License-Identifier: Apache-2.0
#include "worker/messages.h"

#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "ptx/ir.h"
#include "support/results.h"
#include "unit/worker/samples.h"
#include "worker/frame.h"

namespace tilestep::worker::messages_test {

using Json = nlohmann::json;

Json treeOf(const std::vector<std::byte>& frame) {
  const auto* first = reinterpret_cast<const uint8_t*>(frame.data());
  return Json::from_cbor(first, first + frame.size());
}
std::vector<std::byte> frameOf(const Json& tree) {
  const auto cbor = Json::to_cbor(tree);
  const auto bytes = std::as_bytes(std::span(cbor));
  return {bytes.begin(), bytes.end()};
}

template <class Message>
void expectSameOnTheWayBack(const Message& message, const Message& read) {
  EXPECT_EQ(read.id, message.id);
  ASSERT_EQ(read.body.index(), message.body.index());
  // A frame has every field, so equal frames mean equal fields.
  EXPECT_EQ(treeOf(encode(read)), treeOf(encode(message)));
}

TEST(Messages, RequestsRoundTrip) {
  const std::vector<Request> requests{{1, Hello{1}},
                                      {2, RunRequest{sample::experiment()}},
                                      {3, DevicesRequest{}},
                                      {4, CeilingsRequest{"cuda:0"}},
                                      {5, PtxRequest{sample::experiment(), true}},
                                      {~uint64_t{0}, CancelRequest{}}};
  for (const Request& request : requests) {
    const auto read = valueOrThrow(decodeRequest(encode(request)));
    expectSameOnTheWayBack(request, read);
  }
}

/// A launch of one kernel with two ranges of memory. The second range is all zeros.
device::CapturedLaunch capturedLaunch() {
  device::CapturedLaunch launch;
  launch.program = "hw.cu";
  launch.number = 3;
  launch.kernel = "set";
  launch.ptx =
      ".version 7.0\n.target sm_75\n.address_size 64\n"
      ".visible .entry set(.param .u64 to, .param .u32 n)\n{\nret;\n}\n";
  launch.launch.entry = "set";
  launch.parameters.assign(12, 7);
  constexpr uint64_t kFirst = uint64_t{1} << 44, kCells = uint64_t{1} << 36;
  const auto bytes = std::make_shared<const std::vector<std::byte>>(5, std::byte{9});
  launch.ranges.push_back({kFirst, 5, "d_A", "", 12, {bytes}, {{1, 2}}, {{0, 5}}, {}});
  launch.ranges.push_back({kFirst + kCells, 70000, "d_B", "", 0, {nullptr, nullptr}, {}, {}, {}});
  return launch;
}

lab::Experiment launchExperiment(device::CapturedLaunch launch) {
  lab::Experiment experiment = sample::experiment();
  experiment.captured = std::make_shared<const device::CapturedLaunch>(std::move(launch));
  return experiment;
}

TEST(Messages, CapturedLaunchesRoundTripWithTheirMemory) {
  const Request request{2, RunRequest{launchExperiment(capturedLaunch())}};
  const auto read = valueOrThrow(decodeRequest(encode(request)));
  expectSameOnTheWayBack(request, read);
  const lab::Experiment& experiment = std::get<RunRequest>(read.body).experiment;
  const device::CapturedLaunch& launch = *experiment.captured;
  ASSERT_NE(launch.module, nullptr);
  EXPECT_NE(launch.module->find("set"), nullptr);
  EXPECT_EQ(launch.parameters, std::vector<uint8_t>(12, 7));
  ASSERT_EQ(launch.ranges.size(), 2u);
  EXPECT_EQ(launch.ranges[0].contents[0]->at(4), std::byte{9});
  EXPECT_EQ(launch.ranges[0].read, (std::vector<device::ByteSpan>{{0, 5}}));
  EXPECT_EQ(launch.ranges[1].contents[1], nullptr);
}

TEST(Messages, AnInvalidCapturedLaunchIsRefused) {
  const auto refused = [](auto change) {
    device::CapturedLaunch launch = capturedLaunch();
    change(launch);
    return !decodeRequest(encode(Request{2, RunRequest{launchExperiment(std::move(launch))}}));
  };
  EXPECT_FALSE(refused([](auto&) {}));
  EXPECT_TRUE(refused([](auto& launch) { launch.ptx = "no PTX"; }));
  EXPECT_TRUE(refused([](auto& launch) { launch.launch.entry = "other"; }));
  EXPECT_TRUE(refused([](auto& launch) { launch.parameters.resize(11); }));
  EXPECT_TRUE(refused([](auto& launch) { launch.ranges[0].address = 4096; }));
  EXPECT_TRUE(refused([](auto& launch) { launch.ranges[1].address = launch.ranges[0].address; }));
  EXPECT_TRUE(refused([](auto& launch) { launch.ranges[0].bytes = 6; }));
  EXPECT_TRUE(refused([](auto& launch) { launch.ranges[1].contents.pop_back(); }));
  EXPECT_TRUE(refused([](auto& launch) { launch.ranges[0].unset = {{4, 6}}; }));
  EXPECT_TRUE(refused([](auto& launch) { launch.ranges[0].read = {{2, 3}, {1, 2}}; }));
}

TEST(Messages, TruncatedMessagesAreRefused) {
  for (const auto& frame :
       {encode(Request{2, RunRequest{sample::experiment()}}),
        encode(Answer{3, lab::shared(sample::result())}), encode(Answer{0, Beat{}})}) {
    for (size_t length = 0; length < frame.size(); ++length) {
      const auto part = std::span(frame).first(length);
      ASSERT_FALSE(decodeRequest(part)) << length;
      ASSERT_FALSE(decodeAnswer(part)) << length;
      ASSERT_EQ(idOf(part), 0U) << length;
    }
  }
}

TEST(Messages, AnswersRoundTrip) {
  Error error = requestError("expected ';'");
  error.where = TextLocation{"x.cu", 3, 4};
  error.sourceLine = "int a";
  device::Ceilings ceilings;
  ceilings.device = "Some GPU";
  ceilings.measured = true;
  ceilings.dramBytesPerSecond = 4.5e12;
  const std::vector<Answer> answers{{1, Hello{1}},
                                    {2, Stage{"compiling"}},
                                    {2, Stage{"running", 0.25}},
                                    {2, Begun{}},
                                    {0, Beat{}},
                                    {3, lab::shared(sample::result())},
                                    {4, lab::shared({})},
                                    {5, DevicesReply{{sample::deviceInfo(), {}}, "nvrtc 13.0"}},
                                    {6, ceilings},
                                    {7, std::string("// PTX")},
                                    {8, error},
                                    {9, lateError("it needs more than 60 s")}};
  for (const Answer& answer : answers) {
    const auto read = valueOrThrow(decodeAnswer(encode(answer)));
    expectSameOnTheWayBack(answer, read);
  }
}

/// Goes through a tree and calls `visit` with a pointer to each value in it.
void walk(const Json& tree, const Json::json_pointer& at,
          const std::function<void(const Json::json_pointer&)>& visit) {
  for (const auto& [key, value] : tree.items()) {
    const auto below = tree.is_array() ? at / std::stoul(key) : at / key;
    visit(below);
    if (value.is_structured()) walk(value, below, visit);
  }
}

template <class Decode>
void everyFieldIsTyped(const Json& tree, Decode decode) {
  ASSERT_TRUE(decode(frameOf(tree)));
  int fields = 0;
  walk(tree, Json::json_pointer(), [&](const Json::json_pointer& at) {
    ++fields;
    Json broken = tree;
    // No field is a list of lists.
    broken[at] = Json::array({Json::array({1})});
    const auto mistyped = decode(frameOf(broken));
    ASSERT_FALSE(mistyped) << at.to_string();
  });
  EXPECT_GT(fields, 10);
}

TEST(Messages, EveryFieldIsTyped) {
  everyFieldIsTyped(treeOf(encode(Answer{1, lab::shared(sample::result())})), decodeAnswer);
  everyFieldIsTyped(treeOf(encode(Request{1, RunRequest{sample::experiment()}})), decodeRequest);
}

template <class T>
std::string refusal(const char* pointer, const T& value) {
  Json tree = treeOf(encode(Answer{1, lab::shared(sample::result())}));
  tree[Json::json_pointer(pointer)] = value;
  const auto read = decodeAnswer(frameOf(tree));
  return read ? "" : read.error().message;
}

TEST(Messages, InvalidValuesAreRefusedByName) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::string most(4096, 'a'), more(300'000, 'a');
  const struct {
    const char* field;
    Json value;
    const char* said;
  } cases[] = {
      {"/body/result/sharedBytes", -1, "sharedBytes is not a whole number from 0 to 4294967295"},
      {"/body/result/sharedBytes", uint64_t{1} << 32, "sharedBytes"},
      {"/body/result/sharedBytes", 1.5, "sharedBytes"},
      {"/body/result/plan/operands/0/spec/type", 10, "spec.type"},
      {"/body/result/counters/ffma", Json::binary({0x80}), "counters"},
      {"/body/result/timeline/sm", Json::binary({0x12, 0x11, 0}), "timeline"},
      {"/body/result/pictures/0/values", Json::binary({1, 2, 3}), "values"},
      {"/body/result/device/sharedBytesPerMultiprocessor", UINT32_MAX,
       "device.sharedBytesPerMultiprocessor"},
      {"/body/result/timings/1/median", nan, "timings[1].median"},
      {"/body/result/timings/0/first", -1.0, "timings[0].first"},
      {"/body/result/plan/launches/0/block", Json::array({0, 1, 1}), "no threads"},
      {"/body/result/checkNote", most, ""},
      {"/body/result/checkNote", more, "a string of at most 4096 bytes"},
      {"/body/result/device/name", more, "a string of at most 4096 bytes"},
      {"/body/result/plan/sizes", Json{{more, 1}}, "a name is too long"},
      {"/body/result/plan/sizes", Json{{"a\x1b[2J", 1}}, "not printable"},
      {"/type", "nonsense", "type is not a known word"},
      {"/id", -1, "message.id"},
  };
  for (const auto& one : cases) {
    const std::string said = refusal(one.field, one.value);
    if (*one.said == '\0')
      EXPECT_EQ(said, "") << one.field;
    else
      EXPECT_TRUE(has(said, one.said)) << one.field << ": " << said;
  }
  EXPECT_FALSE(decodeRequest(encode(Answer{1, Stage{"x"}}))) << "an answer is no request";
  EXPECT_FALSE(decodeAnswer(frameOf(Json::array()))) << "a list is no message";
}

TEST(Messages, TheIdOfABrokenMessageIsFound) {
  Json tree = treeOf(encode(Request{77, RunRequest{sample::experiment()}}));
  tree["body"] = nullptr;
  EXPECT_FALSE(decodeRequest(frameOf(tree)));
  EXPECT_EQ(idOf(frameOf(tree)), 77U);
  EXPECT_EQ(idOf(frameOf(Json::array())), 0U);
  EXPECT_EQ(idOf({}), 0U);
}

}  // namespace tilestep::worker::messages_test
