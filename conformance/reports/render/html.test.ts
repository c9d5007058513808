import { expect, test } from 'vitest'
import { everyOutcome, report, result } from '../report.test-helper.ts'
import { reportFormats } from '../formats.ts'

const page = reportFormats.html(
  report(everyOutcome(), {
    verdict: 'non-conformant',
    reasons: ['REQ-SQL-3: one row too many'],
    observations: { 'NS-13': { knob: 'rows.duplicates', seen: 'last' } },
  }),
)

test('the HTML report needs no script and no request', () => {
  expect(page).toContain(
    `content="default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"`,
  )
  expect(page).not.toMatch(/<(script|img|link|iframe|object|form)\b|\bsrc=|url\(|@import|href="(?!#)/)
})

test('the HTML report starts and ends with the verdict and shows failures before the table of requirements', () => {
  const order = [
    '<h1>',
    'Why non-conformant</h2>',
    'Failures (2)</h2>',
    'Results by requirement</h2>',
    '<footer>',
  ]
  const places = order.map((part) => page.indexOf(part))
  expect(places).not.toContain(-1)
  expect(places).toEqual([...places].sort((a, b) => a - b))
  const verdict = /non-conformant<\/span\s*>\s*https:\/\/data\.example\.org/
  expect(page.slice(0, page.indexOf('<nav'))).toMatch(verdict)
  expect(page.slice(page.indexOf('<footer>'))).toMatch(verdict)
})

test('the HTML report shows expected, actual, curl and evidence of a finding, waivers and open points', () => {
  for (const part of [
    '<pre>1 row</pre>',
    '<pre>2 rows</pre>',
    '<pre>curl -sS &#39;https://data.example.org/&#39;</pre>',
    '<code>{&quot;statement&quot;:&quot;SELECT 1&quot;}</code>',
    'ab12',
    'ticket 4711 (until 2027-01-01); another text',
    '<th scope="row">rows.duplicates</th>',
  ])
    expect(page).toContain(part)
})

test('every link of the HTML report has a target, and every id is unique', () => {
  const ids = [...page.matchAll(/ id="([^"]*)"/g)].map((match) => match[1])
  expect(new Set(ids).size).toBe(ids.length)
  const links = [...page.matchAll(/href="#([^"]*)"/g)].map((match) => match[1])
  expect(links.length).toBeGreaterThan(5)
  expect(ids).toEqual(expect.arrayContaining(links))
})

test('a failure in the HTML report links to the text of its requirement', () => {
  expect(page).toContain('<a href="#req-sql-3">REQ-SQL-3</a> <code>a.fail</code></h3>')
  expect(page).toMatch(/<dt id="req-sql-3">.*<\/dt>\s*<dd>\s*A server MUST meet REQ-SQL-3\./)
})

test('the bars of all durations have the same scale', () => {
  const slow = reportFormats.html(
    report([
      result('a.x', 'REQ-SQL-3', { durationMs: 400 }),
      result('a.y', 'REQ-SQL-3', { durationMs: 100 }),
    ]),
  )
  expect([...slow.matchAll(/style="width:([\d.]+)%"/g)].map((match) => match[1])).toEqual(['100.0', '25.0'])
})

test('the HTML report shows observations, options and evidence of later versions', () => {
  const later = report([result('a.x', 'REQ-SQL-3')])
  Object.assign(later.observations, {
    'NS-01': { point: 'qc.types', knob: 'qc.types', variant: 'string', seen: 'texts' },
  })
  Object.assign(later.options, { evidence: 'full', maxDurationMs: 60_000 })
  later.checks[0]!.evidence = [
    Object.assign({ request: 'q', status: 0, bytes: 0, sha256: '', durationMs: 1 }, { body: 'whole <body>' }),
  ]
  const text = reportFormats.html(later)
  expect(text).toMatch(/<td [^>]*>string: texts<\/td>/)
  expect(text).toContain('<pre>whole &lt;body&gt;</pre>')
  expect(text).toMatch(/<dt>max duration<\/dt>\s*<dd>60 s<\/dd>/)
})
