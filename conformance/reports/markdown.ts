import type { CheckResult, ConformanceReport } from '../../schemas/index.ts'
import { requirementRows } from './requirement-rows.ts'
import { capped, fence, inline, table, type Block } from './markdown-syntax.ts'
import { SYMBOLS } from './symbols.ts'
import { versionText } from './version-text.ts'
import { plain } from './plain.ts'
import {
  detailsOf,
  factsOf,
  judgedOf,
  notesOf,
  observationsOf,
  optionsOf,
  QUALITY,
  qualityOf,
  requirementOf,
  waivedOf,
  withOutcome,
} from './summary.ts'

/** The longest summary of a job step on GitHub, in bytes. */
const JOB_SUMMARY_LIMIT = 1024 * 1024

/** Markdown for a job summary or a ticket: verdict, failures and how to reproduce them, table of requirements, verdict. */
export function markdownReport(unsafe: ConformanceReport): string {
  const report = plain(unsafe)
  const verdict = `**${report.verdict}** · ${inline(judgedOf(report))}`
  const facts = `${inline(factsOf(report))} · ${report.startedAt}`
  return capped(
    [`# ${report.verdict}: ${inline(judgedOf(report))}`, facts].join('\n\n'),
    [
      ...why(report),
      ...findings('## Failures', withOutcome(report, 'fail', 'error')),
      ...findings('## Warnings', withOutcome(report, 'warn')),
      ...brief('## Waived', waivedOf(report)),
      ...brief('## Inconclusive', withOutcome(report, 'inconclusive')),
      ...brief('## Not exercised', withOutcome(report, 'not-exercised')),
      ...brief('## Notes', notesOf(report)),
      ...results(report),
      ...quality(report),
      ...observations(report),
      ...options(report),
    ],
    verdict,
    JOB_SUMMARY_LIMIT,
  )
}

const block = (name: string, ...texts: string[]): Block => ({ name, text: texts.join('\n\n') })

function why({ verdict, reasons }: ConformanceReport): Block[] {
  if (reasons.length === 0) return []
  const shown = reasons.slice(0, 20).map((reason) => `- ${inline(reason.split('\n')[0]!)}`)
  const more = reasons.length > 20 ? [`- … and ${reasons.length - 20} more`] : []
  return [block('the reasons', `## Why ${verdict}`, [...shown, ...more].join('\n'))]
}

function findings(heading: string, results: CheckResult[]): Block[] {
  return results.map((result, index) =>
    block(
      heading.replace('## ', '').toLowerCase(),
      ...(index === 0 ? [heading] : []),
      `### ${SYMBOLS[result.outcome].mark} ${inline(`${result.requirement} ${result.id}`)}`,
      `${inline(result.title)}  \nRequirement: ${inline(requirementOf(result))}  \nContract: ${inline(result.clause)}, ${result.level}`,
      ...detailsOf(result).map(
        ([name, text]) => `${capital(name)}:\n\n${fence(text, name.startsWith('reproduce') ? 'sh' : 'text')}`,
      ),
    ),
  )
}

function brief(heading: string, results: { id: string; message: string }[]): Block[] {
  if (results.length === 0) return []
  const lines = results.map(({ id, message }) => `- **${inline(id)}**: ${inline(message)}`)
  return [block(`the section ${heading.slice(3)}`, heading, lines.join('\n'))]
}

function results(report: ConformanceReport): Block[] {
  if (report.checks.length === 0) return []
  const rows = requirementRows(report.checks).map(({ outcome, requirement, level, place, found }) => [
    `${SYMBOLS[outcome].mark} ${outcome}`,
    inline(requirement),
    level,
    inline(place),
    inline(found),
  ])
  return [
    block(
      'the table of requirements',
      '## Requirements',
      table(['', 'Requirement', 'Level', 'Contract', 'Found'], rows),
    ),
  ]
}

function quality(report: ConformanceReport): Block[] {
  const { broken, rest } = qualityOf(report) ?? {}
  if (!broken || rest === undefined) return []
  const lines = broken.map(({ id, message }) => `- **${inline(id)}**: ${inline(message)}`)
  return [block('the data quality', `## ${QUALITY}`, [...lines, `- ${inline(rest)}`].join('\n'))]
}

function observations(report: ConformanceReport): Block[] {
  const rows = observationsOf(report).map(({ id, question, seen }) => [id, question, seen].map(inline))
  if (rows.length === 0) return []
  return [
    block(
      'the open points',
      '## Open points of the contract',
      table(['Open point', 'Question', 'Observed'], rows),
    ),
  ]
}

function options(report: ConformanceReport): Block[] {
  const lines = optionsOf(report).map(([name, value]) => `${inline(name)}: ${inline(value)}`)
  const suite = inline(`${report.suite.name} ${versionText(report.suite)}`)
  return [block('the options', '## The run', [suite, ...lines].map((line) => `- ${line}`).join('\n'))]
}

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)
