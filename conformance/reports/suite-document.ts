import { requirementAnchor, type CheckResult, type ConformanceReport } from '../../schemas/index.ts'
import { PAGES, type Document, type Finding, type Item, type Section } from './document.ts'
import { requirementRows } from './requirement-rows.ts'
import {
  detailsOf,
  factsOf,
  judgedOf,
  observationsOf,
  optionsOf,
  requirementOf,
  seconds,
  waiverOf,
  withOutcome,
} from './summary.ts'
import { verdictState } from './symbols.ts'
import { versionText } from './version-text.ts'

/** The report of the suite for people. A terminal shows last what a page shows first: why the verdict is as it is. */
export function suiteDocument(report: ConformanceReport): Document {
  const { verdict, checks, suite, startedAt } = report
  const differing = withOutcome(report, 'observed').filter(({ id }) => id.startsWith('seeded.'))
  return {
    title: judgedOf(report),
    state: verdictState(verdict),
    facts: factsOf(report),
    byline: `Checked by ${suite.name} ${versionText(suite)}, started at ${startedAt}`,
    sections: [
      { ...byRequirement(checks), formats: ['terminal'] },
      { ...why(report), formats: PAGES },
      findings('failures', 'Failures', withOutcome(report, 'fail', 'error')),
      findings('warnings', 'Warnings', withOutcome(report, 'warn')),
      {
        ...brief('differing', 'Differs from the reference (not required by the contract)', differing),
        formats: ['terminal'],
      },
      waived(report),
      brief('inconclusive', 'Inconclusive', withOutcome(report, 'inconclusive')),
      brief('not-exercised', 'Not exercised', withOutcome(report, 'not-exercised')),
      notes(report),
      { ...byRequirement(checks), formats: PAGES },
      dataQuality(report),
      openPointCount(report),
      openPoints(report),
      { ...why(report), formats: ['terminal'] },
      everyCheck(report),
      requirementTexts(report),
      run(report),
    ],
  }
}

const why = ({ verdict, reasons }: ConformanceReport): Section => ({
  id: 'why',
  heading: `Why ${verdict}`,
  kind: 'list',
  entries: reasons.map((reason) => ({ text: firstLine(reason) })),
  most: 20,
})

const firstLine = (text: string): string => text.split(/\r?\n/)[0]!

const findings = (id: string, heading: string, results: CheckResult[]): Section => ({
  id,
  heading,
  kind: 'findings',
  entries: results.map(findingOf),
})

const findingOf = (result: CheckResult): Finding => ({
  state: { outcome: result.outcome },
  requirement: result.requirement,
  id: result.id,
  details: [
    ['title', result.title],
    ['requirement', requirementOf(result)],
    ['contract', `${result.clause}, ${result.level}`],
    ...detailsOf(result),
  ],
  evidence: result.evidence,
})

const brief = (id: string, heading: string, results: CheckResult[]): Section => ({
  id,
  heading,
  kind: 'list',
  entries: results.map(({ id, message }) => ({ id, text: message })),
})

/** The waived failures, each with its reason first. */
const waived = (report: ConformanceReport): Section => ({
  id: 'waived',
  heading: 'Waived',
  kind: 'list',
  entries: withOutcome(report, 'waived').map((result) => ({
    id: result.id,
    text: `${waiverOf(result) ?? 'by the baseline'}; ${result.message}`,
  })),
})

/** A note does not change an outcome. */
const notes = ({ checks }: ConformanceReport): Section => ({
  id: 'notes',
  heading: 'Notes',
  kind: 'list',
  entries: checks.flatMap(({ id, notes = [] }) => notes.map((text) => ({ id, text }))),
})

const byRequirement = (checks: CheckResult[]): Section => ({
  id: 'results',
  heading: 'Results by requirement',
  kind: 'table',
  heads: ['Outcome', 'Requirement', 'Level', 'Contract', 'Found'],
  entries: requirementRows(checks).map(({ outcome, requirement, level, place, found }) => [
    { state: { outcome } },
    checks.some((check) => check.requirement === requirement)
      ? { text: requirement, link: requirementAnchor(requirement) }
      : requirement,
    level,
    place,
    found,
  ]),
  caption: 'In the order of the contract. A requirement has the most severe outcome of its checks.',
  headColumn: 1,
})

/** The plausible invariants of the rows: the violated ones, and one sentence on all others. They never fail a target. */
function dataQuality({ dataQuality: invariants = [] }: ConformanceReport): Section {
  const broken = invariants.filter(({ violations }) => violations > 0)
  const held = invariants.filter(({ rows, violations }) => rows > 0 && violations === 0)
  const unchecked = invariants.filter(({ rows }) => rows === 0).map(({ id }) => id)
  const entries = broken.map(({ id, title, rows, violations, examples: [first] }): Item => ({
    id,
    text: `${violations} of ${rows} rows violate "${title}"${first === undefined ? '' : `, for example ${first}`}`,
  }))
  const rest = [
    `${held.length} plausible invariants hold for the rows that the checks read`,
    ...(unchecked.length > 0 ? [`${unchecked.length} could not be checked: ${unchecked.join(', ')}`] : []),
  ]
  return {
    id: 'data-quality',
    heading: 'Data quality (never fails)',
    kind: 'list',
    entries: invariants.length === 0 ? [] : [...entries, { text: rest.join('; ') }],
  }
}

/** In a terminal the open points are only counted, because no reader has to act on them. */
function openPointCount({ observations, notObserved = {} }: ConformanceReport): Section {
  const seen = Object.values(observations)
  const all = seen.length + Object.keys(notObserved).length
  const known = seen.filter(({ variant }) => variant !== undefined).length
  const text = `${seen.length} of ${all} open points of the contract observed, ${known} with a known variant (listed in the other report formats)`
  return { id: 'open-point-count', kind: 'paragraph', text, formats: seen.length > 0 ? ['terminal'] : [] }
}

const openPoints = (report: ConformanceReport): Section => ({
  id: 'open-points',
  heading: 'Open points of the contract',
  kind: 'table',
  heads: ['Open point', 'Question', 'Observed'],
  entries: observationsOf(report).map(({ id, question, seen }) => [id, question, seen]),
  caption: 'Recorded only; never a failure.',
  headColumn: 0,
  formats: PAGES,
})

/** All checks, each with a bar for its duration. */
function everyCheck({ checks }: ConformanceReport): Section {
  const longest = Math.max(1, ...checks.map(({ durationMs }) => durationMs))
  return {
    id: 'checks',
    heading: `All checks (${checks.length})`,
    kind: 'table',
    heads: ['Outcome', 'Check', 'Found', 'Time'],
    entries: checks.map(({ outcome, id, title, message, evidence, durationMs }) => [
      { state: { outcome } },
      { text: id, isCode: true },
      { text: title, note: firstLine(message), evidence },
      { text: `${durationMs} ms`, share: (100 * durationMs) / longest },
    ]),
    caption: 'Checks run in parallel, so their times add up to more than the duration of the run.',
    headColumn: 1,
    formats: ['html'],
  }
}

/** The text of each requirement in the report, for readers without the contract. */
const requirementTexts = ({ checks }: ConformanceReport): Section => ({
  id: 'requirements',
  heading: 'Text of the requirements',
  kind: 'list',
  entries: [...new Map(checks.map((result) => [result.requirement, result])).values()].map(
    ({ requirement, level, sentence = level, clause, anchor }) => ({
      id: requirement,
      text: sentence,
      note: `Contract: ${clause}${anchor === undefined ? '' : `; ${anchor}`}`,
      anchor: requirementAnchor(requirement),
    }),
  ),
  formats: ['html'],
})

const run = (report: ConformanceReport): Section => ({
  id: 'run',
  heading: 'The run',
  kind: 'details',
  entries: [
    ['started', report.startedAt],
    ['duration', seconds(report.durationMs)],
    ['requests', String(report.statements)],
    ['suite', `${report.suite.name} ${versionText(report.suite)}`],
    ['contract', report.contract.version],
    ...optionsOf(report),
  ],
  formats: PAGES,
})
