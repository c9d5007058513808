import type { FaultText } from '../../../mock/app/faults/fault.ts'
import type { Habit, HabitStanding } from './types.ts'

const fault = (name: string, title: string, spec: FaultText, standing: HabitStanding = 'fault'): Habit => ({
  id: `fault.${name}`,
  title,
  standing,
  variants: {},
  faults: [spec],
})

/** What may happen on the way. A slow service is one to cope with; an interruption hits the first statement. */
export const faultHabits: readonly Habit[] = [
  fault('latency', 'Each answer is 50 to 250 ms late.', 'latency:50ms-250ms', 'neutral'),
  fault('drip', 'Bodies arrive slowly, in parts.', 'drip:200KB/s', 'neutral'),
  fault('504', 'A statement exceeds the time limit.', 'timeout,times=1'),
  fault('503', 'The service is unavailable for a second.', 'status:503,retry-after=1s,times=1'),
  fault('429', 'Too many requests for a second.', 'status:429,retry-after=1s,times=1'),
  fault('401', 'The token of a request is refused.', 'status:401,times=1'),
  fault('reset', 'A connection is reset before the answer.', 'reset,times=1'),
  fault('reset-body', 'A connection is reset in the middle of a body.', 'reset:500,times=1'),
  fault('truncate', 'A body ends before its declared length.', 'truncate:500,times=1'),
  fault('truncate-chunked', 'A body ends before its last chunk.', 'truncate:500,framing=chunked,times=1'),
  fault(
    'truncate-complete',
    'A body ends early, but like a complete one.',
    'truncate:500,framing=complete,times=1',
  ),
]
