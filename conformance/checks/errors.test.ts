import { describe, expect, test } from 'vitest'
import { handmade, refuse, rowsReply, type Asked } from '../connection/handmade.test-helper.ts'
import { brokenBodies, brokenBodyRules, invalidBodies } from '../connection/requests/broken-bodies.ts'
import { errorChecks } from './errors.ts'

type Answer = (asked: Asked) => Response | '' | undefined

const judge = (id: string, answer: Answer) =>
  errorChecks
    .find((check) => check.id === id)!
    .run(handmade({ rows: { v_bioprocesses: [{ id: 'a' }] }, answer }))

const unknownIn = (sql: string): string | undefined =>
  /\bv_(?:(?:quantities_v_)?no_such_\w+|bioprocess\b)/.exec(sql)?.[0]
const relation = (name: string) => `relation "${name}" does not exist`

/** Judges a gateway that refuses unknown views. */
const onGateway = (status: number) =>
  judge('errors.unknown-view:alone', ({ sql }) => unknownIn(sql) && refuse(status, 'No.'))

/** Serves joins that `accepts` admits. */
const joining =
  (accepts: (sql: string) => boolean, message = relation): Answer =>
  ({ sql }) => {
    if (!sql.includes('JOIN')) return undefined
    if (!accepts(sql)) return refuse(200)
    const unknown = unknownIn(sql)
    return unknown === undefined ? rowsReply([{ id: 'a' }]) : refuse(200, message(unknown))
  }

describe('the check of an unknown view', () => {
  test.each<[refuses: string, id: string, answer: Answer]>([
    ['joins', 'joined', joining(() => false)],
    ['subqueries', 'subquery', ({ sql }) => (sql.includes('(') ? refuse(200) : undefined)],
  ])('is not exercised on a target that refuses %s', async (_, id, answer) => {
    const finding = await judge(`errors.unknown-view:${id}`, answer)
    expect(finding).toMatchObject({
      outcome: 'not-exercised',
      message: expect.stringMatching(/^`SELECT .* v_bioprocesses.*` got HTTP 200/),
    })
  })

  test.each<[accepts: string, (sql: string) => boolean]>([
    ['aliases only with AS', (sql) => / AS t LEFT JOIN \w+ AS b /.test(sql)],
    ['only t.*, b.*', (sql) => sql.startsWith('SELECT t.*, b.* ')],
    ['joins only without LIMIT', (sql) => !sql.includes('LIMIT')],
  ])('is judged in the spelling of a target that accepts %s', async (_, accepts) => {
    const id = 'errors.unknown-view:joined'
    expect(await judge(id, joining(accepts))).toMatchObject({ outcome: 'pass' })
    const generic = await judge(
      id,
      joining(accepts, () => 'Error executing statement'),
    )
    expect(generic).toMatchObject({
      outcome: 'fail',
      message: 'the message for an unknown view does not name the view: on the right, on the left',
    })
    const { statement } = JSON.parse(generic.exchanges!.at(-1)!.request.body) as { statement: string }
    expect(accepts(statement)).toBe(true)
  })

  test('passes on a target that refuses filters, and counts the other statements', async () => {
    const finding = await judge('errors.unknown-view:alone', ({ sql }) =>
      sql.includes('WHERE') ? refuse(200) : undefined,
    )
    expect(finding).toMatchObject({
      outcome: 'pass',
      message: expect.stringMatching(/^3 replies: .*; not exercised: a filter$/),
    })
  })

  test.each([403, 429, 503, 504])('accepts the documented error with HTTP %i', async (status) => {
    const finding = await judge('errors.unknown-view:alone', ({ sql }) => {
      const unknown = unknownIn(sql)
      return unknown && refuse(status, relation(unknown))
    })
    expect(finding).toMatchObject({ outcome: 'pass', message: expect.stringMatching(/^4 replies: /) })
  })

  test('is not exercised on a gateway that refuses with HTTP 403', async () => {
    expect(await onGateway(403)).toMatchObject({ outcome: 'not-exercised' })
  })

  test('is unknown behind a gateway that is busy', async () => {
    await expect(onGateway(503)).rejects.toThrow('the target limited the requests with HTTP 503')
  })

  test('passes without a note if the message has the backslashes of the contract', async () => {
    const finding = await judge('errors.unknown-view:alone', ({ sql }) => {
      const unknown = unknownIn(sql)
      return unknown && refuse(200, `relation \\"${unknown}\\" does not exist`)
    })
    expect(finding).toEqual({ outcome: 'pass', message: expect.stringMatching(/^4 replies: /) })
  })
})

const isJson = (body: string): boolean => {
  try {
    return Boolean(JSON.parse(body))
  } catch {
    return false
  }
}

const reporting = (message: string) =>
  judge('errors.invalid-json:format', ({ body }) => (isJson(body) ? undefined : refuse(200, message)))

/** Judges a target that reads a body with a carriage return, and refuses others without saying why. */
const readingReturns = (id: string) =>
  judge(id, ({ body }) => {
    if (isJson(body)) return undefined
    return body.includes('\r') ? rowsReply([]) : refuse(200, 'No.')
  })

describe('the checks of bodies that are not JSON', () => {
  test('send different bodies, none of which is JSON or begins with a whole value', () => {
    const bodies = [
      ...Object.values(invalidBodies),
      ...brokenBodyRules.flatMap((rule) => brokenBodies(rule, 100)),
    ]
    for (const body of bodies) expect(() => JSON.parse(body) as unknown).toThrow(SyntaxError)
    expect(bodies.filter((body) => isJson(body.slice(0, body.lastIndexOf('}') + 1)))).toEqual([])
    const ofRun = [...Object.values(invalidBodies), ...brokenBodyRules.flatMap((rule) => brokenBodies(rule))]
    expect(new Set(ofRun).size).toBe(ofRun.length)
    expect(new Set(bodies).size).toBeGreaterThan(150)
  })

  test.each<[kind: string, RegExp]>([
    ['a carriage return', /"SELECT[^"]*\r[^"]*"/],
    ['another control character', /"SELECT[^"]*[\n\t][^"]*"/],
    ['a typographic quote', /[“”„‟]/],
    ['backticks', /`.*`/],
    ['a comment behind #', /#\n/],
    ['no colon', /"statement" "/],
    ['no comma', /\d\n|null\n/],
    ['a separator twice', /::|\{\{/],
    ['a wrong escape', /\\[^"\\/bfnrtu0]/],
    ['text before the object', /^[^{\s]\{/],
    ['text behind the last value', /"[^"\s:,}]\s?\}$/],
  ])('send a body with %s in every run', (_, pattern) => {
    const bodies = brokenBodyRules.flatMap((rule) => brokenBodies(rule))
    expect(bodies.filter((body) => pattern.test(body))).not.toEqual([])
  })

  test('send the same bodies for the same number, and more for a higher one', () => {
    const [few, more] = [0, 12].map((n) => brokenBodies('stray-character', n))
    expect(brokenBodies('stray-character', 12)).toEqual(more)
    expect(more!.length).toBeGreaterThan(few!.length + 8)
  })

  test('fail a success only, if the bodies are drawn', async () => {
    expect(await readingReturns('errors.invalid-json:escape')).toMatchObject({ outcome: 'pass' })
    expect(await readingReturns('errors.invalid-json:control')).toMatchObject({
      outcome: 'fail',
      message: expect.stringMatching(/^a body that is not JSON got a success: .*\\r/),
    })
  })

  test.each([
    'JSON decode error: trailing comma',
    'Expecting value: line 1 column 1 (char 0)',
    "invalid character 'a' after top-level value",
    'EOF',
    "'S' is an invalid start of a value. LineNumber: 0 | BytePositionInLine: 0.",
    'Unexpected character (code 39)',
    'Required request body is missing',
  ])('accept the text of a decoder: %s', async (message) => {
    expect(await reporting(message)).toEqual({
      outcome: 'pass',
      message: expect.stringMatching(/^\d (reply|replies): reports a JSON decode error$/),
    })
  })

  test.each(['Error executing statement', 'Bad request', ''])('refuse the message "%s"', async (message) => {
    expect(await reporting(message)).toMatchObject({ outcome: 'fail' })
  })

  test('name the bodies that were served', async () => {
    const finding = await judge('errors.invalid-json:token', ({ body }) =>
      isJson(body) ? undefined : body.includes('limit') ? rowsReply([]) : refuse(200, 'JSON decode error'),
    )
    const message = expect.stringMatching(/^a body that is not JSON got a success: .*limit.*$/)
    expect(finding).toMatchObject({ outcome: 'fail', message })
  })

  test('are not exercised if a plain statement is refused afterwards', async () => {
    let isUp = true
    const finding = await judge('errors.invalid-json:format', ({ body }) => {
      isUp &&= isJson(body)
      return isUp ? undefined : refuse(502, 'fetch failed')
    })
    expect(finding).toMatchObject({ outcome: 'not-exercised', message: expect.stringContaining('HTTP 502') })
  })
})

const reset = (): never => {
  throw new TypeError('fetch failed', { cause: Object.assign(new Error('reset'), { code: 'ECONNRESET' }) })
}
const isWrong = (sql: string) => !/^SELECT [\w*, ]+ FROM v_\w+( LIMIT \d+)?$/.test(sql)

describe('a target that closes the connection on syntax errors', () => {
  test('fails if it serves a plain statement in between', async () => {
    const finding = await judge('errors.syntax-error', ({ sql }) => (isWrong(sql) ? reset() : undefined))
    expect(finding).toMatchObject({ outcome: 'fail', message: expect.stringContaining('got no reply') })
  })

  test('is not judged if it then refuses the plain statement too', async () => {
    let closed = false
    const answer: Answer = ({ sql }) => {
      if (isWrong(sql)) closed = true
      return isWrong(sql) ? reset() : closed ? refuse(503) : undefined
    }
    await expect(judge('errors.syntax-error', answer)).rejects.toThrow('closed the connection')
  })
})

describe('a target that reads texts without SQL', () => {
  const rows = [{ id: 'a' }]
  const served = (sql: string) => (sql.includes('v_formulas') ? [{ id: 'f' }] : rows)
  const texts = (first: (sql: string) => string) =>
    judge('errors.broken-statement:text-behind-semicolon', ({ sql }) => {
      const read = first(sql)
      return /[;(]|oops/.test(read) ? refuse(200) : rowsReply(served(read))
    })

  test('is not judged on text behind a semicolon if it ignores further statements', async () => {
    const finding = await judge('errors.broken-statement:text-behind-semicolon', ({ sql }) =>
      rowsReply(/v_quantities/.test(sql) ? [{ id: 'q' }] : rows),
    )
    expect(finding).toMatchObject({ outcome: 'observed', message: expect.stringContaining('sql.multi') })
  })

  test('fails if it refuses two statements, but ignores text that is none', async () => {
    expect(await texts((sql) => (/; SELECT/.test(sql) ? sql : sql.replace(/ ;.*/, '')))).toMatchObject({
      outcome: 'fail',
      message: expect.stringMatching(/^a SQL syntax error got a success: `.* ;/),
    })
  })

  test('fails if it ignores what stands before a dot', async () => {
    const finding = await judge('errors.unknown-qualifier', ({ sql }) =>
      sql.includes('no_such_column') ? refuse(200) : undefined,
    )
    expect(finding).toMatchObject({
      outcome: 'fail',
      message: expect.stringMatching(/^an unknown alias got a success: `SELECT zz\.id .*`, `.*WHERE zz\./),
    })
  })

  test('is not judged on it if it reads an unknown column as null', async () => {
    expect(await judge('errors.unknown-qualifier', () => undefined)).toMatchObject({ outcome: 'observed' })
  })
})
