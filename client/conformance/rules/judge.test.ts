import { describe, expect, test } from 'vitest'
import { requirements } from '../../../schemas/requirements.ts'
import { createClientJudge, judgeClient } from './judge.ts'
import { after, at, sql, Traffic } from './traffic.test-helper.ts'

const findingOf = async (id: string, traffic: Traffic) =>
  (await judgeClient(traffic.exchanges)).find(({ requirement }) => requirement === id)!
const outcomeOf = async (id: string, traffic: Traffic) => (await findingOf(id, traffic)).outcome

const ALL = 'SELECT * FROM v_timeseries'

const limitedTo = (run: string) => after(at(5), '>', ` AND bioprocess_id = '${run}' LIMIT 2`)
const chunk = (from: number, to: number) => after(at(from), '>', ` AND last_updated_at <= '${at(to)}'`)
const timedOut = () => new Traffic().refused(ALL, 504)
const quoted = (text: string) => `SELECT * FROM v_formulas WHERE name = '${text}'`
const refused = (status: number, value: string) =>
  new Traffic().refused(ALL, status, { 'retry-after': value })
const sampled = () => new Traffic().read(`${ALL} LIMIT 2`, [at(5), at(9)])

const outcomeWith = async (usual: number) => {
  const findings = await judgeClient(timedOut().read(ALL, []).exchanges, {
    usual: (text) => (text === ALL ? usual : 0),
  })
  return findings.find(({ requirement }) => requirement === 'REQ-TIME-4')!.outcome
}

describe('the rules', () => {
  test('judge every client-side requirement of the register, in its order', async () => {
    const bound = requirements.filter(({ side }) => side === 'client').map(({ id }) => id)
    expect((await judgeClient([])).map(({ requirement }) => requirement)).toEqual(bound)
  })

  test('exercise nothing without traffic, and say why', async () => {
    for (const { outcome, basis, sentence } of await judgeClient([])) {
      expect([outcome, basis]).toEqual(['not exercised', 0])
      expect(sentence).toMatch(/^[A-Z].*\.$/)
    }
  })

  test('judge an asynchronous stream like a list', async () => {
    const { exchanges } = new Traffic().request(sql('SELECT 1'), { authorization: '' })
    async function* stream() {
      yield* exchanges
    }
    expect(await judgeClient(stream())).toEqual(await judgeClient(exchanges))
  })

  test('find a body whose bytes are no JSON text, and still read its statement', async () => {
    const [exchange] = new Traffic().request(sql('SELECT 1; SELECT 2')).exchanges
    const body = { ...exchange!.body, encodingProblem: 'bytes that are not UTF-8' }
    const findings = await judgeClient([{ ...exchange!, body }])
    const failed = findings.filter(({ outcome }) => outcome === 'fail').map(({ requirement }) => requirement)
    expect(failed).toEqual(expect.arrayContaining(['REQ-HTTP-9', 'REQ-HTTP-13']))
  })

  test('ignore other paths, HEAD and preflight requests and everything below another base path', async () => {
    const [exchange] = new Traffic().request('{', { authorization: '' }).exchanges
    const others = [
      { ...exchange!, path: '/_mock/token' },
      { ...exchange!, method: 'OPTIONS' },
      { ...exchange!, method: 'HEAD' },
    ]
    expect((await judgeClient(others)).every(({ outcome }) => outcome === 'not exercised')).toBe(true)
    expect((await judgeClient([exchange!], { basePath: '/plant-1' }))[0]!.outcome).toBe('not exercised')
    const below = { ...exchange!, path: `/plant-1${exchange!.path}` }
    expect((await judgeClient([below], { basePath: '/plant-1' }))[4]!.outcome).toBe('fail')
  })

  test('count the exchanges and name at most ten', () => {
    const judge = createClientJudge()
    const { exchanges } = new Traffic().request(sql('SELECT 1'), { authorization: '' })
    for (let n = 0; n < 12; n++) judge.add(exchanges[0]!)
    const finding = judge.findings().find(({ requirement }) => requirement === 'REQ-AUTH-4')!
    expect(finding).toMatchObject({ outcome: 'fail', basis: 12, shownBy: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9] })
    expect(finding.sentence).toMatch(/^12 of 12 requests: no bearer token\./)
  })
})

describe('the form of a request', () => {
  test.each([
    ['REQ-AUTH-4', sql('SELECT 1'), { authorization: 'Basic YTpi' }, 'fail'],
    ['REQ-AUTH-4', sql('SELECT 1'), { authorization: 'bearer x' }, 'pass'],
    ['REQ-AUTH-4', sql('SELECT 1'), { authorization: 'Bearer Bearer x' }, 'fail'],
    ['REQ-HTTP-2', sql('SELECT 1'), { 'content-type': 'text/plain' }, 'fail'],
    ['REQ-HTTP-2', sql('SELECT 1'), { 'content-type': 'application/json; charset=utf-8' }, 'pass'],
    ['REQ-HTTP-2', sql('SELECT 1'), { 'content-type': 'application/jsonx' }, 'fail'],
    ['REQ-HTTP-13', "{'statement': 'SELECT 1'}", {}, 'fail'],
    ['REQ-HTTP-13', '', {}, 'fail'],
    ['REQ-HTTP-13', '["SELECT 1"]', {}, 'fail'],
    ['REQ-HTTP-13', '{"statement": 1}', {}, 'fail'],
    ['REQ-HTTP-13', '{"statement": "SELECT 1", "more": 1}', {}, 'pass'],
    ['REQ-HTTP-9', sql('SELECT 1; SELECT 2'), {}, 'fail'],
    ['REQ-HTTP-9', sql('SELECT 1;'), {}, 'pass'],
    ['REQ-HTTP-9', sql(`SELECT ';', ";" -- ; a comment\n FROM v_formulas /* ; */`), {}, 'pass'],
    ['REQ-HTTP-9', sql(String.raw`SELECT E'it\'s; fine', 'a\'`), {}, 'pass'],
    ['REQ-HTTP-9', sql(String.raw`SELECT 'a\'; SELECT 'b'`), {}, 'fail'],
    ['REQ-HTTP-9', sql('SELECT $$;$$, $a$ ; $a$'), {}, 'pass'],
    ['REQ-HTTP-9', '{', {}, 'not exercised'],
    ['REQ-AUTH-3', sql('SELECT 1'), {}, 'not exercised'],
  ] as const)('%s: %s with %j is %s', async (id, body, headers, outcome) => {
    expect(await outcomeOf(id, new Traffic().request(body, headers))).toBe(outcome)
  })

  test('is not judged by a body of which only the beginning was recorded', async () => {
    const [exchange] = new Traffic().request(sql('SELECT 1').slice(0, 9)).exchanges
    const [finding] = (
      await judgeClient([{ ...exchange!, body: { ...exchange!.body, isWhole: false } }])
    ).filter(({ requirement }) => requirement === 'REQ-HTTP-13')
    expect(finding!.outcome).toBe('not exercised')
  })
})

describe('after a 504', () => {
  test('the same statement is a violation, also with other spaces, comments and a semicolon', async () => {
    for (const same of [ALL, `${ALL};`, ALL.replace(' * ', '  *\n'), `/* retry */ ${ALL}`])
      expect(await findingOf('REQ-TIME-4', timedOut().read(same, []))).toMatchObject({
        outcome: 'fail',
        shownBy: [0, 1],
      })
  })

  test('a statement that differs is none, nor does a quoted text lose its spaces', async () => {
    expect(await outcomeOf('REQ-TIME-4', timedOut().read(`${ALL} LIMIT 10`, []))).toBe('pass')
    const traffic = new Traffic().refused(quoted('a  b'), 504).read(quoted('a b'), [])
    expect(await outcomeOf('REQ-TIME-4', traffic)).toBe('pass')
  })

  test('the same statement an hour later is a new attempt', async () => {
    expect(await outcomeOf('REQ-TIME-4', timedOut().after(3_590_000).read(ALL, []))).toBe('fail')
    expect(await outcomeOf('REQ-TIME-4', timedOut().after(3_601_000).read(ALL, []))).toBe('pass')
  })

  test('a request that was under way repeats nothing', async () => {
    const { exchanges } = timedOut().read(ALL, [])
    const underWay = { ...exchanges[1]!, startedMs: exchanges[0]!.endedMs - 1 }
    const findings = await judgeClient([exchanges[0]!, underWay])
    expect(findings.find(({ requirement }) => requirement === 'REQ-TIME-4')!.outcome).toBe('pass')
  })

  test('as many requests as without a 504 are no repetition', async () => {
    expect([await outcomeWith(1), await outcomeWith(2)]).toEqual(['fail', 'pass'])
  })

  test('three repetitions of one statement are three violations of three answers', async () => {
    const traffic = timedOut().refused(ALL, 504).refused(ALL, 504).read(ALL, [])
    expect(await findingOf('REQ-TIME-4', traffic)).toMatchObject({ outcome: 'fail', basis: 3 })
  })
})

describe('Retry-After', () => {
  test.each([
    [429, '3', 2000, 'observed'],
    [503, '3', 2000, 'observed'],
    [503, '3', 3000, 'pass'],
    [429, 'Thu, 01 Jan 1970 00:16:44 GMT', 500, 'observed'],
    [429, 'Thu, 01 Jan 1970 00:16:44 GMT', 4000, 'pass'],
    [429, 'soon', 1, 'not exercised'],
    [400, '3', 1, 'not exercised'],
  ])('of a %i with %s, the next request after %i ms: %s', async (status, value, ms, outcome) => {
    expect(await outcomeOf('REQ-RATE-1', refused(status, value).after(ms).read(ALL, []))).toBe(outcome)
  })

  test('is kept once: later requests rest on nothing', async () => {
    const traffic = refused(429, '1').after(1000).read(ALL, []).read(ALL, []).read(ALL, [])
    expect(await findingOf('REQ-RATE-1', traffic)).toMatchObject({ outcome: 'pass', basis: 1 })
  })
})

describe('a load of changes', () => {
  const [ties, late, cut] = ['REQ-DELTA-5', 'REQ-DELTA-8', 'REQ-DELTA-9']
  const loaded = (...times: number[]) => new Traffic().read(ALL, times.map(at))

  test.each([
    ['> the newest time read', after(at(9)), 'warn', 'warn'],
    ['>= the newest time read', after(at(9), '>='), 'pass', 'warn'],
    ['> an earlier time', after(at(5)), 'pass', 'pass'],
    ['> the newest time in another zone', after('2025-12-01T10:00:09+02:00'), 'warn', 'warn'],
    ['a DATE literal before', after('x').replace("'x'", "DATE '2025-12-01'"), 'pass', 'pass'],
    ['a row comparison', `${ALL} WHERE (last_updated_at, id) > ('${at(9)}', 'r1')`, 'pass', 'not exercised'],
    [
      'a row comparison spelled with OR',
      after(at(9), '>', ` OR (last_updated_at = '${at(9)}' AND id > 'r1')`),
      'pass',
      'not exercised',
    ],
    ['the bound first', `${ALL} WHERE '${at(9)}' < last_updated_at`, 'warn', 'warn'],
    ['BETWEEN', `${ALL} WHERE last_updated_at BETWEEN '${at(9)}' AND '${at(20)}'`, 'pass', 'warn'],
    ['a count', after(at(9)).replace('*', 'count(*)'), 'not exercised', 'not exercised'],
    ['an alternative', after(at(9), '>', " OR id = 'r1'"), 'not exercised', 'not exercised'],
    ['the opposite', after(at(9)).replace('WHERE', 'WHERE NOT'), 'not exercised', 'not exercised'],
    ['> the newest time read of g OR m', after(at(9), '>', " AND unit <> 'g or m'"), 'warn', 'warn'],
    ['a later time of another source', after(at(99)), 'not exercised', 'not exercised'],
    [
      'the documented subquery',
      `${ALL} WHERE last_updated_at > (SELECT MAX(last_updated_at) FROM v_bioprocesses)`,
      'not exercised',
      'not exercised',
    ],
    ['another view', after(at(9)).replace('v_timeseries', 'v_formulas'), 'not exercised', 'not exercised'],
  ])('that goes on with %s', async (_, statement, tiesOutcome, lateOutcome) => {
    const traffic = loaded(3, 9, 7).read(statement, [])
    expect([await outcomeOf(ties, traffic), await outcomeOf(late, traffic)]).toEqual([
      tiesOutcome,
      lateOutcome,
    ])
  })

  test('names the read before and the read that omits rows', async () => {
    const traffic = loaded(1)
      .read(after(at(0)), [at(9)])
      .read(after(at(9)), [])
    expect((await findingOf(ties, traffic)).shownBy).toEqual([1, 2])
  })

  test('in ordered pages may begin a page at the end of the last, but not after it', async () => {
    const page = ' ORDER BY last_updated_at LIMIT 2'
    const paged = (comparison: string) =>
      new Traffic().read(ALL + page, [at(1), at(2)]).read(after(at(2), comparison, page), [at(2), at(3)])
    expect([await outcomeOf(ties, paged('>=')), await outcomeOf(late, paged('>='))]).toEqual([
      'pass',
      'not exercised',
    ])
    expect(await outcomeOf(ties, paged('>'))).toBe('warn')
  })

  test('in chunks may begin a chunk at the end of the last', async () => {
    const between = `${ALL} WHERE last_updated_at BETWEEN '${at(0)}' AND '${at(3)}'`
    const traffic = new Traffic()
      .read(between, [at(1), at(3)])
      .read(chunk(3, 5), [at(4), at(5)])
      .read(chunk(5, 9), [at(8)])
    expect([await outcomeOf(ties, traffic), await outcomeOf(late, traffic)]).toEqual([
      'not exercised',
      'not exercised',
    ])
    expect(await outcomeOf(ties, traffic.read(after(at(8)), []))).toBe('warn')
  })

  test.each(['truncated', 'reset', 'aborted'] as const)(
    'goes on before the rows of a %s answer',
    async (ending) => {
      const broken = () => loaded(1, 2).read(after(at(1)), [at(3), at(9), at(8)], ending)
      expect(await outcomeOf(cut, broken().read(after(at(3)), []))).toBe('warn')
      expect(await outcomeOf(cut, broken().read(after(at(2)), []))).toBe('pass')
      expect(await outcomeOf(cut, broken().read(after(at(1)), []))).toBe('pass')
      expect(await outcomeOf(cut, broken())).toBe('not exercised')
    },
  )

  test('may go on after a read that covers the truncated one', async () => {
    const traffic = loaded(1, 2)
      .read(after(at(1)), [at(3), at(4)], 'truncated')
      .read(after(at(1)), [at(3), at(4)])
    expect(await findingOf(cut, traffic.read(after(at(3)), []))).toMatchObject({ outcome: 'pass', basis: 1 })
  })

  test('has not read a truncated answer again with a chunk of it', async () => {
    const traffic = loaded(1)
      .read(after(at(1)), [at(2), at(6), at(8)], 'truncated')
      .read(chunk(1, 2), [at(2)])
    expect(await outcomeOf(cut, traffic.read(after(at(6)), []))).toBe('warn')
  })

  test('loses rows after a LIMIT without an order', async () => {
    const limited = loaded(1).read(after(at(0), '>', ' LIMIT 2'), [at(5), at(9)])
    expect(await outcomeOf(cut, limited.read(after(at(9)), []))).toBe('warn')
  })

  test('loses rows after a LIMIT with the newest first', async () => {
    const page = after(at(0), '>', ' ORDER BY last_updated_at DESC LIMIT 2')
    const newest = loaded(1).read(page, [at(9), at(8)])
    expect(await outcomeOf(cut, newest.read(after(at(7)), []))).toBe('warn')
    const peeked = new Traffic().read(`${ALL} ORDER BY last_updated_at DESC LIMIT 1`, [at(9)])
    expect(await outcomeOf(cut, peeked.read(after(at(7)), []))).toBe('not exercised')
  })

  test('of one run is no load of another', async () => {
    const limited = new Traffic().read(limitedTo('a').replace(at(5), at(0)), [at(5), at(9)])
    expect(await outcomeOf(cut, limited.read(limitedTo('b'), []))).toBe('not exercised')
    expect(await outcomeOf(cut, limited.read(limitedTo('a'), []))).toBe('warn')
  })

  test('is not confused by a sample: a read of a few rows without a bound', async () => {
    expect(await outcomeOf(cut, sampled().read(after(at(7)), []))).toBe('not exercised')
    expect(await outcomeOf(cut, sampled().read(after(at(9)), []))).toBe('warn')
  })

  test('shows nothing with rows whose times have no key', async () => {
    const { exchanges } = loaded(1).read(after(at(1)), [])
    const [first, second] = exchanges
    const arrays = {
      status: 200,
      headers: {},
      body: {
        text: '{"data":[["r0","2025-12-01T08:00:01Z"]],"status":{"state":"success","message":""}}',
        isWhole: true,
      },
    }
    const findings = await judgeClient([{ ...first!, answer: arrays }, second!])
    expect(findings.find(({ requirement }) => requirement === ties)!.outcome).toBe('not exercised')
  })
})
