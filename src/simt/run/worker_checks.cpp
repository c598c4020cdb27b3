// SPDX-License-Identifier: Apache-2.0
#include "simt/run/worker.h"

namespace tilestep::simt {

void Worker::onConflict(Context& context, const Instr& instr, const Conflict& conflict) {
  static_cast<Worker*>(context.owner)->now_->checker->conflict(context, instr, conflict);
}

/// Passes the core's reports to the checker.
void Worker::watch(Resident& room) {
  CheckState& check = *room.checker->state();
  check.conflict = onConflict;
  check.requests = requests_.data();
  check.sharedUse = &sharedUse_;
  room.copies.arrived = [this](const AsyncCopies::Copy& copy) {
    now_->checker->copied(copy.lane, copy.to, copy.bytes, copy.site);
  };
  check.clearCompanions = [](Context& c, const Instr& instr) {
    static_cast<Worker*>(c.owner)->now_->checker->clearCompanions(c, instr);
  };
  check.foundUnwritten = [](Context& c, const Instr& instr, uint32_t lane, uint64_t address,
                            const uint8_t* unset, bool wasStored) {
    BlockChecker& checker = *static_cast<Worker*>(c.owner)->now_->checker;
    checker.foundUnwritten(c, instr, lane, address, unset, wasStored);
  };
  check.noteStored = [](Context& c, const Instr& instr, uint32_t lane, const Region* region,
                        uint64_t offset) {
    static_cast<Worker*>(c.owner)->now_->checker->noteStored(c, instr, lane, region, offset);
  };
  check.reportUse = [](Context& c, const Instr& instr, uint32_t lane, uint32_t origin,
                       bool inPart) {
    static_cast<Worker*>(c.owner)->now_->checker->reportUse(c, instr, lane, origin, inPart);
  };
  if (!context_->alone)
    check.publishStore = [](Context& c, const Instr& instr) {
      static_cast<Worker*>(c.owner)->now_->checker->publishStore(c, instr);
    };
  check.fence = [](Context& c, const Instr& instr) {
    static_cast<Worker*>(c.owner)->now_->checker->fence(c, instr);
  };
  check.beginAnswer = [](Context& c) {
    static_cast<Worker*>(c.owner)->now_->checker->answering().lock();
  };
  check.endAnswer = [](Context& c) {
    static_cast<Worker*>(c.owner)->now_->checker->answering().unlock();
  };
  check.release = [](Context& c, const Instr& instr, uint32_t lane, const Region* region,
                     uint64_t offset) {
    static_cast<Worker*>(c.owner)->now_->checker->release(c, instr, lane, region, offset);
  };
  check.acquire = [](Context& c, const Instr& instr, uint32_t lane, const Region* region,
                     uint64_t offset) {
    static_cast<Worker*>(c.owner)->now_->checker->acquire(c, instr, lane, region, offset);
  };
}

}  // namespace tilestep::simt
