import { PAGES, type Document, type Finding, type Section } from '../../conformance/reports/document.ts'
import type { HabitReport, HabitResult, HabitVerdict } from '../habits/types.ts'
import { brokenOf, detailsOf, factsOf, failuresOf, resultsOf, worthKnowing } from './summary.ts'
import { svgMatrix } from './svg.ts'

const VERDICTS = {
  passed: 'pass',
  stopped: 'fail',
  incomplete: 'inconclusive',
} as const satisfies Record<HabitVerdict, string>

/** The report of habits for people: the picture, what stops the client, every habit. */
export const habitDocument = (report: HabitReport): Document => ({
  title: factsOf(report),
  state: { outcome: VERDICTS[report.verdict], word: report.verdict },
  byline: `Habits of services: contract ${report.contract}, started at ${report.startedAt}`,
  sections: [
    { id: 'picture', kind: 'figure', svg: svgMatrix(report), formats: ['html'] },
    broken(report),
    { id: 'stopped', heading: 'Stopped', kind: 'findings', entries: failuresOf(report).map(findingOf) },
    others(report),
    waived(report),
    { id: 'notes', heading: 'Notes', kind: 'list', entries: report.notes.map((text) => ({ text })) },
    requirements(report),
    everyHabit(report),
  ],
})

const broken = (report: HabitReport): Section => ({
  id: 'broken',
  heading: 'Requirements of clients, without any habit',
  kind: 'list',
  entries: brokenOf(report).map(({ outcome, requirement, sentence }) => ({
    id: `${outcome} ${requirement}`,
    text: sentence,
  })),
})

const findingOf = (result: HabitResult): Finding => ({
  state: { outcome: 'fail', word: 'stopped' },
  id: result.id,
  details: detailsOf(result),
})

const others = (report: HabitReport): Section => ({
  id: 'worth-knowing',
  heading: 'Worth knowing',
  kind: 'list',
  entries: worthKnowing(report).map(({ id, standing, failure }) => ({
    id: `${id} (${standing})`,
    text: failure?.message.split(/\r?\n/)[0] ?? '',
  })),
})

const waived = (report: HabitReport): Section => ({
  id: 'waived',
  heading: 'Waived',
  kind: 'list',
  entries: resultsOf(report).flatMap(({ id, reason }) =>
    reason === undefined ? [] : [{ id, text: reason }],
  ),
})

const requirements = ({ plain }: HabitReport): Section => ({
  id: 'requirements',
  heading: 'Every requirement of clients',
  kind: 'table',
  heads: ['Outcome', 'Requirement', 'Finding'],
  entries: plain.findings.map(({ outcome, requirement, sentence }) => [outcome, requirement, sentence]),
  caption: 'What the traffic shows without any habit',
  headColumn: 1,
  formats: ['html'],
})

const everyHabit = (report: HabitReport): Section => ({
  id: 'habits',
  heading: 'Every habit',
  kind: 'table',
  heads: ['Outcome', 'Habit', 'Standing', 'What it is'],
  entries: resultsOf(report).map(({ id, outcome, standing, title, failure }) => [
    outcome,
    { text: id, isCode: true },
    standing,
    { text: title, ...(failure && { note: failure.message }) },
  ]),
  caption: 'Each habit with its outcome',
  headColumn: 1,
  formats: PAGES,
})
