// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "base/process/process_facts.h"
#include "base/result.h"
#include "lab/devices/gpu_queue.h"

namespace tilestep::lab {

/// What a name in the queue's folder says: "tilestep-0000:3b:00-1234-567890-0123456789abcdef.wait".
struct TicketName {
  enum class Kind {
    wait,  ///< The request is in the queue.
    turn,  ///< It claims its turn, or has it.
    last,  ///< Made anew, or touched, when a turn of its owner ended.
  };
  Kind kind = Kind::wait;
  int32_t process = 0;  ///< With start and number as in TicketId.
  uint64_t start = 0, number = 0;
  bool operator==(const TicketName&) const = default;
};
[[nodiscard]] std::string textOf(const TicketName& name, const std::string& gpu);
/// Nothing for any other name.
[[nodiscard]] std::optional<TicketName> ticketNameOf(std::string_view text, const std::string& gpu);

/// What the file system says about a file in the queue's folder.
struct TicketFile {
  uint32_t owner = 0;
  bool isRegular = false;
  uint64_t links = 1;
};
/// Whether it is a request of its owner: a regular file under no other name, of a process that runs
/// as that user and started when the name says; `process` is the one of that number, if it runs.
[[nodiscard]] bool isBelieved(const TicketName& name, const TicketFile& file,
                              const std::optional<ProcessFacts>& process);

/// How many of one user's requests a look keeps: of those that wait the oldest, and of those that
/// claim the GPU the newest, among which is whoever uses it. More than can have a place, and enough
/// for those that are about to leave or to withdraw.
constexpr size_t kMostTickets = 2 * kMostPlaces;
/// How many files of the queue a look reads. Every one has to be looked at, because a claim that
/// was not seen could be anybody's; so many take less than kLongestPauseNs.
constexpr size_t kMostFiles = 500'000;

/// The queue for one GPU as files in a folder that all users of the machine write to, such as /tmp.
/// A file's name, its owner and its times say everything; nobody's file is ever opened, and nobody
/// can make, change or remove a file of somebody else there. For one thread.
class GpuTickets {
 public:
  /// `gpu` names the GPU: its place (DeviceInfo).
  GpuTickets(std::string folder, std::string gpu, size_t mostFiles = kMostFiles)
      : folder_(std::move(folder)), gpu_(std::move(gpu)), mostFiles_(mostFiles) {}

  /// A new request of this process. An Error where the system says nothing about processes.
  Result<TicketId> newId();
  /// The tickets that can be believed: kMostTickets of each user, and those that entered by way of
  /// this object. Files that this user's processes left when they were killed are removed. `stop`
  /// is asked from time to time while there are many files. Errors: the folder cannot be read, is
  /// open to removal by anybody, or has too many files of the queue; or stopped.
  Result<QueueState> look(const std::function<bool()>& stop = {});
  Status enter(const TicketId& id);
  Status claim(const TicketId& id) { return make(id, TicketName::Kind::turn); }
  void withdraw(const TicketId& id) { remove(id, TicketName::Kind::turn); }
  /// Ends the request. `hadTurn`: it used the GPU.
  void leave(const TicketId& id, bool hadTurn);

 private:
  Status make(const TicketId& id, TicketName::Kind kind);
  void remove(const TicketId& id, TicketName::Kind kind);
  void markTurn(const TicketId& id);
  [[nodiscard]] std::string pathOf(const TicketName& name) const;

  std::string folder_, gpu_;
  size_t mostFiles_;
  std::set<TicketId> entered_;
  std::optional<std::string> ownMark_;  ///< The file of this user's last turn.
};

}  // namespace tilestep::lab
