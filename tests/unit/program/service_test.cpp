// SPDX-License-Identifier: Apache-2.0
// Requests of correct, broken and hostile guests. None of them ends this process.
#include "program/service.h"

#include <gtest/gtest.h>
#include <sys/socket.h>

#include <algorithm>
#include <cstring>
#include <random>
#include <thread>

#include "program/errors.h"
#include "program/findings/findings.h"

namespace tilestep::program::service_test {

using guest::Call;

constexpr char kModule[] = R"(.version 7.0
.target sm_75
.address_size 64
.global .align 4 .u32 total;
.visible .entry set(.param .u64 to, .param .u32 value)
{
  .reg .b32 %r<2>;
  .reg .b64 %rd<2>;
  ld.param.u64 %rd1, [to];
  ld.param.u32 %r1, [value];
  st.global.u32 [%rd1], %r1;
  ret;
}
)";

guest::Copy copyOf(uint64_t to, uint64_t from, uint64_t bytes, int kind, bool carries = false) {
  guest::Copy copy{};
  copy.to = to;
  copy.from = from;
  copy.width = bytes;
  copy.height = copy.depth = 1;
  copy.kind = kind;
  copy.carries = carries;
  return copy;
}

/// The guest's end of a socket. A thread runs the service at the other end.
class Guest {
 public:
  explicit Guest(int gpu = -1) {
    int both[2];
    EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, both), 0);
    socket_ = Descriptor(both[0]);
    thread_ = std::thread([this, gpu, other = both[1]] {
      ServiceRules rules;
      rules.gpu = gpu;
      std::strcpy(rules.device.name, "a device");
      rules.device.threadsPerBlock = 1024;
      rules.device.sharedPerBlock = 49152;
      rules.device.sharedPerBlockOptin = 100000;
      rules.device.globalBytes = 1 << 30;
      rules.memoryBytes = 1 << 28;
      rules.launches.check = true;
      Service service(Descriptor(other), rules, "/nowhere", {});
      served_ = service.serve();
    });
  }
  ~Guest() {
    if (thread_.joinable()) end();
  }

  void send(const void* from, size_t bytes) {
    EXPECT_TRUE(writeAll(socket_.get(), {static_cast<const char*>(from), bytes}));
  }

  template <class T>
  guest::AnswerHead ask(Call call, const T& value, std::string_view behind = {}) {
    const guest::RequestHead head{call, sizeof value + behind.size(), 0, 0, 0};
    send(&head, sizeof head);
    send(&value, sizeof value);
    send(behind.data(), behind.size());
    return answer();
  }
  /// Sends a message that has no answer.
  template <class T>
  void tell(const guest::Told& told, const T& value, std::string_view behind = {}) {
    const guest::RequestHead head{Call::told, sizeof told + sizeof value + behind.size(), 0, 0, 0};
    send(&head, sizeof head);
    send(&told, sizeof told);
    send(&value, sizeof value);
    send(behind.data(), behind.size());
  }
  guest::AnswerHead askText(Call call, std::string_view text) {
    const guest::RequestHead head{call, text.size(), 0, 0, 0};
    send(&head, sizeof head);
    send(text.data(), text.size());
    return answer();
  }

  guest::AnswerHead answer() {
    guest::AnswerHead head{};
    head.error = -1;
    if (!receive(&head, sizeof head)) return head;
    printed.resize(head.printed);
    receive(printed.data(), printed.size());
    data.resize(head.bytes);
    receive(data.data(), data.size());
    return head;
  }

  template <class T>
  T dataAs() const {
    T value{};
    EXPECT_GE(data.size(), sizeof value);
    std::memcpy(&value, data.data(), std::min(data.size(), sizeof value));
    return value;
  }

  /// The error of a copy that sends `carried`.
  int copy(uint64_t to, uint64_t from, uint64_t bytes, int kind, std::string_view carried = {}) {
    return ask(Call::copy, copyOf(to, from, bytes, kind, !carried.empty()), carried).error;
  }
  /// Loads kModule and returns its function.
  guest::FunctionFacts load() {
    EXPECT_EQ(askText(Call::module, kModule).error, kSuccess);
    EXPECT_EQ(ask(Call::function, guest::Named{0, 0, 0}, "set").error, kSuccess);
    return dataAs<guest::FunctionFacts>();
  }
  uint64_t allocate(uint64_t bytes) {
    EXPECT_EQ(ask(Call::allocate, guest::Allocate{guest::MemoryKind::device, 0, bytes, 0, 0}).error,
              kSuccess);
    return dataAs<guest::Allocated>().address;
  }

  /// The service's record.
  ProgramRun end() {
    socket_.close();
    thread_.join();
    addFindings(served_);
    return std::move(served_);
  }

  std::string printed;
  std::vector<char> data;

 private:
  bool receive(void* to, size_t bytes) {
    auto* at = static_cast<char*>(to);
    while (bytes > 0) {
      const ssize_t got = recv(socket_.get(), at, bytes, 0);
      if (got <= 0) return false;
      at += got;
      bytes -= static_cast<size_t>(got);
    }
    return true;
  }
  Descriptor socket_;
  std::thread thread_;
  ProgramRun served_;
};

constexpr int kToDevice = 1, kToHost = 2;
constexpr uint64_t kHostAddress = 0x7f0000001000;

bool found(const ProgramRun& served, const std::string& kind) {
  return std::ranges::any_of(served.findings,
                             [&](const Finding& each) { return each.kind == kind; });
}

TEST(ProgramService, MemoryIsAllocatedCopiedAndFreed) {
  Guest guest;
  const uint64_t memory = guest.allocate(8);
  EXPECT_EQ(guest.copy(memory, kHostAddress, 8, kToDevice, "12345678"), kSuccess);
  EXPECT_EQ(guest.copy(kHostAddress, memory + 2, 4, kToHost), kSuccess);
  EXPECT_EQ(std::string(guest.data.begin(), guest.data.end()), "3456");
  const guest::Release release{memory, guest::MemoryKind::device, 0, 0};
  EXPECT_EQ(guest.ask(Call::release, release).error, kSuccess);
  EXPECT_EQ(guest.ask(Call::release, release).error, kInvalidValue);
  const ProgramRun served = guest.end();
  ASSERT_EQ(served.findings.size(), 1U);
  EXPECT_EQ(served.findings[0].kind, "use-after-free");
}

TEST(ProgramService, WrongCopiesAreRefusedAndReported) {
  Guest guest;
  const uint64_t memory = guest.allocate(8);
  EXPECT_EQ(guest.copy(memory, kHostAddress, 8, kToHost, "12345678"), kInvalidValue);
  EXPECT_EQ(guest.copy(kHostAddress, memory, 8, kToDevice), kInvalidValue);
  EXPECT_EQ(guest.copy(kHostAddress, memory + 4, 8, kToHost), kInvalidValue);
  const ProgramRun served = guest.end();
  EXPECT_TRUE(found(served, "wrong-direction"));
  EXPECT_TRUE(found(served, "copy-out-of-bounds"));
  EXPECT_TRUE(found(served, "never-freed"));
}

TEST(ProgramService, CopyingUnsetMemoryBackIsReported) {
  Guest guest;
  const uint64_t memory = guest.allocate(8);
  EXPECT_EQ(guest.ask(Call::fill, guest::Fill{memory, 0, 0, 4, 1, 1, 0, 7, 0}).error, kSuccess);
  EXPECT_EQ(guest.copy(kHostAddress, memory, 4, kToHost), kSuccess);
  EXPECT_EQ(guest.copy(kHostAddress, memory, 8, kToHost), kSuccess);
  const ProgramRun served = guest.end();
  const auto partial =
      std::ranges::find(served.findings, std::string("partial-output"), &Finding::kind);
  ASSERT_NE(partial, served.findings.end());
  EXPECT_TRUE(partial->message.starts_with("4 bytes of the 8 bytes")) << partial->message;
}

TEST(ProgramService, KernelsUseTheProgramsMemory) {
  Guest guest;
  const guest::FunctionFacts facts = guest.load();
  EXPECT_EQ(facts.parameters, 2U);
  EXPECT_EQ(facts.parameterBytes, 12U);
  EXPECT_EQ(guest.data.size(), sizeof(guest::FunctionFacts) + 2 * sizeof(guest::Parameter));
  const uint64_t memory = guest.allocate(4);
  std::string parameters(12, '\0');
  const uint32_t value = 77;
  std::memcpy(parameters.data(), &memory, 8);
  std::memcpy(parameters.data() + 8, &value, 4);
  const guest::Launch launch{facts.number, 0, {1, 1, 1}, {1, 1, 1}, 0, 0};
  EXPECT_EQ(guest.ask(Call::launch, launch, parameters).error, kSuccess);
  EXPECT_EQ(guest.ask(Call::launch, launch, "short").error, kInvalidResourceHandle);
  EXPECT_EQ(guest.copy(kHostAddress, memory, 4, kToHost), kSuccess);
  EXPECT_EQ(guest.dataAs<uint32_t>(), 77U);
  const guest::Launch wide{facts.number, 0, {1, 1, 1}, {2048, 1, 1}, 0, 0};
  EXPECT_EQ(guest.ask(Call::launch, wide, parameters).error, kInvalidConfiguration);
  const ProgramRun served = guest.end();
  ASSERT_EQ(served.launches.size(), 2U);
  EXPECT_TRUE(served.launches[0].ran);
  EXPECT_TRUE(served.launches[0].faults.empty());
  EXPECT_FALSE(served.launches[1].ran);
  EXPECT_TRUE(found(served, "launch-failed"));
}

TEST(ProgramService, AFaultEndsTheDevicesWork) {
  Guest guest;
  guest.load();
  const uint64_t memory = guest.allocate(4);
  std::string parameters(12, '\0');
  const uint64_t beyond = memory + 4;
  std::memcpy(parameters.data(), &beyond, 8);
  const guest::Launch launch{0, 0, {1, 1, 1}, {1, 1, 1}, 0, 0};
  EXPECT_EQ(guest.ask(Call::launch, launch, parameters).error, kSuccess);
  EXPECT_EQ(guest.ask(Call::note, guest::Noted{guest::Note::waitedForDevice, 0}).error,
            kIllegalAddress);
  EXPECT_EQ(guest.copy(kHostAddress, memory, 4, kToHost), kIllegalAddress);
  EXPECT_TRUE(guest.data.empty());
  const ProgramRun served = guest.end();
  ASSERT_EQ(served.launches.size(), 1U);
  ASSERT_EQ(served.launches[0].faults.size(), 1U);
  EXPECT_EQ(served.launches[0].faults[0].kind, "out-of-bounds");
}

TEST(ProgramService, UnknownHandlesAreRefused) {
  Guest guest;
  for (const Call call : {Call::endStream, Call::endEvent, Call::record, Call::await, Call::wait,
                          Call::elapsed, Call::query})
    EXPECT_EQ(guest.ask(call, guest::Handles{99, 98, 0, 1}).error, kInvalidResourceHandle)
        << static_cast<int>(call);
  EXPECT_EQ(guest.ask(Call::endStream, guest::Handles{0, 0, 0, 0}).error, kInvalidResourceHandle)
      << "the default stream cannot be destroyed";
  EXPECT_EQ(guest.ask(Call::launch, guest::Launch{5, 0, {1, 1, 1}, {1, 1, 1}, 0, 0}).error,
            kInvalidDeviceFunction);
  EXPECT_EQ(guest.ask(Call::function, guest::Named{7, 0, 0}, "set").error, kInvalidDeviceFunction);
  EXPECT_EQ(guest.askText(Call::module, "no PTX at all").error, kInvalidKernelImage);
}

TEST(ProgramService, ImpossibleBoxesAreRefused) {
  Guest guest;
  const uint64_t memory = guest.allocate(64);
  for (const uint64_t huge : {uint64_t{1} << 40, ~uint64_t{0}, uint64_t{1} << 63}) {
    guest::Copy copy = copyOf(kHostAddress, memory, 4, kToHost);
    copy.height = huge;
    copy.fromPitch = copy.toPitch = huge;
    EXPECT_EQ(guest.ask(Call::copy, copy).error, kInvalidValue);
    EXPECT_EQ(guest.ask(Call::fill, guest::Fill{memory, huge, huge, 4, huge, huge, 0, 0, 0}).error,
              kInvalidValue);
    EXPECT_EQ(guest.copy(kHostAddress, memory, huge, kToHost), kInvalidValue);
    EXPECT_NE(
        guest.ask(Call::allocate, guest::Allocate{guest::MemoryKind::device, 0, huge, huge, 0})
            .error,
        kSuccess);
  }
}

TEST(ProgramService, TruncatedOrEndlessRequestsEndOnlyTheService) {
  for (const uint64_t promised : {uint64_t{100}, ~uint64_t{0}}) {
    Guest guest;
    const guest::RequestHead head{Call::copy, promised, 0, 0, 0};
    guest.send(&head, sizeof head);
    guest.end();
  }
  Guest guest;
  guest.send("half", 4);
  guest.end();
}

TEST(ProgramService, RandomBytesAreAnswered) {
  std::mt19937_64 random(7);
  Guest guest;
  guest.load();
  const uint64_t memory = guest.allocate(256);
  for (int i = 0; i < 3000; ++i) {
    const auto call = static_cast<Call>(random() % static_cast<uint64_t>(Call::gpu));
    std::string bytes(random() % 120, '\0');
    for (char& byte : bytes) byte = static_cast<char>(random() % 3 == 0 ? random() : 0);
    if (bytes.size() >= 8 && random() % 2 == 0) std::memcpy(bytes.data(), &memory, 8);
    if (call == Call::allocate && bytes.size() >= 16) bytes[13] = bytes[14] = bytes[15] = 0;
    EXPECT_NE(guest.askText(call, bytes).error, -1) << "call " << static_cast<int>(call);
  }
}

constexpr uint64_t kDriversAddress = 0x7f5cd3e00000;

TEST(ProgramService, DriversWorkIsRecordedButNotRepeated) {
  Guest guest(0);
  const uint32_t function = guest.load().number;
  guest.tell({Call::allocate, kSuccess, kDriversAddress, 0},
             guest::Allocate{guest::MemoryKind::device, 0, 4, 0, 0});
  guest.tell({Call::copy, kInvalidValue, 0, 0},
             copyOf(kDriversAddress, kHostAddress, 8, kToDevice));
  guest::Launch launch{function, 0, {1, 1, 1}, {1, 1, 1}, 0, 0};
  const std::string parameters(12, '\0');
  guest.tell({Call::launch, kSuccess, 0, 5}, launch, parameters);
  launch.block[0] = 1024;
  guest.tell({Call::launch, kOutOfResources, 0, 0}, launch, parameters);
  const guest::RequestHead head{Call::took, sizeof(guest::Took), 0, 0, 0};
  const guest::Took took{5, 2.5F};
  guest.send(&head, sizeof head);
  guest.send(&took, sizeof took);
  guest.tell({Call::note, kIllegalAddress, 0, 0}, guest::Noted{guest::Note::waitedForDevice, 0});
  const ProgramRun served = guest.end();
  EXPECT_TRUE(found(served, "copy-out-of-bounds"));
  ASSERT_EQ(served.launches.size(), 2U);
  EXPECT_EQ(served.launches[0].milliseconds, 2.5);
  EXPECT_TRUE(served.launches[0].faults.empty()) << "its parameters are null pointers";
  EXPECT_EQ(served.launches[1].refusal,
            "the GPU's driver reports \"too many resources requested for launch\"");
  EXPECT_EQ(served.calls.back().result, kIllegalAddress);
  EXPECT_TRUE(std::ranges::any_of(served.findings, [](const Finding& each) {
    return each.message.starts_with("The launch of set failed on the GPU: \"an illegal memory");
  }));
}

TEST(ProgramService, DriverDecidesWhichAddressesAreTheHosts) {
  Guest guest(0);
  guest.tell({Call::allocate, kSuccess, kDriversAddress, 0},
             guest::Allocate{guest::MemoryKind::pinned, 0, 4096, 0, 0});
  guest.tell({Call::release, kSuccess, 0, 0},
             guest::Release{kDriversAddress, guest::MemoryKind::pinned, 0, 0});
  // By now, this address is in the host's own memory.
  guest.tell({Call::copy, kSuccess, 0, 0}, copyOf(kHostAddress, kDriversAddress, 8, kToDevice));
  EXPECT_TRUE(guest.end().findings.empty());
}

}  // namespace tilestep::program::service_test
