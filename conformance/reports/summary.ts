/** Texts that all report formats share. */
import { counted } from '../../base/text/counted.ts'
import { findOpenPoint, type CheckResult, type ConformanceReport } from '../../schemas/index.ts'
import type { Detail } from './document.ts'

/** `110 passed, 0 failed, 2 warned`: names the outcomes that occurred, and always passes and failures. */
export function countsOf({ counts }: ConformanceReport): string {
  const { pass, fail, warn, observed, notExercised, inconclusive, waived, error } = counts
  const rest: [number, string][] = [
    [error, 'errored'],
    [waived, 'waived'],
    [warn, 'warned'],
    [inconclusive, 'inconclusive'],
    [notExercised, 'not exercised'],
    [observed, 'observed'],
  ]
  const others = rest.filter(([count]) => count > 0).map(([count, word]) => `${count} ${word}`)
  return [`${pass} passed`, `${fail} failed`, ...others].join(', ')
}

/** What was judged: an address, and whether the reference server of this package listened there. */
export const judgedOf = ({ target }: Pick<ConformanceReport, 'target'>): string =>
  target.isReference ? `the reference server of this package (${target.baseUrl})` : target.baseUrl

/** `set v2 · 110 passed, 0 failed · 135 requests · 8.7 s · 504 after 30.0 s`. */
export function factsOf(report: ConformanceReport): string {
  const limit = observedLimitOf(report)
  return [
    // older reports name none
    ...(report.requirementSet ? [setOf(report.requirementSet)] : []),
    countsOf(report),
    counted(report.statements, 'request'),
    seconds(report.durationMs),
    ...(limit === undefined ? [] : [`504 after ${seconds(limit)}`]),
  ].join(' · ')
}

/** The requirement set that a verdict refers to, as people call it: `set v2`. */
export const setOf = ({ version }: { version: string }): string => `set ${version}`

/** When the target ended a statement with 504, in milliseconds; undefined if the run has not seen it. */
export const observedLimitOf = ({ checks }: Pick<ConformanceReport, 'checks'>): number | undefined =>
  checks.find(({ id }) => id === 'time.limit')?.evidence?.find(({ status }) => status === 504)?.durationMs

export const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`

export const withOutcome = (
  report: ConformanceReport,
  ...outcomes: CheckResult['outcome'][]
): CheckResult[] => report.checks.filter(({ outcome }) => outcomes.includes(outcome))

/** The reason of a waiver and its last day; undefined if the baseline does not waive the result. */
export function waiverOf(result: CheckResult): string | undefined {
  const { waiver } = result as { waiver?: { reason: string; expires?: string } }
  return waiver && `${waiver.reason}${waiver.expires === undefined ? '' : ` (until ${waiver.expires})`}`
}

/** The requirement of a check and its place in the documentation: `A server MUST ... (docs/contract.md#req-sql-7)`. */
export const requirementOf = ({ requirement, sentence = requirement, anchor }: CheckResult): string =>
  anchor === undefined ? sentence : `${sentence} (${anchor})`

/** A value that a report shows by its shape and a tag. */
const HIDDEN = / #[0-9a-f]{6}\b/

/** Longest sentence of a finding, in characters, and the part of it that its end takes: statements stand first, the difference last. */
const LONGEST_FOUND = 200
const END = 80

const foundOf = ({ message }: CheckResult): string =>
  message.includes('\n') || message.length <= LONGEST_FOUND
    ? message
    : `${message.slice(0, LONGEST_FOUND - END - 3)} … ${message.slice(-END)}`

/** The details of a finding, without those it lacks. The middle of a long sentence is left out. `reproduce` is a `curl` command. */
export function detailsOf(result: CheckResult): Detail[] {
  const { message, expected, actual, curl, curls = [] } = result
  const isHidden = [message, expected, actual].some((text) => text !== undefined && HIDDEN.test(text))
  const commands = curls.length > 1 ? curls : curl === undefined ? [] : [curl]
  const details: [name: string, text: string | undefined, language?: Detail[2]][] = [
    ['ruling', result.ruling],
    ['found', foundOf(result)],
    ['expected', expected, 'text'],
    ['actual', actual, 'text'],
    ['values', isHidden ? 'shown by their shape; --evidence full shows them' : undefined],
    ['waived', waiverOf(result)],
    ...commands.map((each, at): Detail => [
      commands.length > 1 ? `reproduce ${at + 1}` : 'reproduce',
      each,
      'sh',
    ]),
  ]
  return details.filter((detail): detail is Detail => detail[1] !== undefined)
}

/** The options of the run as text (`time limit`, `30 s`), without unset ones. Includes options of later versions. */
export const optionsOf = ({ options }: ConformanceReport): [name: string, value: string][] =>
  Object.entries(options).flatMap(([key, value]): [string, string][] => {
    if (value === undefined || value === null) return []
    const isTime = key.endsWith('Ms') && typeof value === 'number'
    const name = key.replace(/Ms$/, isTime ? '' : 'Ms').replaceAll(/[A-Z]/g, (c) => ` ${c.toLowerCase()}`)
    return [[name, isTime ? `${value / 1000} s` : asText(value)]]
  })

export interface Observation {
  /** The id of the open point; its key in the report if the open point is unknown. */
  id: string
  /** What the contract leaves open; empty if the open point is unknown. */
  question: string
  /** The variant, if it is a known one. */
  variant?: string | undefined
  seen: string
}

/** The observations at the open points of the contract. */
export const observationsOf = ({ observations }: ConformanceReport): Observation[] =>
  Object.entries(observations as Record<string, unknown>).map(([number, value]) => {
    const point = findOpenPoint(number)
    const { variant } = value as { variant?: string }
    return { id: point?.id ?? number, question: point?.question ?? '', variant, seen: asText(value) }
  })

function asText(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map(asText).join(', ')
  if (value === null || typeof value !== 'object') return String(value)
  return Object.entries(value)
    .filter(([key]) => key !== 'knob' && key !== 'point')
    .map(([key, item]) => (key === 'seen' || key === 'variant' ? asText(item) : `${key}: ${asText(item)}`))
    .join(': ')
}
