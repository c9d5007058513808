import type { CheckResult, ConformanceReport } from '../../schemas/index.ts'
import { plain } from './plain.ts'
import { countsOf, detailsOf, optionsOf, requirementOf, waiverOf } from './summary.ts'

/**
 * JUnit XML with the elements and attributes that the xUnit plug-in of Jenkins documents and GitLab and the GitHub
 * actions read. Each area of the suite (`delta`) is a test suite, each check a test case. The test case `verdict`
 * reports facts about the whole run: the target was unreachable, or the run incomplete.
 */
export function junitReport(unsafe: ConformanceReport): string {
  const report = plain(unsafe)
  const suites = [verdictSuite(report), ...areas(report.checks).map((cases) => checkSuite(report, cases))]
  const total = tally(suites.flatMap(({ cases }) => cases))
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${attributes({ name: `${report.suite.name} ${report.target.baseUrl}`, ...total, time: time(report.durationMs) })}>`,
    ...suites.map(({ text }) => text),
    '</testsuites>\n',
  ].join('\n')
}

interface Case {
  kind: 'failure' | 'error' | 'skipped' | 'passed'
  classname: string
  name: string
  durationMs: number
  /** One line, for lists of test cases. */
  message: string
  /** The whole finding. */
  text: string
}

interface Suite {
  cases: Case[]
  text: string
}

const KINDS: Record<CheckResult['outcome'], Case['kind']> = {
  pass: 'passed',
  warn: 'passed',
  observed: 'passed',
  fail: 'failure',
  error: 'error',
  'not-exercised': 'skipped',
  inconclusive: 'skipped',
  waived: 'skipped',
}

function checkSuite(report: ConformanceReport, results: CheckResult[]): Suite {
  const cases = results.map((result): Case => {
    const { id, requirement, outcome, message, title, clause, level, notes = [], durationMs } = result
    return {
      kind: KINDS[outcome],
      classname: `${report.contract.version}.${requirement}`,
      name: id,
      durationMs,
      message: `${outcome}: ${outcome === 'waived' ? (waiverOf(result) ?? message) : message}`,
      text: [
        `${outcome}: ${title}`,
        `requirement: ${requirementOf(result)}`,
        `contract: ${clause}, ${level}`,
        ...detailsOf(result).map(([name, text]) => `${name}: ${text}`),
        ...notes.map((note) => `note: ${note}`),
      ].join('\n'),
    }
  })
  return suite(areaOf(results[0]!), report, cases, [])
}

function verdictSuite(report: ConformanceReport): Suite {
  const { verdict, reasons } = report
  const broken = verdict === 'unreachable' || verdict === 'suite-error'
  const kind = broken ? 'error' : verdict === 'non-conformant' ? 'failure' : 'skipped'
  const verdictCase: Case = {
    kind: verdict.startsWith('conformant') ? 'passed' : kind,
    classname: `${report.contract.version}.verdict`,
    name: 'verdict',
    durationMs: 0,
    message: `${verdict}: ${countsOf(report)}`,
    text: [`${verdict}: ${countsOf(report)}`, ...reasons].join('\n'),
  }
  const properties: [string, string][] = [
    ['verdict', verdict],
    ['suite version', report.suite.version],
    ['contract version', report.contract.version],
    ['base URL', report.target.baseUrl],
    ['requests', String(report.statements)],
    ...optionsOf(report),
  ]
  return suite('verdict', report, [verdictCase], properties)
}

function suite(
  name: string,
  report: ConformanceReport,
  cases: Case[],
  properties: [string, string][],
): Suite {
  const facts = {
    name,
    ...tally(cases),
    time: time(cases.reduce((sum, { durationMs }) => sum + durationMs, 0)),
    timestamp: report.startedAt,
  }
  const text = [
    `  <testsuite${attributes(facts)}>`,
    ...(properties.length > 0 ? ['    <properties>'] : []),
    ...properties.map(([name, value]) => `      <property${attributes({ name, value })}/>`),
    ...(properties.length > 0 ? ['    </properties>'] : []),
    ...cases.map(caseElement),
    '  </testsuite>',
  ].join('\n')
  return { cases, text }
}

function caseElement({ kind, classname, name, durationMs, message, text }: Case): string {
  const open = `    <testcase${attributes({ classname, name, time: time(durationMs) })}>`
  const type = message.slice(0, message.indexOf(':'))
  const finding = {
    passed: () => `<system-out>${escape(text)}</system-out>`,
    skipped: () => `<skipped${attributes({ message })}/><system-out>${escape(text)}</system-out>`,
    failure: () => `<failure${attributes({ type, message })}>${escape(text)}</failure>`,
    error: () => `<error${attributes({ type, message })}>${escape(text)}</error>`,
  }[kind]()
  return `${open}${finding}</testcase>`
}

const tally = (cases: readonly Case[]) => {
  const count = (kind: Case['kind']) => cases.filter((one) => one.kind === kind).length
  return {
    tests: cases.length,
    failures: count('failure'),
    errors: count('error'),
    skipped: count('skipped'),
  }
}

const areaOf = ({ id }: CheckResult): string => id.split('.')[0]!

function areas(results: readonly CheckResult[]): CheckResult[][] {
  const names = [...new Set(results.map(areaOf))]
  return names.map((name) => results.filter((result) => areaOf(result) === name))
}

const time = (ms: number): string => (ms / 1000).toFixed(3)

const attributes = (values: Record<string, string | number>): string =>
  Object.entries(values)
    .map(([name, value]) => ` ${name}="${inAttribute(String(value))}"`)
    .join('')

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

const escape = (text: string): string => text.replaceAll(/[&<>"]/g, (character) => ENTITIES[character]!)

/** XML parsers turn line breaks and tabs in an attribute into spaces unless they are character references. */
const inAttribute = (text: string): string =>
  escape(text).replaceAll(/[\n\t]/g, (character) => `&#${character.charCodeAt(0)};`)
