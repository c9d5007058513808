import type { CheckResult, ConformanceReport } from '../../../schemas/index.ts'
import { versionText } from '../version-text.ts'
import { families } from '../requirement-rows.ts'
import { countsOf, judgedOf, observationsOf, optionsOf, type Observation } from '../summary.ts'

/** A report and its name in a comparison: the name of its file. */
export interface NamedReport {
  name: string
  report: ConformanceReport
}

export interface CheckRow {
  id: string
  requirement: string
  title: string
  /** The result in each report; undefined if the report lacks the check. */
  cells: (CheckResult | undefined)[]
}

/** A row of texts, one cell for each report. */
export interface FactRow {
  name: string
  cells: string[]
}

export interface Matrix {
  /** Targets, times, verdicts and differing options. */
  facts: FactRow[]
  differing: CheckRow[]
  agreeing: CheckRow[]
  /** The open points at which the reports differ. */
  openPoints: FactRow[]
}

/** Compares reports of several implementations, or of one at several dates. Checks are in the order of the contract. */
export function compareReports(reports: readonly NamedReport[]): Matrix {
  const rows = checkRows(reports)
  return {
    facts: [
      fact('target', reports, judgedOf),
      fact('verdict', reports, ({ verdict }) => verdict),
      fact('started', reports, ({ startedAt }) => startedAt),
      fact('checks', reports, countsOf),
      fact('contract', reports, ({ contract }) => contract.version),
      fact('requirement set', reports, setOf),
      fact('suite', reports, ({ suite }) => versionText(suite)),
      ...optionRows(reports),
    ],
    differing: rows.filter(differs),
    agreeing: rows.filter((row) => !differs(row)),
    openPoints: openPointRows(reports),
  }
}

/** The version of the requirement set and the start of its hash. */
const setOf = ({ requirementSet: { version, hash = '' } = { version: '–' } }: ConformanceReport): string =>
  `${version} ${hash.replace(/^sha256:/, '').slice(0, 8)}`.trim()

const differs = ({ cells }: CheckRow): boolean => new Set(cells.map((cell) => cell?.outcome)).size > 1

const fact = (
  name: string,
  reports: readonly NamedReport[],
  of: (report: ConformanceReport) => string,
): FactRow => ({ name, cells: reports.map(({ report }) => of(report)) })

/** A row for each option that differs, because options influence results. */
function optionRows(reports: readonly NamedReport[]): FactRow[] {
  const options = reports.map(({ report }) => new Map(optionsOf(report)))
  return merged(options).filter(differing)
}

/** The variant; what was seen of an unknown one. */
const variantOf = (one: Observation | undefined) => one && (one.variant ?? lasting(one.seen))

/** A row for each open point at which the variants differ. */
function openPointRows(reports: readonly NamedReport[]): FactRow[] {
  const seen = reports.map(
    ({ report }) => new Map(observationsOf(report).map((one) => [`${one.id}: ${one.question}`, one])),
  )
  return namesIn(seen)
    .filter((name) => new Set(seen.map((map) => variantOf(map.get(name)))).size > 1)
    .map((name) => ({ name, cells: seen.map((map) => map.get(name)?.seen ?? '–') }))
}

/** Without what differs in each run of one server: the tags of concealed values, and durations. */
const lasting = (text: string): string =>
  text.replaceAll(/#[0-9a-f]{6}\b/g, '#').replaceAll(/\b\d+\.\d+ s\b/g, 's')

function merged(maps: Map<string, string>[]): FactRow[] {
  return namesIn(maps).map((name) => ({ name, cells: maps.map((map) => map.get(name) ?? '–') }))
}

const namesIn = (maps: readonly ReadonlyMap<string, unknown>[]): string[] => [
  ...new Set(maps.flatMap((map) => [...map.keys()])),
]

const differing = ({ cells }: FactRow): boolean => new Set(cells).size > 1

function checkRows(reports: readonly NamedReport[]): CheckRow[] {
  const byId = reports.map(({ report }) => new Map(report.checks.map((check) => [check.id, check])))
  const rows = new Map<string, CheckRow>()
  for (const { id, requirement, title } of reports.flatMap(({ report }) => report.checks))
    rows.set(id, { id, requirement, title, cells: byId.map((checks) => checks.get(id)) })
  return [...families([...rows.values()]).values()].flat()
}
