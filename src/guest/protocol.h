// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

/// The protocol between a program that Tilestep runs (the guest) and Tilestep (the service), over
/// a stream socket whose descriptor is in the guest's environment. The guest sends one request
/// at a time and waits for the answer. Both run on one machine, so numbers are in native form.
///
/// A request is a RequestHead, the call's own structure, and the call's data. An
/// answer is an AnswerHead and its data. The service checks every length and handle.
///
/// If a GPU's driver serves the guest, the guest asks the service for the contents of modules, and
/// reports all that the driver did.
namespace tilestep::guest {

constexpr char kSocketVariable[] = "TILESTEP_PROGRAM";
/// The environment variable that makes a guest print at once, without a buffer.
constexpr char kAtOnceVariable[] = "TILESTEP_AT_ONCE";
constexpr uint32_t kProtocol = 2;

/// Addresses of device memory and of memory shared by host and device; the guest maps nothing else
/// there. The interpreter's: simt/machine.h.
constexpr uint64_t kSpanStart = uint64_t{1} << 44;
constexpr uint64_t kSpanBytes = uint64_t{1} << 46;

enum class Call : uint64_t {
  hello,       ///< Hello; the answer is a Welcome.
  module,      ///< The module's text; the answer is its number, a uint32_t.
  function,    ///< Named; the answer is a FunctionFacts and a Parameter for each parameter.
  variable,    ///< Named; the answer is its address, a uint64_t.
  allocate,    ///< Allocate; the answer is Allocated, and for shared memory a descriptor.
  release,     ///< Release.
  copy,        ///< Copy and, from the host, its rows; the answer to the host has its rows.
  fill,        ///< Fill.
  launch,      ///< Launch and the parameters' bytes.
  wait,        ///< Stream or event: waits for its work.
  query,       ///< The same without waiting.
  stream,      ///< A new stream; the answer is its number.
  event,       ///< A new event; the answer is its number.
  endStream,   ///< Handle.
  endEvent,    ///< Handle.
  record,      ///< Handles: an event in a stream.
  await,       ///< Handles: a stream waits for an event.
  elapsed,     ///< Handles: two events; the answer is a float, milliseconds.
  attribute,   ///< FunctionAttribute.
  occupancy,   ///< Occupancy; the answer is a uint64_t.
  memory,      ///< The answer is two uint64_t: free bytes, and all bytes.
  pointer,     ///< Pointed; the answer is a PointerFacts.
  setLimit,    ///< FunctionAttribute, of the device.
  limit,       ///< The same; the answer is its value, a uint64_t.
  note,        ///< Noted: a fact whose answer is only a success.
  touched,     ///< Touched: the host used a forbidden address, and ends now; or shared memory
               ///< while work may use it.
  overflowed,  ///< Overflowed: a product in host code wrapped around.
  refused,     ///< Refused: a copy that the runtime rejects.
  // Messages of a guest on a GPU, which have no answer.
  gpu,       ///< DeviceFacts of its GPU.
  told,      ///< Told and the request, which the driver has done.
  took,      ///< Took: the GPU's time for work that was reported before.
  contents,  ///< An address and its contents, before a launch to be examined.
  forget,    ///< The address of an unused allocation.
};

struct RequestHead {
  Call call;
  uint64_t bytes;  ///< After this head.
  /// Return addresses relative to the program's load address: of the call, and of the first and the
  /// last reading of a clock since the last request; 0: none.
  uint64_t where, firstClock, lastClock;
};

struct AnswerHead {
  int32_t error;     ///< A cudaError.
  uint32_t printed;  ///< Bytes of kernels' output, before the data.
  uint64_t bytes;    ///< Of the data.
};

struct Hello {
  uint32_t protocol;
};

/// cudaDeviceProp's and more. Units are CUDA's.
struct DeviceFacts {
  char name[256];
  uint64_t globalBytes, sharedPerBlock, sharedPerBlockOptin, sharedPerMultiprocessor;
  uint64_t sharedReserved, constantBytes, l2Bytes;
  int32_t major, minor, multiprocessors, clockKhz, memoryClockKhz, busBits;
  int32_t registersPerBlock, registersPerMultiprocessor;
  int32_t threadsPerBlock, threadsPerMultiprocessor, blocksPerMultiprocessor;
  int32_t singleToDouble;
  /// Not 0: accesses of the host to shared memory are reported while work may use it.
  int32_t watchesHost;
};

/// The server of the guest.
struct Welcome {
  int32_t gpu;         ///< The GPU's number, for its driver; -1: the service is the device.
  uint32_t isTimed;    ///< With a GPU: work is timed by events around it.
  uint32_t isLooked;   ///< With a GPU: the service examines launches, too.
  DeviceFacts device;  ///< Without a GPU.
};

/// Whether a GPU's launches are examined, with the same memory at the same addresses.
enum class Look : uint32_t {
  yes,
  notAsked,
  tooMuch,         ///< The launches' memory exceeds the limit.
  otherAddresses,  ///< The driver has no memory at such addresses.
  waitsForHost,    ///< Earlier work waits for the host.
  notCaptured,     ///< The memory could not be read.
};

/// The head of a finished call.
struct Told {
  Call call;
  int32_t error;  ///< The driver's cudaError.
  uint64_t made;  ///< The new address or handle of the driver, if any.
  uint64_t work;  ///< Not 0: its number in a later Took.
  Look look;
  uint32_t unused;
};

struct Took {
  uint64_t work;
  float milliseconds;
};

/// Followed by the name.
struct Named {
  uint32_t module;
  uint32_t isManaged;  ///< Variables: the answer has the descriptor of their memory.
  uint64_t bytes;      ///< Variables: the size in host code.
};

struct FunctionFacts {
  uint32_t number;
  uint32_t parameters;
  uint64_t parameterBytes;
  uint64_t sharedBytes, localBytes, constantBytes;
  int32_t registers, mostThreads;
};

struct Parameter {
  uint64_t offset, bytes;
};

enum class MemoryKind : uint32_t { device, pinned, managed };

struct Allocate {
  MemoryKind kind;
  uint32_t isAsync;
  uint64_t bytes;  ///< Of a row, if rows are requested.
  uint64_t rows;   ///< 0: one piece.
  uint64_t stream;
};

struct Allocated {
  uint64_t address;
  uint64_t pitch;
  uint64_t mapped;  ///< Bytes of shared memory, with a descriptor; 0: none.
};

struct Release {
  uint64_t address;
  MemoryKind kind;
  uint32_t isAsync;
  uint64_t stream;
};

/// A box of bytes. Pitches are 0 for a single row.
struct Copy {
  uint64_t to, from;
  uint64_t toPitch, fromPitch, toSlice, fromSlice;
  uint64_t width, height, depth;  ///< Bytes, rows, slices.
  uint64_t stream;
  int32_t kind;  ///< A cudaMemcpyKind.
  uint32_t isAsync;
  uint32_t carries;  ///< The rows follow, because the host is the source.
};

struct Fill {
  uint64_t to, pitch, slice;
  uint64_t width, height, depth;
  uint64_t stream;
  uint32_t byte;
  uint32_t isAsync;
};

struct Launch {
  uint32_t function;
  uint32_t isCooperative;
  uint32_t grid[3], block[3];
  uint64_t sharedBytes, stream;
};

struct Handles {
  uint64_t first, second;
  uint32_t flags;
  uint32_t isEvent;
};

struct FunctionAttribute {
  uint32_t function;
  int32_t attribute;
  int64_t value;
};

/// The blocks that fit a multiprocessor, or the dynamic bytes left for this many blocks.
struct Occupancy {
  uint32_t function;
  uint32_t threads;
  uint64_t dynamicBytes;
  uint32_t blocks;  ///< Not 0: asks for the dynamic bytes.
};

struct Pointed {
  uint64_t address;
};

struct PointerFacts {
  uint64_t start, bytes;  ///< Of the allocation.
  MemoryKind kind;
};

enum class Note : uint32_t {
  askedForError,  ///< cudaGetLastError or cudaPeekAtLastError; `value` is what it returned.
  namedError,     ///< cudaGetErrorString or cudaGetErrorName of an error, `value`.
  waitedForDevice,
  resetDevice,
  usedCublas,    ///< The program created a handle of cuBLAS ...
  usedCurand,    ///< ... or a generator of cuRAND.
  pinnedMemory,  ///< It pins its own memory.
};

struct Noted {
  Note note;
  int32_t value;
};

/// More bytes than fit: into the variable at that address, or, if that is 0, into the
/// pitch of rows.
struct Refused {
  uint64_t address, bytes, room;
  int32_t error;
  uint32_t unused;
};

/// A product of signed integers that overflows their number of bits.
struct Overflowed {
  int64_t left, right;
  uint32_t bits, unused;
};

struct Touched {
  uint64_t address, where;
  uint32_t isWrite;
};

}  // namespace tilestep::guest
