import type { CheckResult, ConformanceReport } from '../../../schemas/index.ts'
import { families } from '../clause-rows.ts'
import { countsOf, observationsOf, optionsOf } from '../summary.ts'

/** A report and the name it has in a comparison, its file. */
export interface NamedReport {
  name: string
  report: ConformanceReport
}

export interface CheckRow {
  id: string
  requirement: string
  title: string
  /** A result for each report; undefined if it has no such check. */
  cells: (CheckResult | undefined)[]
}

/** A row of texts, one for each report. */
export interface FactRow {
  name: string
  cells: string[]
}

export interface Matrix {
  /** Who was judged, when, and what came out. */
  facts: FactRow[]
  differing: CheckRow[]
  agreeing: CheckRow[]
  /** What was observed at the open points of the contract where the reports differ. */
  openPoints: FactRow[]
}

/** Puts reports side by side: of implementations, or of one at different dates. Checks are in the order of the contract. */
export function compareReports(reports: readonly NamedReport[]): Matrix {
  const rows = checkRows(reports)
  return {
    facts: [
      fact('target', reports, ({ target }) => target.baseUrl),
      fact('verdict', reports, ({ verdict }) => verdict),
      fact('started', reports, ({ startedAt }) => startedAt),
      fact('checks', reports, countsOf),
      fact('contract', reports, ({ contract }) => contract.version),
      fact('suite', reports, ({ suite }) => suite.version),
      ...optionRows(reports),
    ],
    differing: rows.filter(differs),
    agreeing: rows.filter((row) => !differs(row)),
    openPoints: openPointRows(reports),
  }
}

const differs = ({ cells }: CheckRow): boolean => new Set(cells.map((cell) => cell?.outcome)).size > 1

const fact = (
  name: string,
  reports: readonly NamedReport[],
  of: (report: ConformanceReport) => string,
): FactRow => ({ name, cells: reports.map(({ report }) => of(report)) })

/** Runs with other options are not alike: a row for each option that differs. */
function optionRows(reports: readonly NamedReport[]): FactRow[] {
  const options = reports.map(({ report }) => new Map(optionsOf(report)))
  return merged(options).filter(differing)
}

function openPointRows(reports: readonly NamedReport[]): FactRow[] {
  const seen = reports.map(
    ({ report }) =>
      new Map(observationsOf(report).map(({ id, question, seen }) => [`${id}: ${question}`, seen])),
  )
  return merged(seen).filter(differing)
}

function merged(maps: Map<string, string>[]): FactRow[] {
  const names = [...new Set(maps.flatMap((map) => [...map.keys()]))]
  return names.map((name) => ({ name, cells: maps.map((map) => map.get(name) ?? '–') }))
}

const differing = ({ cells }: FactRow): boolean => new Set(cells).size > 1

function checkRows(reports: readonly NamedReport[]): CheckRow[] {
  const byId = reports.map(({ report }) => new Map(report.checks.map((check) => [check.id, check])))
  const rows = new Map<string, CheckRow>()
  for (const { id, requirement, title } of reports.flatMap(({ report }) => report.checks))
    rows.set(id, { id, requirement, title, cells: byId.map((checks) => checks.get(id)) })
  return [...families([...rows.values()]).values()].flat()
}
