// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/result.h"
#include "model/snapshot.h"
#include "ui/kit/context.h"
#include "ui/shell/frame_times.h"

/// The window's state as JSON, for tests that drive the window from outside and for anyone who
/// wants to follow it. Written atomically whenever it changes:
///
///   schema            1
///   kernels           names of all kernels that can be chosen
///   kernel, device    as chosen; device_in_use as resolved, empty until the worker has answered
///   tunables, scene_sizes, measure_sizes, roof_device
///   recorded_on       the day of the recording in use; empty if none
///   badge             "measured on …" | "interpreter · no GPU" | …
///   step              {grain: "phase" | "epoch" | "event", index, count, phase or null, epoch,
///                     kind, lines, playing, text, of_thread: steps are the chosen thread's events}
///   sentence          the sentence above the scenes; empty before the first trace
///   scenes            {main, companion}: null or {kernel, output_hash, block, trace_from, stale,
///                     block_alone, truncated, phases, counters of the current phase: loads,
///                     requests, sectors, stores, shared_wavefronts, bank_conflicts}
///   warp              null or {groups, group, warp, line, index, size, lanes, sectors or null,
///                     wavefronts or null, verdict}: one warp instruction of the step
///   without_barrier   the barrier that is removed in the scene, counted from 1; 0 if none
///   barriers          [{line, text}]: what each barrier separates
///   race              null or {line, lines, right, wrong, made, verdict, slots: number of slots
///                     that race in the step}
///   thread            null or {name, warp, lane, makes, reads, loads, gains, sum, line, doing,
///                     next}: the chosen thread
///   thread_view       whether the step panel shows the thread
///   ptx               null or {lines, instructions: of the step}: the step panel shows it
///   broken            null or the line where the current source does not compile
///   line_chosen       the chosen source line, whose steps N goes through; 0 if none
///   phase_table       null or {title, phases, threads}: the table in the scene's place
///   lesson            null or {title, step (from 1), steps, slug, asks, revealed, verdict, hint:
///                     null or what is shown of it, more_below: whether text is below the card's
///                     edge}
///   lessons           by the file's stem {at: the step at which it resumes, from 1, or null,
///                     finished}; absent before a lesson was begun
///   warp_view         whether the step panel shows the warp
///   figures           null or {kernel, sizes, output_hash, median_ms or null, stale,
///                     block_alone, counters of the whole grid, as above, companion: null or its
///                     counters}
///   countable         whether a count at the measured size can be requested
///   hardware_readable  whether hardware counters of the measurement can be requested
///   whole_grid        whether the traffic table shows the whole grid
///   occupancy         null or {ratio, limiter, note, achieved, barrier_wait, device,
///                     from_data_sheet, blocks, warps, warps_max, refusal, why, steps, registers,
///                     registers_from, bars: [{name, known, limits, blocks, textbook_blocks}],
///                     curves: [{name, points, now or null}]}
///   stage             what the stage shows: scene, roofline, live, sweeps, timeline, runs, lanes,
///                     sums, sectors, exercises, cube, timing
///   sums              absent unless it is shown: {array, rows, row: in which the step ends,
///                     sentence}
///   density           how much the desk shows: lesson or lab
///   first_minute      null or {step (from 1), steps, text, covers, choices}
///   occupancy_alone, occupancy_curve   what the measures and the occupancy plot show
///   elsewhere         null or {device, name, refusal, bounds: [{minimum, flop_per_byte,
///                     flop_per_second}]}: the known device whose roofs and limits are shown
///   roofline          {device, measured, points: [{level, companion, intensity, flops or null,
///                     bound}]}
///   history           number of points so far
///   notices           [{kind, about, text, source (place and line of a compile error), lines, fix:
///                     null, {tunable, value} or {device}, nearest: only where a recorded point is
///                     near}]
///   busy              {scene, measure, count, stage}
///   can_undo, can_redo
///   list_open, typing, walking  whether a list or menu is open, a text field has the keyboard, the
///                     keyboard walks through the controls
///   choice_at         the lesson's choice that is selected by keyboard, or null
///   theme, scale (as shown), presenting, plot (alone while presenting), help, motion, folded:
///                     {controls, source, measures}
///   window            [width, height] in pixels
///   frames            {count, first_ms since the process started, p99_ms of the last 300 frames'
///                     work, last_ms}; the work of a frame is handling replies and keys, drawing
///                     and the swap, in wall time, without waiting for events. The file is not
///                     written for a change of these alone
///   beside            {chosen: a kernel's name, "auto" or "none", kernel: the compared kernel or
///                     null, tunables, follows, own_block, trouble, together: how both are stepped,
///                     kernels: those that can be compared}
///   gains             null or {subject, against, lanes, sectors, l2, time}: naive ÷ subject
///   ptx_view          whether the step panel shows the PTX
///   sweep             null or {kind, quantity, title, fixed, origin, story, axes, source, points,
///                     done, waiting, missing, illegal, best: [{x, y, value}], at: the cell where
///                     the keyboard is, or null}
///   sweep_progress    null or {done, all, paused, seconds_left or null, what}
///   ladder            null or {title, progress, rows: [{rung, kernel, flop_per_second or null,
///                     predicted or null, limit, sentence}]}
///   live              {state, said, warning, points, choices, change, median_ms}
///   pins              [{name, kernel, origin, against_base}]
namespace tilestep::ui {

/// The state without `frames`, so that equal texts mean that nothing changed.
[[nodiscard]] std::string stateText(const model::Snapshot& snapshot, const UiState& ui, float width,
                                    float height);

/// Writes an empty state, so that an unwritable file is reported before the window opens. An error
/// if the path is not a regular file, or is a non-empty file without a state.
Status beginStateFile(const std::string& path);

/// Writes the state if it differs from the last one written.
class StateFile {
 public:
  explicit StateFile(std::string path) : path_(std::move(path)) {}
  void update(const model::Snapshot& snapshot, const UiState& ui, float width, float height,
              const FrameTimes& frames);
  /// An error if the newest state is not in the file.
  [[nodiscard]] const Status& written() const { return written_; }

 private:
  std::string path_, last_;
  Status written_;
};

}  // namespace tilestep::ui
