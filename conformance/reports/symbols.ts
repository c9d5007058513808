import type { CheckResult, Verdict } from '../../schemas/index.ts'
import type { State } from './document.ts'

/** The colour of a terminal for something good, bad and so on. */
export type Style = 'green' | 'red' | 'yellow' | 'cyan' | 'gray' | 'magenta'

type Outcome = CheckResult['outcome']

/** A mark for each outcome, because colour must not be the only sign, its colour in a terminal, and its class in HTML. */
export const SYMBOLS: Record<Outcome, { mark: string; style: Style; tone: string }> = {
  pass: { mark: '✓', style: 'green', tone: 'good' },
  fail: { mark: '✗', style: 'red', tone: 'bad' },
  warn: { mark: '!', style: 'yellow', tone: 'warn' },
  observed: { mark: 'i', style: 'cyan', tone: 'info' },
  'not-exercised': { mark: '–', style: 'gray', tone: 'none' },
  inconclusive: { mark: '?', style: 'yellow', tone: 'warn' },
  waived: { mark: 'w', style: 'yellow', tone: 'warn' },
  error: { mark: '‼', style: 'magenta', tone: 'bad' },
}

const VERDICTS: Record<Verdict, Outcome> = {
  conformant: 'pass',
  'conformant-with-waivers': 'waived',
  incomplete: 'inconclusive',
  'non-conformant': 'fail',
  unreachable: 'error',
  'suite-error': 'error',
}

/** A verdict, marked as the outcome that it is like. */
export const verdictState = (verdict: Verdict): State => ({ outcome: VERDICTS[verdict], word: verdict })
