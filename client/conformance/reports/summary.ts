import { counted } from '../../../base/text/counted.ts'
import type { Detail } from '../../../conformance/reports/document.ts'
import type { ClientFinding } from '../rules/finding.ts'
import { counts } from '../habits/outcome.ts'
import type { HabitOutcome, HabitReport, HabitResult } from '../habits/types.ts'

/** The results that keep the client from passing. */
export const failuresOf = (report: HabitReport): HabitResult[] => report.results.filter(counts)

/** What stops the client although it need not cope with it. */
export const worthKnowing = (report: HabitReport): HabitResult[] =>
  report.results.filter((result) => result.outcome === 'stopped' && !counts(result))

const WORDS = [
  'survived',
  'stopped',
  'waived',
  'not met',
  'not run',
] as const satisfies readonly HabitOutcome[]

/** `190 habits: 180 survived, 2 stopped, 8 not met; 192 runs in 20 s`. */
export function factsOf(report: HabitReport): string {
  const number = (outcome: HabitOutcome) =>
    report.results.filter((result) => result.outcome === outcome).length
  const parts = WORDS.flatMap((outcome) => (number(outcome) > 0 ? [`${number(outcome)} ${outcome}`] : []))
  const seconds = Math.round(report.durationMs / 1000)
  return `${counted(report.results.length, 'habit')}: ${parts.join(', ')}; ${counted(report.runs, 'run')} in ${seconds} s`
}

/** The client-side requirements that are broken without any habit. */
export const brokenOf = ({ plain }: HabitReport): ClientFinding[] => plain.findings.filter(isViolation)

const isViolation = ({ outcome }: ClientFinding): boolean => ['fail', 'warn', 'observed'].includes(outcome)

/** Name and text of what is known about a stopped client. */
export function detailsOf(result: HabitResult): Detail[] {
  const { standing, failure, findings, request } = result
  const details: [name: string, text: string | undefined, language?: Detail[2]][] = [
    ['habit', result.title],
    ['standing', MEANING[standing]],
    ['stopped by', result.stoppedBy],
    ...findings.map(({ requirement, sentence }): Detail => [requirement, sentence]),
    ['message', failure?.message],
    ['during', request && `${request.statement} → ${request.answer}`],
    ['output', failure?.output, 'text'],
    ['waived', result.reason],
  ]
  return details.filter((detail): detail is Detail => detail[1] !== undefined)
}

const MEANING: Record<HabitResult['standing'], string> = {
  neutral: 'neutral: the contract permits it, and a client must cope',
  warns: 'warns: the suite warns a vendor about it; worth knowing',
  departs: 'departs: the suite fails a vendor for it; worth knowing',
  fault: 'fault: an interruption; the tests may fail, but the client must keep its requirements',
}
