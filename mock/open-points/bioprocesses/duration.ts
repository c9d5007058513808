import { changeViews, column, type Expression, milliseconds } from '../view-change.ts'

const duration = (expression: Expression) => column('v_bioprocesses', 'duration_ms', expression)

export const bioprocessDuration = changeViews('bioprocesses.duration', {
  run: undefined,
  record: duration(() => milliseconds('base.start_timestamp', 'base.end_timestamp')),
  // from the preparation to the end of the run; a run that has not ended keeps its duration
  other: duration(
    (own) => `coalesce(${milliseconds('base.start_timestamp', 'base.run_end_timestamp')}, ${own})`,
  ),
})
