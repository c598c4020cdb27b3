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
#include "program/order.h"
#include "program/places.h"
#include "program/queue.h"
#include "program/record.h"
#include "program/wire.h"

namespace tilestep::program {

struct ServiceRules {
  guest::DeviceFacts device;
  LaunchRules launches;
  uint64_t memoryBytes = 0;  ///< What the program may allocate.
};

/// Serves a guest until it has gone: its device, with its memory and its work. Whatever comes over
/// the socket, this process goes on.
class Service {
 public:
  Service(Descriptor socket, const ServiceRules& rules, const std::filesystem::path& program,
          std::function<bool()> cancelled);
  ~Service();
  /// All of the run but how the program ended and what it printed; findings of single calls alone.
  ProgramRun serve();

 private:
  struct Answer {
    int error = 0;
    std::vector<uint8_t> data;
    Descriptor descriptor;
  };
  struct Stream {
    uint64_t last = 0;  ///< Number of its latest work.
  };
  struct Event {
    bool recorded = false;
    uint64_t last = 0;  ///< Number of the work that it waits for.
    std::shared_ptr<std::chrono::steady_clock::time_point> reached;
    Place place;          ///< Where it was recorded,
    uint64_t moment = 0;  ///< and when.
  };

  Answer handle(const Request& request);
  Answer hello(const Request& request);
  Answer addModule(const Request& request);
  Answer addFunction(const Request& request);
  Answer addVariable(const Request& request);
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
  Answer memoryInfo();
  /// As the text has it; gives the call its right name, too.
  std::string nameInText(const Allocation& allocation, CallRecord& call);

  /// Notes work that is issued now, with what it reads and writes; returns its number in the log.
  size_t issue(const Request& request, uint64_t stream, Work work);
  void keepHistory();
  /// Adds work of the stream to the queue.
  void enqueue(uint64_t stream, std::function<void()> work);
  Stream* streamOf(uint64_t number);
  CallRecord& record(const Request& request, std::string name, int error);
  void findFailedAllocation(const Request& request, uint64_t bytes);
  void noteClocks(const guest::RequestHead& head);
  void find(std::string kind, Severity severity, uint64_t where, std::string message);
  /// The error of work that the queue did, once.
  int deviceError();
  std::string takePrinted();
  /// Waits for work of the queue, while which the host does nothing else.
  void waitFor(uint64_t number);
  void waitForAll();

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
  std::mutex mutex_;  ///< Guards what the queue's thread uses too, down to the queue.
  Memory memory_;
  WorkLog log_;
  std::string printed_;
  int error_ = 0;  ///< That ended the device's work.
  /// The host can write to memory that kernels read; it waits for the device.
  std::atomic<bool> sharesMemory_ = false, hostWaits_ = false;
  Queue queue_;
};

}  // namespace tilestep::program
