import { describe, expect, test } from 'vitest'
import { plausiblePlant } from '../../invariants/plant.test-helper.ts'
import { openPoints } from '../../schemas/index.ts'
import { checks } from '../checks/index.ts'
import { handmade, manyRows, rowsReply } from '../connection/handmade.test-helper.ts'
import type { Target } from '../connection/target.ts'
import { probes } from './index.ts'
import { allProbes, numberOf, observeAll, withoutProbe } from './observe.ts'

const asIs = (text: string) => text

const observe = (t: Target, ...ids: string[]) =>
  observeAll(
    allProbes.filter(({ id }) => ids.includes(id)),
    t,
    asIs,
  )

describe('the probes of all settings', () => {
  test('every open point has either a probe or a reason why it has none', () => {
    const observed = allProbes.map(numberOf)
    expect([...observed, ...Object.keys(withoutProbe)].toSorted()).toEqual(
      openPoints.map(({ number }) => number),
    )
    expect(Object.values(withoutProbe).filter((reason) => reason.length < 20)).toEqual([])
  })

  test('every probe tests the variants of the register and no others', () => {
    const tested = allProbes.map(({ id, variants }) => [id, variants.toSorted()])
    const registered = openPoints.flatMap(({ id, variants }) =>
      allProbes.some((probe) => probe.id === id) ? [[id, variants.map(({ slug }) => slug).toSorted()]] : [],
    )
    expect(Object.fromEntries(tested)).toEqual(Object.fromEntries(registered))
    expect(Object.keys(probes)).toHaveLength(tested.length + 3)
  })

  test('every check that a probe names exists', () => {
    const named = allProbes.flatMap(({ after }) => after ?? [])
    expect(named.length).toBeGreaterThan(5)
    expect(named.filter((id) => !checks.some((check) => check.id === id))).toEqual([])
  })
})

describe('a setting without an observation', () => {
  test('a setting is not observed if the responses do not show it', async () => {
    expect(await observe(handmade({}), 'qc.types')).toEqual({
      observations: {},
      notObserved: { 'NS-01': 'The responses do not show it.' },
    })
  })

  test('a setting is not observed if its probe throws, and the error is the reason', async () => {
    const shut = handmade({ answer: () => new Response('closed', { status: 503 }) })
    const { observations, notObserved } = await observe(shut, 'quantity-data.value', 'http.content-type')
    expect(observations).toEqual({})
    expect(notObserved).toEqual({
      'NS-44': 'the target limited the requests with HTTP 503',
      'NS-47': 'the target limited the requests with HTTP 503',
    })
  })

  test('no setting is observed after the target stops responding, and no further request is sent', async () => {
    const dead = handmade({
      answer: () => {
        throw new TypeError('fetch failed')
      },
    })
    const { observations, notObserved } = await observe(
      dead,
      'sql.empty',
      'http.no-slash',
      'http.content-type',
    )
    expect(observations).toEqual({})
    expect(Object.values(notObserved)).toEqual(Array(3).fill(expect.stringContaining('fetch failed')))
    expect(dead.client.statements).toBe(2)
  })

  test('a setting is not observed if one request gets no response, but the next probe runs', async () => {
    const picky = handmade({
      answer: ({ url }) => {
        if (!url.endsWith('/')) throw new TypeError('fetch failed')
        return undefined
      },
    })
    const { observations, notObserved } = await observe(picky, 'http.no-slash', 'http.content-type')
    expect(Object.keys(notObserved)).toEqual(['NS-46'])
    expect(Object.keys(observations)).toEqual(['NS-47'])
  })
})

test('an unknown way to fill an open point is described without a variant', async () => {
  const t = handmade({ rows: { v_bioprocesses: [{ events: [{ what: 1, when: 2 }] }] } })
  expect((await observe(t, 'events.discriminator')).observations).toEqual({
    'NS-22': {
      point: 'events.discriminator',
      knob: 'events.discriminator',
      seen: '1 record, each with what, when',
    },
  })
})

test('a secret that a target echoes is redacted in an observation', async () => {
  const echo = handmade({ rows: { v_bioprocesses: [{ id: 'b' }] }, message: 'hello right-token' })
  const { observations } = await observeAll(
    allProbes.filter(({ id }) => id === 'messages.success'),
    echo,
    (text) => text.replaceAll('right-token', '[token]'),
  )
  expect(observations['NS-50']!.seen).toBe('"hello [token]"')
})

describe('no observation shows a value of a row', () => {
  const secret = 'VALUE-OF-A-ROW'

  type Rows = Record<string, Record<string, unknown>[]>

  /** The rows with the secret in every text, at every depth. */
  const marked = (rows: Rows): Rows =>
    JSON.parse(
      JSON.stringify(rows, (_, value: unknown) => (typeof value === 'string' ? `${secret} ${value}` : value)),
    ) as Rows

  /** The rows with every object and array as a text. */
  const asTexts = (rows: Rows): Rows =>
    Object.fromEntries(
      Object.entries(rows).map(([view, all]) => [
        view,
        all.map((row) =>
          Object.fromEntries(
            Object.entries(row).map(([key, value]) => [
              key,
              typeof value === 'object' && value !== null ? JSON.stringify(value) : value,
            ]),
          ),
        ),
      ]),
    )

  test.each([
    ['in rows with objects', marked(plausiblePlant() as unknown as Rows)],
    ['in rows with JSON texts', asTexts(marked(plausiblePlant() as unknown as Rows))],
  ])('%s', async (_, rows) => {
    const { observations } = await observeAll(allProbes, handmade({ rows }), asIs)
    expect(Object.keys(observations).length).toBeGreaterThan(30)
    expect(JSON.stringify(observations)).not.toContain(secret)
  })

  test('in a row that comes back for a delta', async () => {
    const id = `${secret} 1`
    const t = handmade({
      rows: { ...manyRows, v_quantities: [{ id, last_updated_at: '2025-03-01T08:12:00.123Z' }] },
      answer: ({ sql }) =>
        /> '2025/.test(sql) ? rowsReply([{ id, last_updated_at: '2025-03-01T08:12:00.123Z' }]) : undefined,
    })
    const { observations } = await observe(t, 'delta.precision')
    expect(observations['NS-53']).toMatchObject({ variant: 'printed-millis' })
    expect(JSON.stringify(observations)).not.toContain(secret)
  })
})
