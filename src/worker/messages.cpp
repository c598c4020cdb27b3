// SPDX-License-Identifier: Apache-2.0
#include "worker/messages.h"

#include <array>
#include <string_view>

#include "lab/run/device_check.h"
#include "lab/run/result_check.h"
#include "ptx/text/parser.h"
#include "worker/describe.h"
#include "worker/frame.h"

namespace tilestep::trace {
namespace {

struct CounterColumn {
  const char* name;
  uint64_t& (*field)(Counters&);
};

/// The plain counts, by column.
constexpr std::array<CounterColumn, 21> kColumns{{
    {"globalLoadThreads", [](Counters& c) -> uint64_t& { return c.globalLoad.threads; }},
    {"globalLoadRequests", [](Counters& c) -> uint64_t& { return c.globalLoad.requests; }},
    {"globalLoadSectors", [](Counters& c) -> uint64_t& { return c.globalLoad.sectors; }},
    {"globalLoadBytes", [](Counters& c) -> uint64_t& { return c.globalLoad.bytes; }},
    {"globalLoadDistinct", [](Counters& c) -> uint64_t& { return c.globalLoad.distinctBytes; }},
    {"globalStoreThreads", [](Counters& c) -> uint64_t& { return c.globalStore.threads; }},
    {"globalStoreRequests", [](Counters& c) -> uint64_t& { return c.globalStore.requests; }},
    {"globalStoreSectors", [](Counters& c) -> uint64_t& { return c.globalStore.sectors; }},
    {"globalStoreBytes", [](Counters& c) -> uint64_t& { return c.globalStore.bytes; }},
    {"globalStoreDistinct", [](Counters& c) -> uint64_t& { return c.globalStore.distinctBytes; }},
    {"sharedLoadRequests", [](Counters& c) -> uint64_t& { return c.sharedLoad.requests; }},
    {"sharedLoadWavefronts", [](Counters& c) -> uint64_t& { return c.sharedLoad.wavefronts; }},
    {"sharedLoadConflicts", [](Counters& c) -> uint64_t& { return c.sharedLoad.bankConflicts; }},
    {"sharedStoreRequests", [](Counters& c) -> uint64_t& { return c.sharedStore.requests; }},
    {"sharedStoreWavefronts", [](Counters& c) -> uint64_t& { return c.sharedStore.wavefronts; }},
    {"sharedStoreConflicts", [](Counters& c) -> uint64_t& { return c.sharedStore.bankConflicts; }},
    {"barriers", [](Counters& c) -> uint64_t& { return c.barriers; }},
    {"ffma", [](Counters& c) -> uint64_t& { return c.ffma; }},
    {"fadd", [](Counters& c) -> uint64_t& { return c.fadd; }},
    {"fmul", [](Counters& c) -> uint64_t& { return c.fmul; }},
    {"threadInstructions", [](Counters& c) -> uint64_t& { return c.threadInstructions; }},
}};

using Optional = std::optional<uint64_t> Counters::*;
constexpr std::array<std::pair<const char*, Optional>, 3> kOptionalColumns{{
    {"warpInstructions", &Counters::warpInstructions},
    {"branches", &Counters::branches},
    {"divergentBranches", &Counters::divergentBranches},
}};
/// Stands in a column where an entry has no such count.
constexpr uint64_t kAbsent = ~uint64_t{0};

/// The total first, then the epochs.
std::vector<Counters> rowsOf(const GridCounters& counters) {
  std::vector<Counters> rows{counters.total};
  rows.insert(rows.end(), counters.epochs.begin(), counters.epochs.end());
  return rows;
}

/// A column of `rows` entries; sets them through `set(row, value)`.
template <class Set>
void readColumn(worker::Reader& archive, const char* name, size_t rows, Set set) {
  worker::Json tree;
  archive(name, tree);
  const auto column = tree.is_binary() ? fromColumn<uint64_t>(worker::Reader::bytesOf(tree))
                                       : std::optional<std::vector<uint64_t>>{};
  if (!column || column->size() != rows) {
    return archive.fail(archive.path() + "." + name,
                        "a column of " + std::to_string(rows) + " counts");
  }
  for (size_t row = 0; row < rows; ++row) set(row, (*column)[row]);
}

}  // namespace

void describe(worker::Writer& archive, const GridCounters& counters) {
  std::vector<Counters> rows = rowsOf(counters);
  archive("epochsTruncated", counters.epochsTruncated);
  archive("epochs", static_cast<uint32_t>(counters.epochs.size()));
  std::vector<uint64_t> column(rows.size());
  const auto put = [&](const char* name) {
    archive(name, worker::Writer::binary(toColumn(std::span(std::as_const(column)))));
  };
  for (const CounterColumn& c : kColumns) {
    for (size_t row = 0; row < rows.size(); ++row) column[row] = c.field(rows[row]);
    put(c.name);
  }
  for (const auto& [name, member] : kOptionalColumns) {
    for (size_t row = 0; row < rows.size(); ++row)
      column[row] = (rows[row].*member).value_or(kAbsent);
    put(name);
  }
}

void describe(worker::Reader& archive, GridCounters& counters) {
  uint32_t epochs = 0;
  archive("epochsTruncated", counters.epochsTruncated);
  archive("epochs", epochs);
  if (epochs > GridCounters::kMaxEpochs) {
    return archive.fail(archive.path() + ".epochs", "at most 4096");
  }
  std::vector<Counters> rows(size_t{epochs} + 1);
  for (const CounterColumn& c : kColumns) {
    readColumn(archive, c.name, rows.size(),
               [&](size_t row, uint64_t value) { c.field(rows[row]) = value; });
  }
  for (const auto& [name, member] : kOptionalColumns) {
    readColumn(archive, name, rows.size(), [&, m = member](size_t row, uint64_t value) {
      if (value != kAbsent) rows[row].*m = value;
    });
  }
  counters.total = rows.front();
  counters.epochs.assign(rows.begin() + 1, rows.end());
}

namespace {

/// A value that travels as named columns.
template <class Value>
void writeColumns(worker::Writer& archive, const Value& value) {
  worker::Json columns = worker::Json::object();
  for (const auto& column : value.columns()) {
    columns[column.name] = worker::Writer::binary(column.bytes);
  }
  archive("columns", columns);
}

template <class Value>
void readColumns(worker::Reader& archive, Value& value) {
  worker::Json tree;
  archive("columns", tree);
  if (!tree.is_object()) return archive.fail(archive.path() + ".columns", "a map");
  std::vector<Recording::Column> columns;
  for (const auto& [name, column] : tree.items()) {
    if (!column.is_binary()) {
      return archive.fail(archive.path() + ".columns." + name, "a byte string");
    }
    const auto bytes = worker::Reader::bytesOf(column);
    columns.push_back({name, {bytes.begin(), bytes.end()}});
  }
  Result<Value> read = Value::fromColumns(columns);
  if (!read) return archive.fail(read.error());
  value = std::move(*read);
}

}  // namespace

void describe(worker::Writer& archive, const Recording& recording) {
  writeColumns(archive, recording);
}
void describe(worker::Reader& archive, Recording& recording) {
  readColumns(archive, recording);
}
void describe(worker::Writer& archive, const Timeline& timeline) {
  writeColumns(archive, timeline);
}
void describe(worker::Reader& archive, Timeline& timeline) {
  readColumns(archive, timeline);
}

}  // namespace tilestep::trace

namespace tilestep::device {
namespace {

/// Columns of one length, times that can be.
bool holds(const LiveBatch& batch) {
  const size_t count = batch.ms.size();
  constexpr double kMostMs = 1e12;  // Thirty years.
  bool good = batch.atMs.size() == count && count <= LiveBatch::kMostSamples && batch.every > 0 &&
              batch.startMs >= 0 && batch.startMs <= kMostMs;
  float before = 0;
  for (size_t i = 0; i < count && good; ++i) {
    good = lab::kMilliseconds.holds(batch.ms[i]) && batch.atMs[i] >= before &&
           batch.atMs[i] <= kMostMs;
    before = batch.atMs[i];
  }
  return good && (!batch.clockMhz || lab::kMegahertz.holds(*batch.clockMhz));
}

}  // namespace

void finishRead(worker::Reader& archive, CapturedLaunch& launch) {
  if (archive.failed()) return;
  Result<ptx::Module> module = ptx::parse(launch.ptx, launch.program + " (PTX)");
  if (!module) return archive.fail(module.error());
  launch.module = std::make_shared<const ptx::Module>(std::move(*module));
  if (const Status good = checkCaptured(launch); !good) archive.fail(good.error());
}

void checkRead(worker::Reader& archive, const std::vector<NamedValue>& values) {
  if (const Status good = check(values); !good)
    archive.fail(workError("a message's field " + archive.path() +
                           ".timings cannot be: " + good.error().message));
}

void checkRead(worker::Reader& archive, const Ceilings& ceilings) {
  if (const Status good = lab::checkCeilings(ceilings); !good)
    archive.fail(
        workError("a message's field " + archive.path() + " cannot be: " + good.error().message));
}

void describe(worker::Reader& archive, LiveBatch& batch) {
  describeLive(archive, batch);
  if (!holds(batch))
    archive.fail(
        workError("a message's field " + archive.path() + " holds samples that cannot be"));
}

}  // namespace tilestep::device

namespace tilestep::lab {

void checkRead(worker::Reader& archive, const RunResult& result) {
  if (archive.failed()) return;
  if (const Status good = checkResult(result); !good)
    archive.fail(
        workError("a message's field " + archive.path() + " cannot be: " + good.error().message));
}

}  // namespace tilestep::lab

namespace tilestep::worker {

void checkRead(Reader& archive, const DevicesReply& reply) {
  constexpr size_t kMostDevices = 1024;
  if (archive.failed()) return;
  if (reply.devices.size() > kMostDevices)
    return archive.fail(archive.path() + ".devices", "a list of at most 1024");
  for (const device::DeviceInfo& device : reply.devices) {
    if (const Status good = lab::checkDevice(device); !good)
      return archive.fail(workError("a message's field " + archive.path() +
                                    ".devices cannot be: " + good.error().message));
  }
}

namespace {

/// The names of the alternatives of a message's body, in the variants' order.
constexpr std::array<std::string_view, 7> kRequestTypes{"hello", "run",    "devices", "ceilings",
                                                        "ptx",   "cancel", "live"};
constexpr std::array<std::string_view, 10> kAnswerTypes{"welcome", "begun",    "progress", "result",
                                                        "devices", "ceilings", "text",     "error",
                                                        "beat",    "samples"};

template <class Message, size_t N>
std::vector<std::byte> encodeAs(const Message& message,
                                const std::array<std::string_view, N>& types) {
  static_assert(N == std::variant_size_v<decltype(message.body)>);
  Json tree = Json::object();
  tree["type"] = types[message.body.index()];
  tree["id"] = message.id;
  tree["body"] = std::visit([](const auto& body) { return Writer::tree(body); }, message.body);
  const std::vector<uint8_t> cbor = Json::to_cbor(tree);
  const auto bytes = std::as_bytes(std::span(cbor));
  return {bytes.begin(), bytes.end()};
}

/// A checked frame as a tree; an exception of the library becomes an Error.
Result<Json> treeOf(std::span<const std::byte> frame) {
  if (const Status status = checkCbor(frame); !status) return status.error();
  try {
    const auto* first = reinterpret_cast<const uint8_t*>(frame.data());
    return Json::from_cbor(first, first + frame.size());
  } catch (const std::exception& failure) {
    return workError(std::string("a message does not parse: ") + failure.what());
  }
}

/// Reads the body into the alternative that `type` names.
template <class Message, size_t N, size_t I = 0>
void readBody(Reader& reader, const std::string& type, Message& message,
              const std::array<std::string_view, N>& types) {
  if constexpr (I == N) {
    reader.fail(workError("a message is of an unknown type: " + type.substr(0, 40)));
  } else if (type == types[I]) {
    std::variant_alternative_t<I, decltype(message.body)> body;
    reader("body", body);
    message.body = std::move(body);
  } else {
    readBody<Message, N, I + 1>(reader, type, message, types);
  }
}

template <class Message, size_t N>
Status decodeInto(Message& message, std::span<const std::byte> frame,
                  const std::array<std::string_view, N>& types) {
  const auto tree = treeOf(frame);
  if (!tree) return tree.error();
  std::optional<Error> error;
  Reader reader(*tree, "message", error, std::is_same_v<Message, Answer>);
  std::string type;
  reader("id", message.id);
  reader("type", type);
  if (!error) readBody(reader, type, message, types);
  return error ? Status(*error) : Status();
}

template <class Message, size_t N>
Result<Message> decodeAs(std::span<const std::byte> frame,
                         const std::array<std::string_view, N>& types) {
  Message message;
  if (const Status status = decodeInto(message, frame, types); !status) return status.error();
  return message;
}

}  // namespace

std::vector<std::byte> encode(const Request& request) {
  return encodeAs(request, kRequestTypes);
}

std::vector<std::byte> encode(const Answer& answer) {
  return encodeAs(answer, kAnswerTypes);
}

Result<Request> decodeRequest(std::span<const std::byte> frame) {
  return decodeAs<Request>(frame, kRequestTypes);
}

Result<Answer> decodeAnswer(std::span<const std::byte> frame) {
  return decodeAs<Answer>(frame, kAnswerTypes);
}

uint64_t idOf(std::span<const std::byte> frame) {
  const auto tree = treeOf(frame);
  if (!tree || !tree->is_object()) return 0;
  const auto id = tree->find("id");
  return id != tree->end() && id->is_number_unsigned() ? id->template get<uint64_t>() : 0;
}

}  // namespace tilestep::worker
