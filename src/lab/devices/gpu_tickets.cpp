// SPDX-License-Identifier: Apache-2.0
#include "lab/devices/gpu_tickets.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstring>
#include <memory>
#include <random>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/descriptor.h"
#include "base/hash.h"

namespace tilestep::lab {
namespace {

struct Ending {
  TicketName::Kind kind;
  std::string_view text;
};
constexpr std::array<Ending, 3> kEndings{{{TicketName::Kind::wait, ".wait"},
                                          {TicketName::Kind::turn, ".turn"},
                                          {TicketName::Kind::last, ".last"}}};

std::string prefixOf(const std::string& gpu) {
  std::string prefix = "tilestep-" + gpu + "-";
  std::ranges::replace(prefix, '/', '_');
  return prefix;
}

/// Takes a number and what is behind it off the front of the text.
template <class Number>
bool take(std::string_view& text, Number& number, char behind, int base = 10) {
  const char* end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, number, base);
  if (read.ec != std::errc{} || read.ptr == end || *read.ptr != behind) return false;
  text.remove_prefix(static_cast<size_t>(read.ptr - text.data()) + 1);
  return true;
}

/// A ticket has one name only, so numbers have no needless zeros, and those to the base of 16 have
/// all of their digits, in small letters. Makes no text, because a folder may have very many files.
std::optional<TicketName> nameBehind(std::string_view prefix, std::string_view text) {
  if (!text.starts_with(prefix)) return std::nullopt;
  text.remove_prefix(prefix.size());
  constexpr size_t kDigits = 16;
  TicketName name;
  if (text.starts_with('0') || !take(text, name.process, '-') || name.process <= 0)
    return std::nullopt;
  if ((text.starts_with('0') && !text.starts_with("0-")) || !take(text, name.start, '-'))
    return std::nullopt;
  const std::string_view digits = text.substr(0, kDigits);
  if (digits.find_first_not_of("0123456789abcdef") != std::string_view::npos) return std::nullopt;
  if (text.find('.') != kDigits || !take(text, name.number, '.', 16)) return std::nullopt;
  const auto* const at =
      std::ranges::find(kEndings, text, [](const Ending& ending) { return ending.text.substr(1); });
  if (at == kEndings.end()) return std::nullopt;
  name.kind = at->kind;
  return name;
}

int64_t changedNs(const struct stat& about) {
  // Nobody can set this time; that of the last write can be set to anything by the file's owner.
  constexpr int64_t kNs = 1'000'000'000;
  return int64_t{about.st_ctim.tv_sec} * kNs + about.st_ctim.tv_nsec;
}

/// Where the system shows each user only their own processes, others are known to run, and nothing
/// else.
bool isHidden(pid_t process) {
  return ::kill(process, 0) != 0 && errno == EPERM &&
         ::access(("/proc/" + std::to_string(process)).c_str(), F_OK) != 0;
}

uint64_t randomNumber() {
  std::random_device random;
  return uint64_t{random()} << 32 | random();
}

Error noQueue(const std::string& folder, const std::string& why) {
  return workError("the queue for the GPU in " + folder + " cannot be used: " + why);
}

struct CloseFolder {
  void operator()(DIR* folder) const { ::closedir(folder); }
};

/// What the system says about processes, each of which it is asked for once.
class Processes {
 public:
  /// `owner` and `start` are believed of a process about which nothing else is known.
  std::optional<ProcessFacts> factsOf(pid_t process, uid_t owner, uint64_t start) {
    const auto [at, isNew] = known_.try_emplace(process);
    Known& known = at->second;
    // Most processes that have ended are known by that much sooner than from their files.
    if (isNew && (::kill(process, 0) == 0 || errno != ESRCH)) {
      known.facts = processFacts(process);
      known.isHidden = !known.facts && isHidden(process);
    }
    return known.isHidden ? ProcessFacts{owner, start} : known.facts;
  }

 private:
  struct Known {
    std::optional<ProcessFacts> facts;
    bool isHidden = false;
  };
  std::unordered_map<pid_t, Known> known_;
};

/// One user's tickets of one look.
using UsersTickets = std::map<TicketId, Ticket>;

/// Leaves the kMostTickets that come first in the order of `timeOf`, and those for which it is
/// nothing.
template <class TimeOf>
void keepFirst(UsersTickets& tickets, const TimeOf& timeOf) {
  std::vector<std::pair<int64_t, TicketId>> order;
  for (const auto& [id, ticket] : tickets)
    if (const std::optional<int64_t> time = timeOf(ticket)) order.emplace_back(*time, id);
  if (order.size() <= kMostTickets) return;
  const auto end = order.begin() + static_cast<std::ptrdiff_t>(kMostTickets);
  std::ranges::nth_element(order, end);
  std::for_each(end, order.end(), [&](const auto& entry) { tickets.erase(entry.second); });
}

/// Leaves what a look keeps of one user, and those that `entered`.
void thinOut(UsersTickets& tickets, const std::set<TicketId>& entered) {
  using Time = std::optional<int64_t>;
  keepFirst(tickets, [&](const Ticket& ticket) {
    return ticket.claimedNs && !entered.contains(ticket.id) ? Time(-*ticket.claimedNs) : Time();
  });
  keepFirst(tickets, [&](const Ticket& ticket) {
    return ticket.claimedNs || entered.contains(ticket.id) ? Time() : ticket.waitsSinceNs;
  });
}

}  // namespace

std::string textOf(const TicketName& name, const std::string& gpu) {
  std::string text = prefixOf(gpu) + std::to_string(name.process) + "-" +
                     std::to_string(name.start) + "-" + hex64(name.number);
  for (const Ending& ending : kEndings)
    if (ending.kind == name.kind) text += ending.text;
  return text;
}

std::optional<TicketName> ticketNameOf(std::string_view text, const std::string& gpu) {
  return nameBehind(prefixOf(gpu), text);
}

bool isBelieved(const TicketName& name, const TicketFile& file,
                const std::optional<ProcessFacts>& process) {
  if (!file.isRegular || file.links != 1) return false;
  if (name.kind == TicketName::Kind::last) return true;
  return process && process->user == file.owner && process->start == name.start;
}

std::string GpuTickets::pathOf(const TicketName& name) const {
  return folder_ + "/" + textOf(name, gpu_);
}

Result<TicketId> GpuTickets::newId() {
  const auto facts = processFacts(::getpid());
  if (!facts) return noQueue(folder_, "/proc does not say what this process is");
  return TicketId{facts->user, ::getpid(), facts->start, randomNumber()};
}

Result<QueueState> GpuTickets::look(const std::function<bool()>& stop) {
  const std::unique_ptr<DIR, CloseFolder> folder(::opendir(folder_.c_str()));
  struct stat about {};
  if (!folder || ::fstat(::dirfd(folder.get()), &about) != 0)
    return noQueue(folder_, std::strerror(errno));
  const bool isOpenToAll = (about.st_mode & (S_IWOTH | S_IWGRP)) != 0;
  if (isOpenToAll && (about.st_mode & S_ISVTX) == 0)
    return noQueue(folder_, "anybody may remove other people's files there");
  if (about.st_uid != 0 && about.st_uid != ::geteuid())
    return noQueue(folder_, "it belongs to " + userName(about.st_uid));
  constexpr size_t kBetweenStops = 256, kManyTickets = 4096;
  const std::string prefix = prefixOf(gpu_);
  QueueState state;
  Processes processes;
  std::map<uint32_t, UsersTickets> users;
  size_t entries = 0, files = 0;
  ownMark_.reset();
  while (const dirent* entry = ::readdir(folder.get())) {
    if (++entries % kBetweenStops == 0 && stop && stop()) return workError("Stopped.");
    const auto name = nameBehind(prefix, entry->d_name);
    if (!name) continue;
    if (++files > mostFiles_)
      return noQueue(folder_, "it has more than " + std::to_string(mostFiles_) + " files there");
    if (::fstatat(::dirfd(folder.get()), entry->d_name, &about, AT_SYMLINK_NOFOLLOW) != 0) continue;
    const TicketFile file{about.st_uid, S_ISREG(about.st_mode), about.st_nlink};
    std::optional<ProcessFacts> process;
    if (name->kind != TicketName::Kind::last)
      process = processes.factsOf(name->process, about.st_uid, name->start);
    const bool isOwn = about.st_uid == ::geteuid();
    if (!isBelieved(*name, file, process)) {
      if (isOwn) ::unlinkat(::dirfd(folder.get()), entry->d_name, 0);
      continue;
    }
    const int64_t changed = changedNs(about);
    if (name->kind == TicketName::Kind::last) {
      int64_t& last = state.lastTurns.try_emplace(about.st_uid, changed).first->second;
      last = std::max(last, changed);
      if (isOwn) ownMark_ = entry->d_name;
      continue;
    }
    const TicketId id{about.st_uid, name->process, name->start, name->number};
    UsersTickets& tickets = users[about.st_uid];
    Ticket& ticket = tickets[id];
    ticket.id = id;
    (name->kind == TicketName::Kind::wait ? ticket.waitsSinceNs : ticket.claimedNs) = changed;
    if (tickets.size() > kManyTickets) thinOut(tickets, entered_);
  }
  for (auto& [user, tickets] : users) {
    thinOut(tickets, entered_);
    for (const auto& [id, ticket] : tickets) state.tickets.push_back(ticket);
  }
  return state;
}

Status GpuTickets::enter(const TicketId& id) {
  entered_.insert(id);
  return make(id, TicketName::Kind::wait);
}

Status GpuTickets::make(const TicketId& id, TicketName::Kind kind) {
  const std::string path = pathOf({kind, id.process, id.start, id.number});
  const Descriptor made(
      ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
  return made.isOpen() ? Status() : Status(noQueue(folder_, std::strerror(errno)));
}

void GpuTickets::remove(const TicketId& id, TicketName::Kind kind) {
  ::unlink(pathOf({kind, id.process, id.start, id.number}).c_str());
}

void GpuTickets::leave(const TicketId& id, bool hadTurn) {
  remove(id, TicketName::Kind::wait);
  if (hadTurn) markTurn(id);  // Before others see that the GPU is free.
  remove(id, TicketName::Kind::turn);
  entered_.erase(id);
}

void GpuTickets::markTurn(const TicketId& id) {
  const bool isMarked = ownMark_ && ::utimensat(AT_FDCWD, (folder_ + "/" + *ownMark_).c_str(),
                                                nullptr, AT_SYMLINK_NOFOLLOW) == 0;
  if (!isMarked) static_cast<void>(make(id, TicketName::Kind::last).ok());
}

}  // namespace tilestep::lab
