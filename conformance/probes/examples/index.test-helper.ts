import { course } from './course.test-helper.ts'
import { deltas } from './deltas.test-helper.ts'
import { messages } from './messages.test-helper.ts'
import { replies } from './replies.test-helper.ts'
import { rows } from './rows.test-helper.ts'
import { views } from './views.test-helper.ts'
import type { Examples } from './services.test-helper.ts'

/** A service for every registered way to fill a silence that can be told from outside. */
export const examples: Examples = { ...views, ...rows, ...replies, ...messages, ...course, ...deltas }

/** Registered ways that look like another one from outside, or would have to be provoked. */
export const cannotBeTold: Record<string, string> = {
  'NS-18 all-last-result': 'looks like last: a read leaves no trace',
  'NS-21 rows-filtered': 'looks like none: what was left out is not known',
  'NS-35 503': 'looks like load',
  'NS-38 new-version': 'is on another path',
  'NS-40 runs-on': 'looks like hard: what runs on behind the answer is not seen',
  'NS-43 null': 'looks like any other null',
  'NS-43 error': 'looks like any other failure',
}
