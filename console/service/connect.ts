import { signal } from '@preact/signals'
import { askAdmin, bodyOf, createService, type Facts, type Service } from './service.ts'

/** How far the page is with its service. */
export type Connection =
  | { readonly state: 'starting'; readonly message: string }
  | { readonly state: 'ready'; readonly service: Service }
  | { readonly state: 'refused'; readonly message: string; readonly needsAdminToken: boolean }

export const connection = signal<Connection>({ state: 'starting', message: 'Connecting …' })

const isPlayground = document.querySelector<HTMLMetaElement>('meta[name="console"]')?.content === 'playground'

/** Finds the service: the server that sent the page, or the mock in the playground. */
export async function connect(): Promise<void> {
  connection.value = { state: 'starting', message: 'Connecting …' }
  try {
    connection.value = isPlayground ? await startPlayground() : await findServer()
  } catch (error) {
    connection.value = {
      state: 'refused',
      needsAdminToken: false,
      message: isPlayground
        ? (error as Error).message
        : 'The server does not answer. Start it with `bioprocess-sql serve`, and reload the page.',
    }
  }
}

async function findServer(): Promise<Connection> {
  const response = await askAdmin(fetch, '/_mock/console')
  if (response.status === 401)
    return {
      state: 'refused',
      needsAdminToken: true,
      message: 'This server has an admin token. Give the one it was started with (--admin-token).',
    }
  if (!response.ok)
    return {
      state: 'refused',
      needsAdminToken: false,
      message: await bodyOf(response).then(
        () => '',
        (error: Error) =>
          `${error.message} Open the page as http://localhost, or start the server with --admin-host.`,
      ),
    }
  return {
    state: 'ready',
    service: createService('server', location.origin, (await response.json()) as Facts, fetch),
  }
}

async function startPlayground(): Promise<Connection> {
  connection.value = { state: 'starting', message: 'Starting the database in this page …' }
  const { playgroundFetch } = await import('./playground.ts')
  const fetch = await playgroundFetch()
  const origin = 'https://playground.invalid'
  const facts = await askAdmin(fetch, `${origin}/_mock/console`).then((response) => bodyOf<Facts>(response))
  return { state: 'ready', service: createService('playground', origin, facts, fetch) }
}
