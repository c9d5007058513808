import type { CheckResult } from '../../schemas/index.ts'

/** The colour of a terminal for something good, bad and so on. */
export type Style = 'green' | 'red' | 'yellow' | 'cyan' | 'gray' | 'magenta'

/** A mark for each outcome, because colour must not be the only sign, and its colour in a terminal. */
export const SYMBOLS: Record<CheckResult['outcome'], { mark: string; style: Style }> = {
  pass: { mark: '✓', style: 'green' },
  fail: { mark: '✗', style: 'red' },
  warn: { mark: '!', style: 'yellow' },
  observed: { mark: 'i', style: 'cyan' },
  'not-exercised': { mark: '–', style: 'gray' },
  inconclusive: { mark: '?', style: 'yellow' },
  waived: { mark: 'w', style: 'yellow' },
  error: { mark: '‼', style: 'magenta' },
}
