import {
  listSection,
  PAGES,
  tableOf,
  type Document,
  type Finding,
  type Item,
  type Section,
} from '../../../conformance/reports/document.ts'
import type { HabitReport, HabitResult, HabitVerdict } from '../habits/types.ts'
import type { ClientFinding } from '../rules/finding.ts'
import { brokenOf, detailsOf, factsOf, failuresOf, worthKnowing } from './summary.ts'

const VERDICTS = {
  passed: 'pass',
  stopped: 'fail',
  incomplete: 'inconclusive',
} as const satisfies Record<HabitVerdict, string>

/** The report of habits for people: what stops the client, every habit. */
export const habitDocument = (report: HabitReport): Document => ({
  title: factsOf(report),
  state: { outcome: VERDICTS[report.verdict], word: report.verdict },
  byline: `Habits of services: contract ${report.contract}, started at ${report.startedAt}`,
  sections: [
    listSection('broken', 'Requirements of clients, without any habit', brokenOf(report).map(brokenItem)),
    { id: 'stopped', heading: 'Stopped', kind: 'findings', entries: failuresOf(report).map(findingOf) },
    listSection('worth-knowing', 'Worth knowing', worthKnowing(report).map(knownItem)),
    listSection('waived', 'Waived', report.results.flatMap(waivedItems)),
    listSection(
      'notes',
      'Notes',
      report.notes.map((text) => ({ text })),
    ),
    requirements(report),
    everyHabit(report),
  ],
})

const brokenItem = ({ outcome, requirement, sentence }: ClientFinding): Item => ({
  id: `${outcome} ${requirement}`,
  text: sentence,
})

const findingOf = (result: HabitResult): Finding => ({
  state: { outcome: 'fail', word: 'stopped' },
  id: result.id,
  details: detailsOf(result),
})

const knownItem = ({ id, standing, failure }: HabitResult): Item => ({
  id: `${id} (${standing})`,
  text: failure?.message.split(/\r?\n/)[0] ?? '',
})

const waivedItems = ({ id, reason }: HabitResult): Item[] =>
  reason === undefined ? [] : [{ id, text: reason }]

const requirements = ({ plain }: HabitReport): Section => ({
  id: 'requirements',
  heading: 'Every requirement of clients',
  ...tableOf(plain.findings, 1, {
    Outcome: ({ outcome }) => outcome,
    Requirement: ({ requirement }) => requirement,
    Finding: ({ sentence }) => sentence,
  }),
  caption: 'What the traffic shows without any habit',
  formats: ['html'],
})

const everyHabit = (report: HabitReport): Section => ({
  id: 'habits',
  heading: 'Every habit',
  ...tableOf(report.results, 1, {
    Outcome: ({ outcome }) => outcome,
    Habit: ({ id }) => ({ text: id, isCode: true }),
    Standing: ({ standing }) => standing,
    'What it is': ({ title, failure }) => ({ text: title, ...(failure && { note: failure.message }) }),
  }),
  caption: 'Each habit with its outcome',
  formats: PAGES,
})
