import { requirementAnchor, type CheckResult, type ConformanceReport } from '../../schemas/index.ts'
import {
  listSection,
  PAGES,
  tableOf,
  type Detail,
  type Document,
  type Finding,
  type Item,
  type Section,
} from './document.ts'
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
        ...listSection(
          'differing',
          'Differs from the reference (not required by the contract)',
          differing.map(itemOf),
        ),
        formats: ['terminal'],
      },
      listSection('waived', 'Waived', withOutcome(report, 'waived').map(waivedItem)),
      listSection('inconclusive', 'Inconclusive', withOutcome(report, 'inconclusive').map(itemOf)),
      listSection('not-exercised', 'Not exercised', withOutcome(report, 'not-exercised').map(itemOf)),
      listSection('notes', 'Notes', [
        ...(report.notes ?? []).map((text) => ({ text })),
        ...checks.flatMap(noteItems),
      ]),
      { ...byRequirement(checks), formats: PAGES },
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
  entries: byCause(results).map(findingOf),
})

/** The length of the shortest request behind a result. */
const sizeOf = ({ evidence }: CheckResult): number =>
  Math.min(...evidence.map(({ request }) => request.length))

/** Results in groups of one cause, each with the one of the shortest request first. */
const byCause = (results: readonly CheckResult[]): [CheckResult, ...CheckResult[]][] => {
  const groups = new Map<unknown, [CheckResult, ...CheckResult[]]>()
  for (const result of results) {
    const group = result.cause === undefined ? undefined : groups.get(result.cause)
    if (group) group.push(result)
    else groups.set(result.cause ?? result, [result])
  }
  for (const group of groups.values()) group.sort((one, other) => sizeOf(one) - sizeOf(other))
  return [...groups.values()]
}

const findingOf = ([result, ...others]: [CheckResult, ...CheckResult[]]): Finding => ({
  state: { outcome: result.outcome },
  requirement: result.requirement,
  id: result.id,
  details: [
    ['title', result.title],
    ['requirement', requirementOf(result)],
    ['contract', `${result.clause}, ${result.level}`],
    ...(others.length > 0 ? [alsoOf(result, others)] : []),
    ...detailsOf(result),
  ],
  evidence: result.evidence,
})

/** The other results with the same cause. */
const alsoOf = ({ cause = '' }: CheckResult, others: readonly CheckResult[]): Detail => [
  'also',
  `${others.map(({ id, requirement }) => `${id} (${requirement})`).join(', ')}: ${cause}`,
]

const itemOf = ({ id, message }: CheckResult): Item => ({ id, text: message })

/** The reason comes first. */
const waivedItem = (result: CheckResult): Item => ({
  id: result.id,
  text: `${waiverOf(result) ?? 'by the baseline'}; ${result.message}`,
})

/** A note does not change an outcome. */
const noteItems = ({ id, notes = [] }: CheckResult): Item[] => notes.map((text) => ({ id, text }))

const byRequirement = (checks: CheckResult[]): Section => ({
  id: 'results',
  heading: 'Results by requirement',
  ...tableOf(requirementRows(checks), 1, {
    Outcome: ({ outcome }) => ({ state: { outcome } }),
    Requirement: ({ requirement: text }) =>
      checks.some(({ requirement }) => requirement === text) ? { text, link: requirementAnchor(text) } : text,
    Level: ({ level }) => level,
    Contract: ({ place }) => place,
    Found: ({ found }) => found,
  }),
  caption: 'In the order of the contract. A requirement has the most severe outcome of its checks.',
})

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
  ...tableOf(observationsOf(report), 0, {
    'Open point': ({ id }) => id,
    Question: ({ question }) => question,
    Observed: ({ seen }) => seen,
  }),
  caption: 'Recorded only; never a failure.',
  formats: PAGES,
})

/** All checks, each with a bar for its duration. */
function everyCheck({ checks }: ConformanceReport): Section {
  const longest = Math.max(1, ...checks.map(({ durationMs }) => durationMs))
  return {
    id: 'checks',
    heading: `All checks (${checks.length})`,
    ...tableOf(checks, 1, {
      Outcome: ({ outcome }) => ({ state: { outcome } }),
      Check: ({ id }) => ({ text: id, isCode: true }),
      Found: ({ title, message, evidence }) => ({ text: title, note: firstLine(message), evidence }),
      Time: ({ durationMs }) => ({ text: `${durationMs} ms`, share: (100 * durationMs) / longest }),
    }),
    caption: 'Checks run in parallel, so their times add up to more than the duration of the run.',
    formats: ['html'],
  }
}

/** The text of each requirement in the report, for readers without the contract. */
function requirementTexts({ checks }: ConformanceReport): Section {
  const cited = new Map(checks.map((result) => [result.requirement, result]))
  const entries = [...cited].map(([id, { level, sentence = level, clause, anchor }]) => ({
    id,
    text: sentence,
    note: `Contract: ${clause}${anchor === undefined ? '' : `; ${anchor}`}`,
    anchor: requirementAnchor(id),
  }))
  return { ...listSection('requirements', 'Text of the requirements', entries), formats: ['html'] }
}

const run = (report: ConformanceReport): Section => ({
  id: 'run',
  heading: 'The run',
  kind: 'details',
  entries: [
    ['started', report.startedAt],
    ['duration', seconds(report.durationMs)],
    ['requests', String(report.statements)],
    ['suite', `${report.suite.name} ${versionText(report.suite)}`],
    ['requirement set', report.requirementSet?.version ?? '–'],
    ...optionsOf(report),
  ],
  formats: PAGES,
})
