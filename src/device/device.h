// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/dim3.h"
#include "base/element.h"
#include "base/launch.h"
#include "base/result.h"
#include "device/captured.h"
#include "device/hardware.h"
#include "device/host_memory.h"
#include "device/named_value.h"
#include "device/run_options.h"
#include "ptx/assembled.h"
#include "trace/branch_lines.h"
#include "trace/counters.h"
#include "trace/recording.h"
#include "trace/timeline.h"

namespace tilestep::ptx {
struct Module;
}

namespace tilestep::device {

/// A device's description of itself. Its limits decide which slider values are legal.
struct DeviceInfo {
  std::string id;                                ///< "cuda:0", "simt", "recorded:nvidia-h200"
  std::string name;                              ///< "NVIDIA H200", "SIMT interpreter"
  std::optional<std::string> computeCapability;  ///< "9.0"
  bool measures = false;                         ///< Can give times.
  Limits limits;
  /// Facts for occupancy and theory; 0 where unknown.
  uint32_t multiprocessors = 0;
  uint32_t registersPerMultiprocessor = 0;
  uint32_t sharedBytesPerMultiprocessor = 0;
  uint32_t sharedBytesReservedPerBlock = 0;
  uint32_t threadsPerMultiprocessor = 0;
  uint32_t blocksPerMultiprocessor = 0;
  uint32_t clockMhz = 0;
  uint64_t l2Bytes = 0;
  std::string place;   ///< A GPU's PCI domain, bus and device: "0000:3b:00".
  std::string driver;  ///< A GPU's: "580.159.04, CUDA 13.0".
  /// A hash of the GPU's UUID, which tells it from others of its name; empty: not known.
  std::string identity;
  /// For a recording, the day on which it was made: "2026-11-21". Empty for a device that is here.
  std::string recordedOn;
  /// For a recorded point: how many machines its recording names, and the number of the one that
  /// took it, from 1. 0: not known.
  uint32_t machines = 0, machine = 0;

  // In device_info.cpp alone: inline they would be compiled into every file that holds one.
  DeviceInfo();
  DeviceInfo(const DeviceInfo& other);
  DeviceInfo(DeviceInfo&& other) noexcept;
  DeviceInfo& operator=(const DeviceInfo& other);
  DeviceInfo& operator=(DeviceInfo&& other) noexcept;
  ~DeviceInfo();
};

/// "NVIDIA H200", or "NVIDIA H200 no. 2" for a point of a recording made on several machines.
[[nodiscard]] std::string machineText(const DeviceInfo& info);

/// A member of a structure that is passed by value.
struct Field {
  ElementType type = ElementType::i32;
  uint64_t offset = 0;  ///< Bytes.
  double value = 0;     ///< Converted to `type`; whole where that is.
  int pointsTo = -1;    ///< Index of the operand whose address it holds; -1: it is a number.
};

/// A buffer or scalar as the kernel gets it.
struct Operand {
  std::string name;
  OperandKind kind = OperandKind::buffer;
  ElementType type = ElementType::f32;
  Direction direction = Direction::in;
  Fill fill = Fill::random;
  uint64_t elements = 0;
  uint64_t rows = 0, columns = 0;  ///< 0 where only the extent is known.
  double scalar = 0;               ///< Scalars; converted to `type`; whole where that is.
  std::vector<Field> fields;       ///< Members of a scalar that is a structure; else empty.
  uint64_t structureBytes = 0;
  bool held = false;  ///< A buffer that a structure's field points to: no parameter of its own.
  /// Of a captured launch: the range of memory that it lies in, and where. -1: in none.
  int range = -1;
  uint64_t rangeOffset = 0;
  /// The bytes() bytes of an input, in place of its fill. Null: its fill.
  std::shared_ptr<const std::vector<std::byte>> contents;
  [[nodiscard]] uint64_t bytes() const { return elements * bytesOf(type); }
};

/// Everything that a device needs to run one experiment. It has been checked before.
struct Job : RunOptions {
  std::shared_ptr<const ptx::Module> module;
  std::string ptx;           ///< The module's text.
  ptx::Assembled assembled;  ///< What an assembler said of the module; may be empty.
  /// kernels/probes/count.cu compiled: what an instrumented module calls. Only GPUs need it.
  std::shared_ptr<const ptx::Module> probes;
  std::vector<Operand> operands;  ///< In parameter order; symbols after them.
  /// The launch that is run: its memory and parameters are given, nothing is filled, and operands
  /// are views of it. Null: a kernel with operands that are filled.
  std::shared_ptr<const CapturedLaunch> captured;
  std::vector<Launch> launches;
  std::vector<trace::SharedArray> sharedArrays;  ///< Names and shapes for the trace; may be empty.
  bool outputs = true;  ///< Bring the outputs back.
  /// Interpreter, with `traceBlock`: run the traced block alone (a trace beside a GPU's run). A
  /// device may ignore it: the trace is the same.
  bool tracedBlockOnly = false;
  double spentSeconds = 0;  ///< How much of timeoutSeconds was over when `run` was called.
  std::string clockProbe;   ///< PTX of kernels/probes/clocks.cu; needed with `timeline`.
  /// Called now and then with the finished share of the work (0 to 1), on the thread that called
  /// `run`. May be empty. A device that does not know the share does not call it.
  std::function<void(double fraction)> progress;
};

struct Measurement {
  bool recorded = false;
  double medianMs = 0, minMs = 0, p10Ms = 0, p90Ms = 0;
  uint32_t repetitions = 0;            ///< Samples that count.
  std::optional<uint32_t> clockMhz;    ///< Mean of the multiprocessors' clock over them.
  double spread = 0;                   ///< (p90 - p10) / median.
  uint32_t rejected = 0;               ///< Samples left out because the clock was low.
  uint32_t batch = 1;                  ///< Back-to-back runs in a sample; it is their mean.
  std::optional<double> powerWatts;    ///< Mean while it was measured; only where long enough.
  std::optional<double> coldMedianMs;  ///< Single runs, each after the L2 cache was emptied.
  std::string method;                  ///< How it was done, in one short line.
};

struct AccessSite {
  uint32_t line = 0;
  Dim3 thread{0, 0, 0};
  Dim3 block{0, 0, 0};
};

struct Hazard {
  std::string kind;   ///< "read-after-write", "write-after-read", "write-after-write"
  std::string space;  ///< "shared" or "global"
  AccessSite first, second;
  uint32_t epoch = 0;
  uint64_t count = 0;
  std::string message;  ///< What is wrong and what is missing, in a sentence.
  // These are known only in the process that ran the kernel; no worker sends them.
  std::string place;  ///< "bins[0]", "Mds[0][3]"
};

struct Fault {
  std::string kind;  ///< "out-of-bounds", "outside-row", "misaligned", "deadlock", "timeout",
                     ///< "instruction-limit", "unsupported-instruction", …; no fault of the
                     ///< kernel's: "time-limit"
  AccessSite at;
  uint64_t address = 0;
  uint64_t count = 1;
  std::string message;
  /// How many barriers the thread's warp had passed; nothing where that is not known.
  std::optional<uint32_t> epoch = {};
};

/// Whether the launch was stopped there, so that its outputs mean nothing. Other faults are only
/// reported.
[[nodiscard]] bool endsLaunch(const Fault& fault);

/// What one printf of one thread wrote.
struct Printed {
  AccessSite at;
  std::string text;
};

/// What the driver says of the first launch's machine code, beside what metrics/occupancy works
/// out from the device's facts.
struct MachineFacts {
  std::optional<uint32_t> spillStoreBytes, spillLoadBytes;  ///< Per thread.
  uint32_t activeBlocks = 0;  ///< Resident blocks of a multiprocessor.
  std::string limiter;        ///< "blocks", "threads", "shared memory" or "registers".
};

/// What a device observed of a run. Optional values are absent where they were not asked for or
/// the device cannot give them.
struct Observations {
  std::optional<trace::GridCounters> counters;
  std::optional<double> countingOverhead;  ///< The counting run's time ÷ the plain run's, on a GPU.
  std::shared_ptr<const trace::Recording> trace;  ///< Shared: a copied result shares its trace.
  /// The device that made the trace: a GPU ("cuda:0"), or the interpreter ("simt"), which runs the
  /// same PTX.
  std::string traceFrom;
  std::optional<double> traceOverhead;  ///< A traced launch's time ÷ a plain one's, on a GPU.
  std::string traceNote;  ///< Why a GPU did not trace, or why another block was traced; else empty.
  std::optional<Measurement> measurement;
  std::optional<HardwareCounters> hardware;  ///< Says why where they were refused.
  std::optional<std::vector<Hazard>> hazards;
  std::vector<Fault> faults;
  std::optional<uint32_t> registers;  ///< In the machine code, a thread.
  std::optional<uint32_t> localBytes;
  uint32_t sharedBytes = 0;  ///< Static and dynamic, a block.
  std::optional<MachineFacts> machine;
  std::optional<trace::Timeline> timeline;
  std::string timelineNote;  ///< Why one that was asked for is absent.
  /// One launch timed in several ways, in seconds: "clock-unsynchronized", "clock-synchronized",
  /// "events" and "repeated".
  std::vector<NamedValue> timings;
  std::string timingsNote;  ///< Why those that were asked for are absent.
  /// What the kernel's printf wrote in the interpreter, in the order of launches, blocks, warps and
  /// time.
  std::vector<Printed> printed;
  bool printedAll = true;  ///< False: there was more than is kept.
  double wallSeconds = 0;  ///< The whole run on the host; not a kernel's time.
};

struct Outcome : Observations {
  std::vector<std::vector<std::byte>> outputs;  ///< By operand; empty for inputs and scalars.
  std::optional<uint64_t> unwritten;            ///< With `check`.
  trace::BranchLines branches;                  ///< With `counters`: of all launches together.
};

/// Asked now and then while work runs; true ends it with an Error.
using Cancelled = std::function<bool()>;

struct LiveOrder;  // device/live.h

/// Runs jobs, one at a time; not thread-safe.
class Device {
 public:
  virtual ~Device() = default;
  [[nodiscard]] virtual const DeviceInfo& info() const = 0;
  virtual Result<Outcome> run(const Job& job, const Cancelled& cancelled) = 0;
  /// What `run` of this job takes of the host's memory.
  [[nodiscard]] virtual HostMemory hostMemory(const Job& job) const = 0;
  /// Launches the job's kernel again and again until cancelled, which is an Error like all that
  /// ends it. What a job asks for beside its launches is left out. Only a GPU can.
  virtual Status live(const Job& job, const LiveOrder& order, const Cancelled& cancelled);
  /// Whether this process can no longer use the device (a kernel faulted or never ended), while
  /// another process can.
  [[nodiscard]] virtual bool lost() const { return false; }
};

/// Measured ceilings of a device, for the roofline; absent where not measured.
struct Ceilings {
  std::string device;  ///< "NVIDIA H200"
  std::string origin;  ///< "measured 2026-11-20" or "computed from published figures"
  bool measured = false;
  std::optional<double> dramBytesPerSecond;
  std::optional<double> l2BytesPerSecond;
  std::optional<double> l1BytesPerSecond;
  std::optional<double> sharedBytesPerSecond;
  std::optional<double> fp32FlopPerSecond;
  /// A copy kernel's bandwidth, bytes read plus bytes written.
  std::optional<double> dramCopyBytesPerSecond;
  /// For an empty kernel: from one launch to the next, back to back; and from the launch to the end
  /// of waiting for it.
  std::optional<double> launchSeconds, launchAndWaitSeconds;
  /// How long one thread waits for a load when nothing else runs.
  std::optional<double> dramLatencySeconds, l2LatencySeconds, l1LatencySeconds,
      sharedLatencySeconds;
  /// How long a multiply-add waits for the result of another, and a block of 256 threads for all
  /// of its warps to meet at a barrier.
  std::optional<double> instructionSeconds, barrierSeconds;
  /// Of empty kernels: from the start of one block of 256 threads to that of the next one of the
  /// grid, and from one kernel of a replayed graph to the next.
  std::optional<double> blockStartSeconds, kernelStartSeconds;
  std::optional<DeviceInfo> facts;  ///< A known device's published figures, for occupancy.
};

/// The seeded fill of element `index` of operand `operand`, the same on every device
/// (docs/architecture/data-and-counts.md). Writes bytesOf(type) bytes.
void fillElement(const Operand& operand, uint32_t operandIndex, uint64_t index, uint64_t seed,
                 std::byte* out);
/// Elements [first, first + count) of an input, likewise, to `out`; on several threads where worth
/// it.
void fillElements(const Operand& operand, uint32_t operandIndex, uint64_t first, uint64_t count,
                  uint64_t seed, std::byte* out);
/// What a byte of an output holds before anything is written to it.
inline constexpr std::byte kPoison{0xa5};
/// A whole operand; outputs are filled with `poison` bytes instead.
std::vector<std::byte> fillOperand(const Operand& operand, uint32_t operandIndex, uint64_t seed,
                                   std::byte poison);

/// The interpreter. `threads` 0: all cores; the window leaves one free.
std::unique_ptr<Device> openSimt(unsigned threads = 0);
/// GPU number `ordinal` through the driver, opened at run time; an Error says why there is none.
Result<std::unique_ptr<Device>> openCuda(unsigned ordinal);
/// How many GPUs answer; 0 where the driver is not there.
unsigned cudaCount();
/// The description of each GPU, by ordinal. Opens none of them and so takes no memory there.
std::vector<DeviceInfo> cudaDevices();
/// Measures the ceilings of GPU `ordinal` with the kernels of kernels/probes/ceilings.cu, given as
/// PTX, or reads them from the cache folder, where each GPU's are kept for its driver.
Result<Ceilings> cudaCeilings(unsigned ordinal, const std::string& probePtx,
                              const std::string& cacheFolder);

}  // namespace tilestep::device
