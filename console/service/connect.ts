import { computed, effect, signal } from '@preact/signals'
import { type Place, placeOf } from './place.ts'
import { askAdmin, bodyOf, createService, type Facts, type Fetch, type Service } from './service.ts'
import { adminToken, refusedToken, statementToken, tokenProblem } from './tokens.ts'

/** How far the page is with its service. */
export type Connection =
  | { readonly state: 'starting'; readonly message: string }
  | { readonly state: 'ready'; readonly service: Service }
  | { readonly state: 'refused'; readonly message: string; readonly asks?: typeof adminToken }

/** The server that was found, or why there is none. */
type Found =
  | { readonly state: 'found'; readonly place: Place; readonly facts: Facts; readonly fetch: Fetch }
  | Exclude<Connection, { state: 'ready' }>

const found = signal<Found>({ state: 'starting', message: 'Connecting …' })

/** The service of the page. Another token makes another one, so everything that was read from it is read again. */
export const connection = computed<Connection>(() => {
  const now = found.value
  if (now.state !== 'found') return now
  const { place, facts, fetch } = now
  const service = createService({
    kind: isPlayground ? 'playground' : 'server',
    place,
    facts,
    fetch,
    ownToken: statementToken.value,
    onAdminRefused: () => void connect(),
  })
  return { state: 'ready', service }
})

const isPlayground = document.querySelector<HTMLMetaElement>('meta[name="console"]')?.content === 'playground'

/** Finds the service: the server that sent the page, or the mock in the playground. */
export async function connect(): Promise<void> {
  found.value = { state: 'starting', message: 'Connecting …' }
  try {
    found.value = isPlayground ? await startPlayground() : await findServer()
  } catch (error) {
    found.value = {
      state: 'refused',
      message: isPlayground
        ? (error as Error).message
        : 'The server does not answer. Start it with `bioprocess-sql serve`, and reload the page.',
    }
  }
}

/** A server that was started again has another token, and tells it. */
effect(() => {
  const refused = refusedToken.value
  const before = found.peek()
  if (refused !== undefined && before.state === 'found' && before.facts.token === refused)
    void readFactsAgain(refused)
})

async function readFactsAgain(refused: string): Promise<void> {
  const now = await findServer().catch(() => undefined)
  if (now?.state === 'found' && now.facts.token !== refused) found.value = now
}

async function findServer(): Promise<Found> {
  const place = placeOf(location)
  const problem = tokenProblem(adminToken.value)
  if (problem !== undefined) return { state: 'refused', asks: adminToken, message: problem }
  const response = await askAdmin(fetch, `${place.base}/_mock/console`)
  if (response.status === 401)
    return {
      state: 'refused',
      asks: adminToken,
      message: 'This server has an admin token. Give the one it was started with (--admin-token).',
    }
  if (!response.ok)
    return {
      state: 'refused',
      message: await bodyOf(response).then(
        () => '',
        (error: Error) =>
          `${error.message} Open the page as http://localhost, or start the server with --admin-host.`,
      ),
    }
  const facts = { ...((await response.json()) as Facts), readAt: performance.now() }
  return { state: 'found', place, facts, fetch }
}

async function startPlayground(): Promise<Found> {
  found.value = { state: 'starting', message: 'Starting the database in this page …' }
  const { playgroundFetch } = await import('./playground.ts')
  const fetch = await playgroundFetch()
  const place = { base: 'https://playground.invalid' }
  const facts = await askAdmin(fetch, `${place.base}/_mock/console`).then((response) =>
    bodyOf<Facts>(response),
  )
  return { state: 'found', place, facts, fetch }
}
