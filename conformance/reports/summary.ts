import { findOpenPoint, type CheckResult, type ConformanceReport } from '../../schemas/index.ts'

/** What all formats say in the same words. */

/** `110 passed, 0 failed, 2 warned`: outcomes that did not occur are left out, failures never are. */
export function countsOf({ counts }: ConformanceReport): string {
  const { pass, fail, warn, observed, notExercised, inconclusive, waived, error } = counts
  const rest: [number, string][] = [
    [error, 'broke'],
    [waived, 'waived'],
    [warn, 'warned'],
    [inconclusive, 'inconclusive'],
    [notExercised, 'not exercised'],
    [observed, 'observed'],
  ]
  const others = rest.filter(([count]) => count > 0).map(([count, word]) => `${count} ${word}`)
  return [`${pass} passed`, `${fail} failed`, ...others].join(', ')
}

/** `contract v1 · 110 passed, 0 failed · 135 requests · 8.7 s`. */
export const factsOf = (report: ConformanceReport): string =>
  `contract ${report.contract.version} · ${countsOf(report)} · ${report.statements} requests · ${seconds(report.durationMs)}`

export const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`

export const withOutcome = (
  report: ConformanceReport,
  ...outcomes: CheckResult['outcome'][]
): CheckResult[] => report.checks.filter(({ outcome }) => outcomes.includes(outcome))

/** Remarks that changed no outcome, with the check that made them. */
export const notesOf = (report: ConformanceReport): { id: string; message: string }[] =>
  report.checks.flatMap(({ id, notes = [] }) => notes.map((message) => ({ id, message })))

/** Why a failure is waived, and until when, where a baseline says so. */
export function waiverOf(result: CheckResult): string | undefined {
  const { waiver } = result as { waiver?: { reason: string; expires?: string } }
  return waiver && `${waiver.reason}${waiver.expires === undefined ? '' : ` (until ${waiver.expires})`}`
}

/** Failures that a baseline waives, each with its reason first. */
export const waivedOf = (report: ConformanceReport): { id: string; message: string }[] =>
  withOutcome(report, 'waived').map((result) => ({
    id: result.id,
    message: `${waiverOf(result) ?? 'by the baseline'}; ${result.message}`,
  }))

/** The requirement that a check tests, and where to read more: `A server MUST ... (docs/contract.md#req-sql-7)`. */
export const requirementOf = ({ requirement, sentence = requirement, anchor }: CheckResult): string =>
  anchor === undefined ? sentence : `${sentence} (${anchor})`

/** What a reader needs to dispute or to mend a finding; a `curl` only where there is one. */
export const detailsOf = (result: CheckResult): [name: string, text: string][] =>
  (
    [
      ['found', result.message],
      ['expected', result.expected],
      ['actual', result.actual],
      ['waived', waiverOf(result)],
      ['again', result.curl],
    ] as [string, string | undefined][]
  ).filter((detail): detail is [string, string] => detail[1] !== undefined)

/** What the run was asked to do, in words: `time limit`, `30 s`; without what was not set. Options of later versions come along. */
export const optionsOf = ({ options }: ConformanceReport): [name: string, value: string][] =>
  Object.entries(options).flatMap(([key, value]): [string, string][] => {
    if (value === undefined || value === null) return []
    const isTime = key.endsWith('Ms') && typeof value === 'number'
    const name = key.replace(/Ms$/, isTime ? '' : 'Ms').replaceAll(/[A-Z]/g, (c) => ` ${c.toLowerCase()}`)
    return [[name, isTime ? `${value / 1000} s` : inWords(value)]]
  })

export interface Observation {
  /** The id of the open point; its key in the report if the register does not know it. */
  id: string
  /** What the contract leaves open; empty if the register does not know the open point. */
  question: string
  seen: string
}

/** What was observed at the open points of the contract. */
export const observationsOf = ({ observations }: ConformanceReport): Observation[] =>
  Object.entries(observations as Record<string, unknown>).map(([number, value]) => {
    const point = findOpenPoint(number)
    return { id: point?.id ?? number, question: point?.question ?? '', seen: inWords(value) }
  })

function inWords(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map(inWords).join(', ')
  if (value === null || typeof value !== 'object') return String(value)
  return Object.entries(value)
    .filter(([key]) => key !== 'knob')
    .map(([key, item]) => (key === 'seen' || key === 'variant' ? inWords(item) : `${key}: ${inWords(item)}`))
    .join(': ')
}

export interface Quality {
  /** What rows do not meet, with how many of them and the first. */
  broken: { id: string; message: string }[]
  /** What is known of the rest, in a sentence. */
  rest: string
}

/** What an engineer would say of the rows; undefined if nobody looked. None of it counts. */
export function qualityOf({ dataQuality = [] }: ConformanceReport): Quality | undefined {
  if (dataQuality.length === 0) return undefined
  const broken = dataQuality.filter(({ violations }) => violations > 0)
  const held = dataQuality.filter(({ rows, violations }) => rows > 0 && violations === 0)
  const unjudged = dataQuality.filter(({ rows }) => rows === 0).map(({ id }) => id)
  return {
    broken: broken.map(({ id, title, rows, violations, examples: [first] }) => ({
      id,
      message: `${title}: not so in ${violations} of ${rows} rows${first === undefined ? '' : `, for instance ${first}`}`,
    })),
    rest: [
      `Of the expectations, ${held.length} hold in the rows that the checks have read`,
      ...(unjudged.length > 0
        ? [`${unjudged.length} had nothing to judge there: ${unjudged.join(', ')}`]
        : []),
    ].join('; '),
  }
}

/** Heads the part on data quality wherever it stands. */
export const QUALITY = 'Data quality (never fails)'
