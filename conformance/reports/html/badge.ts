import type { CheckResult, Verdict } from '../../../schemas/index.ts'
import { SYMBOLS } from '../paint.ts'
import { html, type Markup } from './tag.ts'

type Outcome = CheckResult['outcome']

const OUTCOME_CLASS: Record<Outcome, string> = {
  pass: 'good',
  fail: 'bad',
  error: 'bad',
  warn: 'warn',
  waived: 'warn',
  inconclusive: 'warn',
  observed: 'info',
  'not-exercised': 'none',
}

const VERDICT_LOOK: Record<Verdict, Outcome> = {
  conformant: 'pass',
  'conformant-with-waivers': 'waived',
  incomplete: 'inconclusive',
  'non-conformant': 'fail',
  unreachable: 'error',
  'suite-error': 'error',
}

export const classOf = (outcome: Outcome): string => OUTCOME_CLASS[outcome]

/** Mark and word, so that nothing hangs on a colour. */
export const outcomeBadge = (outcome: Outcome): Markup => badge(outcome, outcome)

export const verdictBadge = (verdict: Verdict): Markup => badge(VERDICT_LOOK[verdict], verdict)

const badge = (outcome: Outcome, word: string): Markup =>
  html`<span class="badge ${classOf(outcome)}"
    ><span aria-hidden="true">${SYMBOLS[outcome].mark}</span> ${word}</span
  >`
