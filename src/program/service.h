// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "program/history/accesses.h"
#include "program/launcher.h"
#include "program/memory.h"
#include "program/modules.h"
#include "program/operations.h"
#include "program/order.h"
#include "program/places.h"
#include "program/queue.h"
#include "program/record.h"
#include "program/wire.h"

namespace tilestep::program {

struct ServiceRules {
  guest::DeviceFacts device{};
  int gpu = -1;         ///< The GPU that serves the guest; -1 for this process.
  bool timed = false;   ///< With a GPU, measures the time of copies, fills and launches.
  bool looked = false;  ///< With a GPU, this process also runs the launches, as far as possible.
  LaunchRules launches;
  uint64_t memoryBytes = 0;  ///< The program's memory limit.
  /// Called every few milliseconds during a launch, on another thread; may be empty.
  std::function<void(const LaunchProgress&)> progress;
};

/// Serves a guest as its device until it disconnects. Invalid data never ends this process.
class Service {
 public:
  Service(Descriptor socket, const ServiceRules& rules, const std::filesystem::path& program,
          std::function<bool()> cancelled);
  ~Service();
  /// The record of the run, except how the program ended and its output. Has only those findings
  /// that concern single calls.
  ProgramRun serve();
  /// Whether the launch to be captured has been captured. From any thread.
  [[nodiscard]] bool hasCaptured() const { return hasCaptured_; }

 private:
  struct Answer {
    int error = 0;
    std::vector<uint8_t> data;
    Descriptor descriptor;
    std::vector<iovec> rows;  ///< Sent instead of `data`: memory that stays valid until it is sent.
  };
  struct Stream {
    uint64_t last = 0;  ///< The number of the stream's latest work.
  };
  struct Event {
    bool recorded = false;
    uint64_t last = 0;  ///< The number of the work that the event waits for.
    std::shared_ptr<std::chrono::steady_clock::time_point> reached;
    Place place;  ///< Where and when the event was recorded.
    uint64_t moment = 0;
  };

  /// Handles reports of a guest on a GPU. False if the request is no report, and needs an answer.
  bool hear(const Request& request);
  void hearTold(const Request& request);
  void hearTook(const Request& request);
  void hearContents(const Request& request);
  /// Whether this process does not do the work of the current call.
  [[nodiscard]] bool isOnlyTold() const;
  [[nodiscard]] std::string whyNotLooked(bool hasFailed) const;
  /// Copies only the interpreter's findings about a launch that a GPU has run.
  void keepWhatTheGpuDid(const LaunchRecord& gpus, LaunchOutcome& outcome,
                         LaunchRecord& seen) const;
  /// Records the cause of a driver's error that ends the device's work.
  void findLost(const Request& request, int error);
  /// Forgets launches that have ended successfully, because the host has waited for them.
  void forgetWhatIsOver(const Request& request);
  Allocation* adoptTold(uint64_t bytes, guest::MemoryKind kind);
  [[nodiscard]] Refusal toldRefusal(const Refusal& expected) const;

  Answer answerTo(const Request& request);
  Answer handle(const Request& request);
  Answer hello(const Request& request);
  Answer addModule(const Request& request);
  Answer addFunction(const Request& request);
  Answer addVariable(const Request& request);
  void linkVariables(const ptx::Module& module, uint32_t number);
  Answer allocate(const Request& request);
  Answer release(const Request& request);
  Answer copy(const Request& request);
  Answer fill(const Request& request);
  Answer launch(const Request& request);
  Answer wait(const Request& request, bool onlyAsk);
  Answer handles(const Request& request);
  Answer elapsed(const Request& request);
  Answer attribute(const Request& request);
  Answer occupancy(const Request& request);
  Answer limit(const Request& request);
  Answer pointer(const Request& request);
  Answer note(const Request& request);
  Answer touched(const Request& request);
  Answer overflowed(const Request& request);
  Answer refused(const Request& request);
  Answer memoryInfo();
  /// The memory's name in the source. Also sets the call's name to the function in the source.
  std::string nameInText(const Allocation& allocation, const guest::Allocate& wanted,
                         CallRecord& call);

  /// Records work that is issued now, with its reads and writes. Returns its index in the log.
  size_t issue(const Request& request, uint64_t stream, Work work);
  void keepHistory();
  void enqueue(uint64_t stream, std::function<void()> work);
  Stream* streamOf(uint64_t number);
  CallRecord& record(const Request& request, std::string name, int error);
  void findUnsetConstants(const Kernel& kernel, const LaunchRecord& launch);
  void findFailedAllocation(const Request& request, uint64_t bytes);
  void noteClocks(const guest::RequestHead& head);
  void find(std::string kind, Severity severity, uint64_t where, std::string message);
  /// The error of work from the queue. Returned once.
  int deviceError();
  std::string takePrinted();
  /// Waits for work in the queue. The host is known to do nothing else meanwhile.
  void waitFor(uint64_t number);
  void waitForAll();

  /// The report of the current call, if a GPU's driver has already done it; otherwise null.
  const guest::Told* told_ = nullptr;
  /// Why the guest's launches are no longer examined.
  guest::Look look_ = guest::Look::yes;
  /// For each work number of the guest, whether it is a launch, and its index. Then the launches
  /// since the last wait for the device.
  std::map<uint64_t, std::pair<bool, size_t>> timedWork_;
  std::vector<size_t> underWay_;
  Wire wire_;
  ServiceRules rules_;
  std::function<bool()> cancelled_;
  Modules modules_;
  Places places_;
  ProgramRun served_;
  std::map<uint64_t, Stream> streams_;
  std::map<uint64_t, Event> events_;
  std::map<int, uint64_t> limits_;
  uint64_t nextHandle_ = 16;
  uint64_t moment_ = 0;
  struct IssuedLaunch {
    size_t number = 0;
    Ticket ticket;
  };
  std::optional<IssuedLaunch> latestLaunch_;
  Order order_;
  std::mutex mutex_;  ///< Guards the members down to `queue_`, whose thread also uses them.
  Memory memory_;
  WorkLog log_;
  Operations operations_;
  std::vector<Finding> ofOperations_;
  std::string printed_;
  int error_ = 0;  ///< The error that ended the device's work.
  /// Whether the host can write to memory that kernels read, and whether it waits for the device.
  std::atomic<bool> sharesMemory_ = false, hostWaits_ = false;
  std::atomic<bool> hasCaptured_ = false;
  Queue queue_;
};

}  // namespace tilestep::program
