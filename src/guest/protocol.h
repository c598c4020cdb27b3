// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

/// What a program that Tilestep runs (the guest) and Tilestep (the service) say to each other, over
/// a stream socket whose descriptor the guest finds in the environment. The guest asks, one request
/// at a time, and waits for the answer. Both run on one machine: numbers are the machine's own.
///
/// A request is a RequestHead, the call's own structure, and the data that the call carries. An
/// answer is an AnswerHead and its data. The service trusts no length and no handle.
///
/// Where a GPU's driver serves the guest, the guest asks of the service what its modules hold, and
/// tells it of all that the driver did.
namespace tilestep::guest {

constexpr char kSocketVariable[] = "TILESTEP_PROGRAM";
/// The environment variable that asks a guest to print at once, and not when its buffer is full.
constexpr char kAtOnceVariable[] = "TILESTEP_AT_ONCE";
constexpr uint32_t kProtocol = 2;

/// Addresses of device memory and of memory that host and device share; the guest maps nothing else
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
  wait,        ///< Stream or event: waits until its work is done.
  query,       ///< The same, and does not wait.
  stream,      ///< A new stream; the answer is its number.
  event,       ///< A new event; the answer is its number.
  endStream,   ///< Handle.
  endEvent,    ///< Handle.
  record,      ///< Handles: an event in a stream.
  await,       ///< Handles: a stream waits for an event.
  elapsed,     ///< Handles: two events; the answer is a float, milliseconds.
  attribute,   ///< FunctionAttribute.
  occupancy,   ///< Occupancy; the answer is a uint64_t.
  memory,      ///< The answer is two uint64_t: bytes that are free, and all.
  pointer,     ///< Pointed; the answer is a PointerFacts.
  setLimit,    ///< FunctionAttribute, of the device.
  limit,       ///< The same; the answer is its value, a uint64_t.
  note,        ///< Noted: something that needs no answer but a success.
  touched,     ///< Touched: the host used an address where it may not, and ends now; or memory that
               ///< both share, while work may use it.
  overflowed,  ///< Overflowed: a product of the host's wrapped around.
  refused,     ///< Refused: a copy that the runtime does not begin.
  // What a guest on a GPU says; these have no answer.
  gpu,       ///< DeviceFacts: of the GPU that serves it.
  told,      ///< Told and the request: the driver has done it.
  took,      ///< Took: the GPU's time for work that was told before.
  contents,  ///< An address and what lies there, before a launch that is to be looked at.
  forget,    ///< The address of an allocation that nobody uses.
};

struct RequestHead {
  Call call;
  uint64_t bytes;  ///< Behind this head.
  /// Return addresses, less the program's load address: of the call, and of the first and the last
  /// reading of a clock since the last request; 0: there was none.
  uint64_t where, firstClock, lastClock;
};

struct AnswerHead {
  int32_t error;     ///< A cudaError.
  uint32_t printed;  ///< Bytes that kernels printed, before the data: for standard output.
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
  /// Not 0: the host's accesses to memory that both share are told while work may use it.
  int32_t watchesHost;
};

/// Who is to serve the guest.
struct Welcome {
  int32_t gpu;         ///< The GPU's number, for its driver; -1: the service is the device.
  uint32_t isTimed;    ///< With a GPU: work is timed by events around it.
  uint32_t isLooked;   ///< With a GPU: launches are to be looked at by the service, too.
  DeviceFacts device;  ///< Without a GPU.
};

/// Whether a GPU's launches are looked at: the service has the same memory at the same addresses.
enum class Look : uint32_t {
  yes,
  notAsked,
  tooMuch,         ///< The launches' memory is more than is kept.
  otherAddresses,  ///< The driver gives no memory at such addresses.
  waitsForHost,    ///< Work before it does not end: it waits for the host.
  notCaptured,     ///< What the memory holds could not be read.
};

/// The head of what was done already.
struct Told {
  Call call;
  int32_t error;  ///< A cudaError: the driver's.
  uint64_t made;  ///< The address or handle that the driver gave, where the call makes one.
  uint64_t work;  ///< Not 0: a number by which its time is told later.
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
  uint32_t isManaged;  ///< Variables: the answer brings the descriptor of their memory.
  uint64_t bytes;      ///< Variables: the size that the host knows.
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
  uint64_t bytes;  ///< Of a row, where rows are asked for.
  uint64_t rows;   ///< 0: one piece.
  uint64_t stream;
};

struct Allocated {
  uint64_t address;
  uint64_t pitch;
  uint64_t mapped;  ///< Bytes of the shared memory whose descriptor comes along; 0: none.
};

struct Release {
  uint64_t address;
  MemoryKind kind;
  uint32_t isAsync;
  uint64_t stream;
};

/// A box of bytes. Pitches are 0 where there is one row.
struct Copy {
  uint64_t to, from;
  uint64_t toPitch, fromPitch, toSlice, fromSlice;
  uint64_t width, height, depth;  ///< Bytes, rows, slices.
  uint64_t stream;
  int32_t kind;  ///< A cudaMemcpyKind.
  uint32_t isAsync;
  uint32_t carries;  ///< The rows follow: what is copied comes from the host.
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

/// How many blocks a multiprocessor holds, or how many dynamic bytes are left for so many blocks.
struct Occupancy {
  uint32_t function;
  uint32_t threads;
  uint64_t dynamicBytes;
  uint32_t blocks;  ///< Not 0: the second question.
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
  usedCublas,    ///< The program asked for a handle of cuBLAS's ...
  usedCurand,    ///< ... or for a generator of cuRAND's.
  pinnedMemory,  ///< It pins memory of its own.
};

struct Noted {
  Note note;
  int32_t value;
};

/// More bytes than there is room for: in a variable at that address, or, where that is 0, in the
/// pitch of rows.
struct Refused {
  uint64_t address, bytes, room;
  int32_t error;
  uint32_t unused;
};

/// A product of signed integers of so many bits that is no integer of so many bits.
struct Overflowed {
  int64_t left, right;
  uint32_t bits, unused;
};

struct Touched {
  uint64_t address, where;
  uint32_t isWrite;
};

}  // namespace tilestep::guest
