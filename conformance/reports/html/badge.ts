import type { CheckResult, Verdict } from '../../../schemas/index.ts'
import { SYMBOLS } from '../symbols.ts'
import type { Markup } from './table.ts'
import { html } from 'hono/html'

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

const VERDICT_AS_OUTCOME: Record<Verdict, Outcome> = {
  conformant: 'pass',
  'conformant-with-waivers': 'waived',
  incomplete: 'inconclusive',
  'non-conformant': 'fail',
  unreachable: 'error',
  'suite-error': 'error',
}

export const classOf = (outcome: Outcome): string => OUTCOME_CLASS[outcome]

/** A mark and a word, because colour must not be the only sign. */
export const outcomeBadge = (outcome: Outcome): Markup => badge(outcome, outcome)

export const verdictBadge = (verdict: Verdict): Markup => badge(VERDICT_AS_OUTCOME[verdict], verdict)

const badge = (outcome: Outcome, word: string): Markup =>
  html`<span class="badge ${classOf(outcome)}"
    ><span aria-hidden="true">${SYMBOLS[outcome].mark}</span> ${word}</span
  >`
