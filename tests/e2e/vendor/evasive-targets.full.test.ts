import { afterAll, expect, test } from 'vitest'
import { onEnvelope, onRows, wrapper, type Mutant } from '../../proof/mutant.ts'
import { remembering } from '../../proof/support/remembering.ts'
import { judge, startReference } from '../../proof/support/self-proof.ts'

// Targets that answer rightly at first, or only to what they expect.

const reference = await startReference()
const target = { ...reference, fetch: remembering(reference.fetch) }
afterAll(() => reference.close())

const judged = (wrap: Mutant['wrap'], fuzz?: number) =>
  judge(target, [], wrap, { skip: ['time.*'], ...(fuzz !== undefined && { fuzz }) })
const failed = (report: Awaited<ReturnType<typeof judged>>) =>
  report.checks.filter(({ outcome }) => outcome === 'fail').map(({ id }) => id)

/** Applies a defect from the nth request on. */
const after =
  (nth: number, wrap: Mutant['wrap']): Mutant['wrap'] =>
  (fetch) => {
    const broken = wrap(fetch)
    let count = 0
    return (input, init) => (++count > nth ? broken : fetch)(input, init)
  }

const losesLastRow = onEnvelope((envelope) => ({ ...envelope, data: envelope.data.slice(0, -1) }))

test('a target that is right for a hundred requests and then changes values is not judged as conformant', async () => {
  const rounded = onRows((row) =>
    Object.fromEntries(
      Object.entries(row).map(([key, value]) => [key, typeof value === 'number' ? Math.round(value) : value]),
    ),
  )
  // Rows of a plant may change at any time, so the run is inconclusive.
  const { checks } = await judged(after(100, rounded))
  expect(checks.filter(({ outcome }) => outcome === 'inconclusive' || outcome === 'fail')).not.toEqual([])
})

test('a target that is right for a hundred requests and then loses rows fails', async () => {
  expect(failed(await judged(after(100, losesLastRow)))).not.toEqual([])
})

test('a target that swaps the answers to parallel requests fails, with a note', async () => {
  const waiting: ((response: Response) => void)[] = []
  let own: Response | undefined
  const swapped = wrapper(async (call, next) => {
    const response = await next(call)
    if (!call.statement) return response
    if (own === undefined) {
      own = response
      return new Promise((resolve) => {
        const timer = setTimeout(() => {
          own = undefined
          resolve(response)
        }, 20)
        waiting.push((other) => {
          clearTimeout(timer)
          resolve(other)
        })
      })
    }
    const first = own
    own = undefined
    waiting.pop()!(response)
    return first
  })
  const report = await judged(swapped)
  expect(failed(report)).not.toEqual([])
  expect(report.checks.flatMap(({ notes = [] }) => notes).join(' ')).toContain(
    'answers may be mixed up under concurrency',
  )
})

test('a target that knows the statements of a run fails with --fuzz', async () => {
  const known = new Set<string>()
  await judged(
    wrapper((call, next) => {
      known.add(call.statement ?? '')
      return next(call)
    }),
  )
  const recognising = onEnvelope((envelope, { statement = '' }) =>
    known.has(statement) ? envelope : { ...envelope, data: envelope.data.slice(0, -1) },
  )
  const report = await judged(recognising, 60)
  expect(failed(report).join()).toContain('search.')
})

const reset = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' })

/** Loses requests at random, with the same chance for each. */
const losing =
  (seed: number, share: number): Mutant['wrap'] =>
  (fetch) => {
    let state = seed
    const random = () => ((state = (state * 1103515245 + 12345) % 2 ** 31) >> 8) / 2 ** 23
    return async (input, init) => {
      if (String(init?.body).includes('v_') && random() < share)
        throw new TypeError('fetch failed', { cause: reset })
      return fetch(input, init)
    }
  }

// With these seeds, one request is lost in each repetition.
test.each([19, 69, 83, 101, 107])(
  'a target that loses requests at random fails no request that is repeated: %i',
  async (seed) => {
    const options = { retries: 5 }
    expect(failed(await judge(target, ['replies.steady:*'], losing(seed, 0.4), options))).toEqual([])
  },
)

// The requests of a repetition are as many as one of these periods.
test('a target that loses every nth request fails no request that is repeated', async () => {
  for (let n = 15; n <= 24; n++) {
    let sent = 0
    const losesNth: Mutant['wrap'] = (fetch) => async (input, init) => {
      if (++sent % n === 0) throw new TypeError('fetch failed', { cause: reset })
      return fetch(input, init)
    }
    expect(failed(await judge(target, ['replies.steady:*'], losesNth, { retries: 5 })), `${n}`).toEqual([])
  }
})
