// SPDX-License-Identifier: Apache-2.0
#include "compile/compilers/compiler_process.h"

#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <variant>

#include "base/descriptor.h"
#include "base/process/child_process.h"
#include "base/process/confine.h"
#include "base/process/time_watch.h"
#include "compile/compilers/compiler_messages.h"

namespace tilestep::compile {
namespace {

using std::chrono::milliseconds;

constexpr const char* kCommand = "--compiler";
constexpr TimeLimits kOpening{milliseconds(60'000)};
constexpr milliseconds kPause{5};
constexpr const char* kOtherwise = "; try again, or choose clang with TILESTEP_COMPILER=clang";

/// The first message of the process. If `name` is empty, the process has no compiler.
struct Greeting {
  std::string name, version;
  bool keepsFiles = false;  ///< As in Compiler.
  std::string trouble;      ///< Why an installed compiler cannot be loaded; otherwise empty.
};

/// The reason why the process did not answer.
enum class Silence : uint8_t { ended, late, cancelled, damaged };

/// The client's side of a compiler process.
class Served {
 public:
  static Result<Served> start(const std::string& program, uint64_t memoryBytes) {
    auto child = ChildProcess::start({program, kCommand, std::to_string(memoryBytes)},
                                     {.takesInput = true, .joinsOutputs = false});
    if (!child) return child.error();
    return Served(std::move(*child), memoryBytes);
  }
  [[nodiscard]] uint64_t memoryBytes() const { return memoryBytes_; }

  /// Starts the time limits for the next calls of send() and receive().
  void begin(const TimeLimits& limits) {
    watch_.emplace(child_.id(), limits);
    limit_.clear();
  }
  /// After Silence::late, the limit that was reached (TimeWatch::reached()).
  [[nodiscard]] const std::string& limit() const { return limit_; }

  /// Sends a message. Returns the reason of a failure, or nullopt on success.
  std::optional<Silence> send(const Texts& texts) {
    const std::string bytes = packed(texts);
    for (size_t sent = 0; sent < bytes.size();) {
      const ssize_t wrote = ::write(child_.input.get(), bytes.data() + sent, bytes.size() - sent);
      if (wrote > 0) {
        sent += static_cast<size_t>(wrote);
      } else if (errno != EAGAIN && errno != EINTR) {
        return Silence::ended;
      } else if (isLate()) {
        return Silence::late;
      } else {
        pollfd room{child_.input.get(), POLLOUT, 0};
        ::poll(&room, 1, static_cast<int>(kPause.count()));
      }
    }
    return std::nullopt;
  }

  std::variant<Texts, Silence> receive(const std::function<bool()>& cancelled) {
    bool isDamaged = false, hasEnded = false;
    while (true) {
      if (auto texts = unpacked(received_, isDamaged)) return std::move(*texts);
      if (isDamaged) return Silence::damaged;
      if (hasEnded) return Silence::ended;
      if (cancelled && cancelled()) return Silence::cancelled;
      if (isLate()) return Silence::late;
      hasEnded = !readSome(child_.output, kPause, received_);
      std::string ignored;  // Libraries may write there.
      readSome(child_.errors, milliseconds(0), ignored);
    }
  }

  /// Waits for the process and describes how it ended: "signal SIGSEGV".
  std::string describeItsEnd() { return describeEnd(child_.reap()); }

 private:
  Served(ChildProcess child, uint64_t memoryBytes)
      : child_(std::move(child)), memoryBytes_(memoryBytes) {}

  bool isLate() {
    limit_ = watch_->reached();
    return !limit_.empty();
  }

  /// False at the end of the stream.
  static bool readSome(Descriptor& from, milliseconds patience, std::string& bytes) {
    if (!from.isOpen()) return false;
    pollfd stream{from.get(), POLLIN, 0};
    if (::poll(&stream, 1, static_cast<int>(patience.count())) <= 0) return true;
    std::array<char, size_t{64} << 10> piece;
    const ssize_t count = ::read(from.get(), piece.data(), piece.size());
    if (count > 0) bytes.append(piece.data(), static_cast<size_t>(count));
    if (count == 0) from.close();
    return count != 0;
  }

  ChildProcess child_;
  uint64_t memoryBytes_;
  std::optional<TimeWatch> watch_;  ///< For the current task.
  std::string limit_;
  std::string received_;
};

std::optional<Greeting> greetingOf(const Texts& texts) {
  if (texts.size() != 4) return std::nullopt;
  return Greeting{texts[0], texts[1], texts[2] == "1", texts[3]};
}

class CompilerProcess final : public Compiler {
 public:
  explicit CompilerProcess(std::string program) : program_(std::move(program)) {}

  /// Starts the process and reads its greeting. False if the process has no compiler.
  Result<bool> open() {
    const std::lock_guard lock(mutex_);
    if (auto failed = startFor(CompileLimits{}.memoryBytes)) return std::move(*failed);
    return !greeting_.name.empty();
  }

  std::string name() const override { return greeting_.name; }
  std::string version() const override { return greeting_.version; }
  bool keepsFiles() const override { return greeting_.keepsFiles; }

  Result<std::string> compile(const CompileRequest& request, std::string& log) override {
    const std::lock_guard lock(mutex_);
    const CompileLimits& limits = request.limits;
    if (served_ && served_->memoryBytes() != limits.memoryBytes) served_.reset();
    if (!served_)
      if (const auto failed = startFor(limits.memoryBytes)) return *failed;
    served_->begin(limits.time);
    const auto unsent = served_->send(textsOf(request));
    auto heard =
        unsent ? std::variant<Texts, Silence>(*unsent) : served_->receive(limits.cancelled);
    if (const Texts* texts = std::get_if<Texts>(&heard)) {
      if (auto answer = answerOf(*texts)) {
        log = std::move(answer->log);
        return std::move(answer->ptx);
      }
      heard = Silence::damaged;
    }
    Error error = explained(std::get<Silence>(heard), request);
    served_.reset();
    return error;
  }

 private:
  /// Starts the process. Returns the error on failure, or nullopt on success.
  std::optional<Error> startFor(uint64_t memoryBytes) {
    Result<Served> started = Served::start(program_, memoryBytes);
    if (!started) return started.error();
    started->begin(kOpening);
    auto heard = started->receive({});
    if (const auto* silence = std::get_if<Silence>(&heard); silence && *silence == Silence::late)
      return lateError("NVRTC cannot be started in a separate process: it did not answer within " +
                       started->limit() + kOtherwise);
    const Texts* texts = std::get_if<Texts>(&heard);
    const auto greeting = texts != nullptr ? greetingOf(*texts) : std::nullopt;
    if (!greeting)
      return workError(std::string("NVRTC cannot be started in a separate process") + kOtherwise);
    if (!greeting->trouble.empty()) return workError(greeting->trouble + kOtherwise);
    if (greeting->name.empty() && !greeting_.name.empty())
      return workError("NVRTC was found earlier and is now missing" + std::string(kOtherwise));
    // Set only once, because name() and version() may read it without a lock. The same program
    // always opens the same library.
    if (greeting_.name.empty()) greeting_ = *greeting;
    served_.emplace(std::move(*started));
    return std::nullopt;
  }

  Error explained(Silence silence, const CompileRequest& request) {
    const std::string& path = request.source.path;
    if (silence == Silence::cancelled) return workError("compiling " + path + " was cancelled");
    if (silence == Silence::late)
      return lateError("NVRTC needs more than " + served_->limit() + " for " + path +
                       "; it was stopped");
    if (silence == Silence::damaged)
      return workError("NVRTC's process sent an invalid answer for " + path);
    constexpr uint64_t kMega = 1 << 20;
    return workError("NVRTC ended with " + served_->describeItsEnd() + " while it compiled " +
                     path + ": the file may nest too deeply or need more than the " +
                     std::to_string(request.limits.memoryBytes / kMega) +
                     " MiB of memory that a compiler may use, or this machine may be unable to "
                     "start another thread");
  }

  std::string program_;
  std::mutex mutex_;  ///< Allows one compile at a time, as NVRTC itself does.
  std::optional<Served> served_;
  Greeting greeting_;
};

/// Ends this process when its client ends, even if the compiler does not return.
void endWithClient() {
  std::thread([] {
    pollfd client{STDIN_FILENO, 0, 0};
    while (true) {
      if (::poll(&client, 1, -1) > 0 && (client.revents & (POLLHUP | POLLERR)) != 0) ::_exit(0);
    }
  }).detach();
}

/// The next message; nullopt at the end of the input, or if the message is invalid.
std::optional<Texts> nextRequest(std::string& bytes) {
  bool isDamaged = false;
  std::array<char, size_t{64} << 10> piece;
  while (true) {
    if (auto texts = unpacked(bytes, isDamaged)) return texts;
    if (isDamaged) return std::nullopt;
    const ssize_t count = ::read(STDIN_FILENO, piece.data(), piece.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return std::nullopt;
    bytes.append(piece.data(), static_cast<size_t>(count));
  }
}

int serve(uint64_t memoryBytes) {
  const Result<std::unique_ptr<Compiler>> opened = openNvrtc();
  if (!opened) return writeAll(STDOUT_FILENO, packed({"", "", "", opened.error().message})) ? 0 : 1;
  const std::unique_ptr<Compiler>& compiler = *opened;
  if (!compiler) return writeAll(STDOUT_FILENO, packed({"", "", "", ""})) ? 0 : 1;
  Confinement confinement;
  confinement.memoryBytes = memoryBytes;
  confinement.keepsFiles = canKeepFiles();
  // While it compiles, NVRTC loads another library, which the loader finds through its cache.
  confinement.readable = {"/etc/ld.so.cache"};
  for (const std::string& folder : compiler->folders()) confinement.readable.emplace_back(folder);
  const bool isConfined = confine(confinement);
  const bool keepsFiles = confinement.keepsFiles && isConfined;
  if (!writeAll(STDOUT_FILENO,
                packed({compiler->name(), compiler->version(), keepsFiles ? "1" : "0", ""})))
    return 1;
  endWithClient();
  std::string bytes;
  while (const auto texts = nextRequest(bytes)) {
    const auto request = requestOf(*texts);
    if (!request) return 1;
    CompileAnswer answer;
    answer.ptx = compiler->compile(*request, answer.log);
    if (!writeAll(STDOUT_FILENO, packed(textsOf(answer)))) return 1;
  }
  return 0;
}

}  // namespace

Result<std::unique_ptr<Compiler>> openNvrtcProcess(const std::string& program) {
  auto process = std::make_unique<CompilerProcess>(program);
  const Result<bool> isThere = process->open();
  if (!isThere) return isThere.error();
  if (!*isThere) return std::unique_ptr<Compiler>();
  return std::unique_ptr<Compiler>(std::move(process));
}

std::optional<int> serveIfCompiler(int argc, char** argv) {
  if (argc != 3 || std::strcmp(argv[1], kCommand) != 0) return std::nullopt;
  return serve(std::strtoull(argv[2], nullptr, 10));
}

}  // namespace tilestep::compile
