/** A test case of a JUnit report. */
export interface Case {
  kind: 'failure' | 'error' | 'skipped' | 'passed'
  classname: string
  name: string
  durationMs: number
  /** One line, for lists of test cases: `outcome: what was found`. */
  message: string
  /** The whole finding. */
  text: string
}

/** A test suite. */
export interface Suite {
  name: string
  cases: readonly Case[]
  properties?: readonly (readonly [name: string, value: string])[]
}

/** A test suite for each area: the first part of the names (`delta`). */
export function areasOf(cases: readonly Case[]): Suite[] {
  const areaOf = ({ name }: Case) => name.split('.')[0]!
  const names = [...new Set(cases.map(areaOf))]
  return names.map((name) => ({ name, cases: cases.filter((one) => areaOf(one) === name) }))
}

/**
 * JUnit XML with the elements and attributes that the xUnit plug-in of Jenkins documents and GitLab and the GitHub
 * actions read.
 *
 * @param startedAt ISO 8601
 */
export function junitXml(
  name: string,
  { startedAt, durationMs }: { startedAt: string; durationMs: number },
  suites: readonly Suite[],
): string {
  const total = tally(suites.flatMap(({ cases }) => cases))
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${attributes({ name, ...total, time: time(durationMs) })}>`,
    ...suites.map((suite) => suiteElement(suite, startedAt)),
    '</testsuites>\n',
  ].join('\n')
}

function suiteElement({ name, cases, properties = [] }: Suite, timestamp: string): string {
  const facts = {
    name,
    ...tally(cases),
    time: time(cases.reduce((sum, { durationMs }) => sum + durationMs, 0)),
    timestamp,
  }
  return [
    `  <testsuite${attributes(facts)}>`,
    ...(properties.length > 0 ? ['    <properties>'] : []),
    ...properties.map(([name, value]) => `      <property${attributes({ name, value })}/>`),
    ...(properties.length > 0 ? ['    </properties>'] : []),
    ...cases.map(caseElement),
    '  </testsuite>',
  ].join('\n')
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
