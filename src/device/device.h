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
#include "trace/block_trace.h"
#include "trace/branch_lines.h"
#include "trace/counters.h"
#include "trace/timeline.h"

namespace tilestep::ptx {
struct Module;
}

namespace tilestep::device {

/// A device's description. Its limits determine the legal slider values.
struct DeviceInfo {
  std::string id;                                ///< "cuda:0", "simt", "recorded:nvidia-h200"
  std::string name;                              ///< "NVIDIA H200", "SIMT interpreter"
  std::optional<std::string> computeCapability;  ///< "9.0"
  bool measures = false;                         ///< Can measure times.
  Limits limits;
  /// Facts for occupancy and predictions; 0 if unknown.
  uint32_t multiprocessors = 0;
  uint32_t registersPerMultiprocessor = 0;
  uint32_t sharedBytesPerMultiprocessor = 0;
  uint32_t sharedBytesReservedPerBlock = 0;
  uint32_t threadsPerMultiprocessor = 0;
  uint32_t blocksPerMultiprocessor = 0;
  uint32_t clockMhz = 0;
  uint64_t l2Bytes = 0;
  std::string place;   ///< For a GPU, its PCI domain, bus and device: "0000:3b:00".
  std::string driver;  ///< For a GPU: "580.159.04, CUDA 13.0".
  /// A hash of the GPU's UUID, which distinguishes GPUs of the same name; empty if unknown.
  std::string identity;
  /// For a recording: the day on which it was made, "2026-11-21". Empty for a real device.
  std::string recordedOn;
  /// For a recorded point: the number of machines in its recording, and the number, from 1, of the
  /// machine that measured the point. 0 if unknown.
  uint32_t machines = 0, machine = 0;

  // Defined in device_info.cpp; inline, they would be compiled into every file that holds a
  // DeviceInfo.
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
  double value = 0;     ///< Converted to `type`; an integer if `type` is one.
  int pointsTo = -1;    ///< Index of the operand whose address it holds; -1 for a number.
};

/// A buffer or scalar as passed to the kernel.
struct Operand {
  std::string name;
  OperandKind kind = OperandKind::buffer;
  ElementType type = ElementType::f32;
  Direction direction = Direction::in;
  Fill fill = Fill::random;
  uint64_t elements = 0;
  uint64_t rows = 0, columns = 0;  ///< 0 if only the extent is known.
  double scalar = 0;          ///< For scalars; converted to `type`; an integer if `type` is one.
  std::vector<Field> fields;  ///< Members, for a structure; else empty.
  uint64_t structureBytes = 0;
  bool held = false;  ///< A buffer that only a structure's field points to; not a parameter.
  /// For a captured launch: its memory range and the offset in that range. -1 if in no range.
  int range = -1;
  uint64_t rangeOffset = 0;
  /// The bytes() bytes of an input, which replace its fill. Null if it is filled.
  std::shared_ptr<const std::vector<std::byte>> contents;
  [[nodiscard]] uint64_t bytes() const { return elements * bytesOf(type); }
};

/// Everything that a device needs to run one experiment. Already validated.
struct Job : RunOptions {
  std::shared_ptr<const ptx::Module> module;
  std::string ptx;           ///< The module's text.
  ptx::Assembled assembled;  ///< The assembler's output for the module; may be empty.
  /// The compiled kernels/probes/count.cu, which an instrumented module calls. Only GPUs need it.
  std::shared_ptr<const ptx::Module> probes;
  std::vector<Operand> operands;  ///< In parameter order; symbols after them.
  /// The captured launch to run, which provides memory and parameters: nothing is filled, and
  /// operands are views of that memory. Null for a kernel with filled operands.
  std::shared_ptr<const CapturedLaunch> captured;
  std::vector<Launch> launches;
  std::vector<trace::SharedArray> sharedArrays;  ///< Names and shapes for the trace; may be empty.
  bool outputs = true;                           ///< Return the outputs.
  /// Interpreter, with `traceBlock`: run only the traced block, for a trace in addition to a GPU's
  /// run. A device may ignore this, because the trace is the same.
  bool tracedBlockOnly = false;
  /// The part of timeoutSeconds that had passed before the call of `run`.
  double spentSeconds = 0;
  std::string clockProbe;  ///< PTX of kernels/probes/clocks.cu; needed with `timeline`.
  /// Called periodically with the finished share of the work (0 to 1), on the thread that called
  /// `run`. May be empty. Devices that do not know the share do not call it.
  std::function<void(double fraction)> progress;
};

struct Measurement {
  bool recorded = false;
  double medianMs = 0, minMs = 0, p10Ms = 0, p90Ms = 0;
  uint32_t repetitions = 0;            ///< The number of accepted samples.
  std::optional<uint32_t> clockMhz;    ///< The multiprocessors' mean clock meanwhile.
  double spread = 0;                   ///< (p90 - p10) / median.
  uint32_t rejected = 0;               ///< Samples rejected because of a low clock.
  uint32_t batch = 1;                  ///< Back-to-back runs per sample; a sample is their mean.
  std::optional<double> powerWatts;    ///< Mean during the measurement, if that was long enough.
  std::optional<double> coldMedianMs;  ///< Median of single runs, each after emptying the L2 cache.
  std::string method;                  ///< How it was measured, in one short line.
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
  std::string message;  ///< The fault and the fix, in a sentence.
  // Known only in the process that ran the kernel; not sent by workers.
  std::string place;  ///< "bins[0]", "Mds[0][3]"
};

struct Fault {
  /// "out-of-bounds", "outside-row", "misaligned", "deadlock", "timeout", "instruction-limit",
  /// "unsupported-instruction", …. "time-limit" is not a fault of the kernel.
  std::string kind;
  AccessSite at;
  uint64_t address = 0;
  uint64_t count = 1;
  std::string message;
  /// The number of barriers that the thread's warp had passed; absent if unknown.
  std::optional<uint32_t> epoch = {};
};

/// Whether the fault stopped the launch, so that its outputs are meaningless. Other faults are only
/// reported.
[[nodiscard]] bool endsLaunch(const Fault& fault);

/// The output of one printf call of one thread.
struct Printed {
  AccessSite at;
  std::string text;
};

/// The driver's facts about the first launch's machine code. metrics/occupancy computes others from
/// the device's facts.
struct MachineFacts {
  std::optional<uint32_t> spillStoreBytes, spillLoadBytes;  ///< Per thread.
  uint32_t activeBlocks = 0;                                ///< Resident blocks per multiprocessor.
  std::string limiter;  ///< "blocks", "threads", "shared memory" or "registers".
};

/// A device's observations of a run. Optional values are absent if they were not requested or the
/// device does not provide them.
struct Observations {
  std::optional<trace::GridCounters> counters;
  std::optional<double> countingOverhead;  ///< The counting run's time ÷ the plain run's, on a GPU.
  std::shared_ptr<const trace::BlockTrace> trace;  ///< Copied results share their trace.
  /// The device that made the trace: a GPU ("cuda:0"), or the interpreter ("simt"), which runs the
  /// same PTX.
  std::string traceFrom;
  std::optional<double> traceOverhead;  ///< A traced launch's time ÷ a plain one's, on a GPU.
  std::string traceNote;  ///< Why a GPU did not trace, or why another block was traced; else empty.
  std::optional<Measurement> measurement;
  /// Includes the reason if the counters are unavailable.
  std::optional<HardwareCounters> hardware;
  std::optional<std::vector<Hazard>> hazards;
  std::vector<Fault> faults;
  std::optional<uint32_t> registers;  ///< In the machine code, per thread.
  std::optional<uint32_t> localBytes;
  uint32_t sharedBytes = 0;  ///< Static and dynamic, per block.
  std::optional<MachineFacts> machine;
  std::optional<trace::Timeline> timeline;
  std::string timelineNote;  ///< Why a requested timeline is absent.
  /// One launch timed in several ways, in seconds: "clock-unsynchronized", "clock-synchronized",
  /// "events" and "repeated".
  std::vector<NamedValue> timings;
  std::string timingsNote;  ///< Why requested timings are absent.
  /// The output of the kernel's printf in the interpreter, in the order of launches, blocks, warps
  /// and time.
  std::vector<Printed> printed;
  bool printedAll = true;  ///< False if more was printed than is kept.
  double wallSeconds = 0;  ///< The whole run on the host, not a kernel's time.
};

struct Outcome : Observations {
  std::vector<std::vector<std::byte>> outputs;  ///< By operand; empty for inputs and scalars.
  std::optional<uint64_t> unwritten;            ///< Number of elements; with `check`.
  trace::BranchLines branches;                  ///< With `counters`: of all launches together.
};

/// Polled while work runs. Returning true ends the work with an Error.
using Cancelled = std::function<bool()>;

struct LiveOrder;  // device/live.h

/// Runs jobs, one at a time; not thread-safe.
class Device {
 public:
  virtual ~Device() = default;
  [[nodiscard]] virtual const DeviceInfo& info() const = 0;
  virtual Result<Outcome> run(const Job& job, const Cancelled& cancelled) = 0;
  /// The host memory that `run` needs for this job.
  [[nodiscard]] virtual HostMemory hostMemory(const Job& job) const = 0;
  /// Launches the job's kernel repeatedly until cancelled. Always ends with an Error. Ignores
  /// everything in the job except its launches. Only a GPU supports this.
  virtual Status live(const Job& job, const LiveOrder& order, const Cancelled& cancelled);
  /// Whether this process can no longer use the device, because a kernel faulted or did not end.
  /// Another process can.
  [[nodiscard]] virtual bool lost() const { return false; }
};

/// Measured ceilings of a device, for the roofline; absent if not measured.
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
  /// For an empty kernel: the time from one launch to the next, back to back, and from a launch
  /// until the host has waited for its end.
  std::optional<double> launchSeconds, launchAndWaitSeconds;
  /// The time that one thread waits for a load when nothing else runs.
  std::optional<double> dramLatencySeconds, l2LatencySeconds, l1LatencySeconds,
      sharedLatencySeconds;
  /// The time that a multiply-add waits for the result of another, and the time that all warps of a
  /// block of 256 threads need to meet at a barrier.
  std::optional<double> instructionSeconds, barrierSeconds;
  /// For empty kernels: the time from the start of one block of 256 threads to the start of the
  /// grid's next block, and from one kernel of a replayed graph to the next kernel.
  std::optional<double> blockStartSeconds, kernelStartSeconds;
  std::optional<DeviceInfo> facts;  ///< A known device's published values, for occupancy.
};

/// The seeded fill of one element of operand number `operandIndex`, the same on every device
/// (docs/architecture/data-and-counts.md). Writes bytesOf(type) bytes.
void fillElement(const Operand& operand, uint32_t operandIndex, uint64_t index, uint64_t seed,
                 std::byte* out);
/// Writes the fill of elements [first, first + count) of an input to `out`, on several threads if
/// worthwhile.
void fillElements(const Operand& operand, uint32_t operandIndex, uint64_t first, uint64_t count,
                  uint64_t seed, std::byte* out);
/// The initial value of an output's bytes.
inline constexpr std::byte kPoison{0xa5};
/// Fills a whole operand; outputs are filled with `poison` bytes instead.
std::vector<std::byte> fillOperand(const Operand& operand, uint32_t operandIndex, uint64_t seed,
                                   std::byte poison);

/// Opens the interpreter. 0 `threads` means all cores; the window leaves one core free.
std::unique_ptr<Device> openSimt(unsigned threads = 0);
/// Opens GPU number `ordinal` through the driver, which is opened at run time. The Error says why
/// the GPU is not available.
Result<std::unique_ptr<Device>> openCuda(unsigned ordinal);
/// The number of GPUs that respond; 0 without a driver.
unsigned cudaCount();
/// The description of each GPU, by ordinal. Opens no GPU, so it allocates no GPU memory.
std::vector<DeviceInfo> cudaDevices();
/// Measures the ceilings of GPU `ordinal` with the kernels of kernels/probes/ceilings.cu, given as
/// PTX, or reads them from the cache folder, which stores them by GPU and driver.
Result<Ceilings> cudaCeilings(unsigned ordinal, const std::string& probePtx,
                              const std::string& cacheFolder);

}  // namespace tilestep::device
