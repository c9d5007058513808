import { describe, expect, test } from 'vitest'
import { undocumented } from '../../schemas/index.ts'
import { checks } from '../checks/index.ts'
import { observeAll } from '../open-points/probe.ts'
import { cannotBeTold, examples } from './examples/index.test-helper.ts'
import { handmade } from './handmade.test-helper.ts'
import { probes } from './index.ts'
import { withoutProbe } from './without-probe.ts'

const ids = probes.map(({ silence }) => silence)

describe('the register and the probes', () => {
  test('every silence has either one probe or a reason why there is none', () => {
    expect([...ids, ...Object.keys(withoutProbe)].toSorted()).toEqual(undocumented.map(({ id }) => id))
  })

  test('what is observed has a knob', () => {
    const knobless = undocumented.filter(({ id, knob }) => ids.includes(id) && knob === null)
    expect(knobless.map(({ id }) => id)).toEqual([])
  })

  test('a probe that reads what a check asks names a check that there is', () => {
    const named = probes.flatMap(({ after }) => after ?? [])
    expect(named.filter((id) => !checks.some((check) => check.id === id))).toEqual([])
  })

  test('every variant of a silence that is observed has an example, or a reason why it can not be told', () => {
    const variants = undocumented
      .filter(({ id }) => ids.includes(id))
      .flatMap(({ id, variants: all }) => all.map(({ slug }) => `${id} ${slug}`))
    const shown = Object.entries(examples).flatMap(([id, services]) =>
      Object.keys(services).map((slug) => `${id} ${slug}`),
    )
    expect([...shown, ...Object.keys(cannotBeTold)].toSorted()).toEqual(variants.toSorted())
  })
})

const observe = async (silence: string, t: ReturnType<typeof handmade>) =>
  observeAll(
    probes.filter((probe) => probe.silence === silence),
    t,
    (text) => text.replaceAll('right-token', '[token]'),
  )

const all = Object.entries(examples).flatMap(([id, services]) =>
  Object.entries(services).map(([slug, service]) => ({ id, slug, service })),
)

test.each(all)('$id $slug is told from the others', async ({ id, slug, service }) => {
  const t = handmade(service)
  await service.before?.(t)
  const { observations, notObserved } = await observe(id, t)
  expect(notObserved).toEqual({})
  expect(observations[id]).toMatchObject({
    knob: undocumented.find((entry) => entry.id === id)!.knob,
    variant: slug,
    seen: expect.any(String),
  })
})

describe('what can not be told', () => {
  test('is not observed where there is nothing to look at', async () => {
    const empty = handmade({})
    const { observations, notObserved } = await observe('NS-01', empty)
    expect(observations).toEqual({})
    expect(notObserved).toEqual({ 'NS-01': 'Nothing in the answers tells.' })
  })

  test('is not observed where reading is refused, and the reason is given', async () => {
    const shut = handmade({ answer: () => new Response('closed', { status: 503 }) })
    const { observations, notObserved } = await observe('NS-44', shut)
    expect(observations).toEqual({})
    expect(notObserved['NS-44']).toMatch(/v_bioprocess_quantity_data/)
  })

  test('is not asked for any more where the target has fallen silent', async () => {
    const dead = handmade({
      answer: () => {
        throw new TypeError('fetch failed')
      },
    })
    const three = probes.filter(({ silence }) => ['NS-19', 'NS-46', 'NS-47'].includes(silence))
    const { observations, notObserved } = await observeAll(three, dead, (text) => text)
    expect(observations).toEqual({})
    expect(Object.values(notObserved)).toEqual(Array(3).fill(expect.stringContaining('fetch failed')))
    expect(dead.client.statements).toBe(2)
  })

  test('does not keep the next probe from looking, where only one request is left without an answer', async () => {
    const picky = handmade({
      answer: ({ url }) => {
        if (!url.endsWith('/')) throw new TypeError('fetch failed')
        return undefined
      },
    })
    const two = probes.filter(({ silence }) => ['NS-46', 'NS-47'].includes(silence))
    const { observations, notObserved } = await observeAll(two, picky, (text) => text)
    expect(Object.keys(notObserved)).toEqual(['NS-46'])
    expect(Object.keys(observations)).toEqual(['NS-47'])
  })

  test('has no variant where the register knows none like it', async () => {
    const { observations } = await observe(
      'NS-22',
      handmade({ rows: { v_bioprocesses: [{ events: [{ what: 1, when: 2 }] }] } }),
    )
    expect(observations).toEqual({
      'NS-22': { knob: 'events.discriminator', seen: '1 record, each with what, when' },
    })
  })
})

test('secrets that a target echoes are taken out', async () => {
  const echo = handmade({ rows: { v_bioprocesses: [{ id: 'b' }] }, message: 'hello right-token' })
  const { observations } = await observe('NS-50', echo)
  expect(observations['NS-50']!.seen).toBe('"hello [token]"')
})

test('no observation shows a value of a row', async () => {
  for (const [id, services] of Object.entries(examples)) {
    const secret = 'VALUE-OF-A-ROW'
    const service = Object.values(services).find(({ rows, answer }) => rows && !answer)
    if (!service) continue
    const rows = JSON.parse(
      JSON.stringify(service.rows, (_, value: unknown) =>
        typeof value === 'string' ? `${secret}${value}` : value,
      ),
    ) as typeof service.rows
    const { observations } = await observe(id, handmade({ ...service, rows: rows! }))
    expect(JSON.stringify(observations), id).not.toContain(secret)
  }
})
