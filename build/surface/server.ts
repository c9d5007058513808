import { Hono } from 'hono'
import { Metrics } from '../../mock/app/admin/metrics.ts'
import { createApp } from '../../mock/app/app.ts'
import { Faults } from '../../mock/app/faults/faults.ts'
import { nextVersionPath } from '../../mock/app/request/call.ts'
import type { StatementEngine } from '../../mock/statement.ts'
import { contract } from '../../schemas/contract.ts'
import { line } from './line.ts'

const engine: StatementEngine = {
  execute: async () => ({ columns: ['n'], chunks: [new TextEncoder().encode('{"n":1}')] }),
  close: async () => {},
}

const host = { name: 'host', isUp: true, inRecovery: false, lagBytes: 0, lagSeconds: 0 }
const engines = { idle: 1, busy: 0, starting: 0, waiting: 0, ended: { reason: 0 }, hosts: [host] }

/** Headers for every route: a token, a JSON body, and the provider of tokens with all of its routes. */
const headers = {
  authorization: 'Bearer token',
  'content-type': 'application/json',
  origin: 'http://localhost',
  'access-control-request-method': 'POST',
  'x-mock-variant': 'auth.mode=client-credentials',
}

/** The routes of the reference server, the members of their answers, and its metrics, from a server with every option. */
export async function serverLines(): Promise<string[]> {
  const { app, routes } = withRoutes(() =>
    createApp({
      engine: () => engine,
      engineStatus: () => engines,
      residentBytes: () => 1,
      plant: { now: () => '2026-01-01T00:00:00Z', asOf: undefined },
      page: { files: async () => new Uint8Array(), token: 'token' },
      judge: {
        allowsTargets: true,
        run: async () => new Blob([]).stream(),
        report: () => ({ id: 'report', html: '' }),
      },
      faults: new Faults(['status:503,on=v_formulas']),
      tokens: ['token'],
    }),
  )
  const ask = (method: string, path: string, body?: string) =>
    app.fetch(new Request(`http://localhost${path}`, { method, headers, ...(body && { body }) }))
  await ask('POST', '/_mock/stubs', '{"match": "SELECT 2", "rows": []}')
  await ask('POST', '/_mock/variants/next', '{"variants": {"rows.case": "upper"}, "count": 100}')
  return [
    ...routes.map(({ method, path }) => line(['route', `${method} ${path}`])),
    ...(await endpointLines(ask)),
    ...(await answerLines(
      ask,
      routes.flatMap(({ method, path }) => (method === 'GET' ? [path] : [])),
    )),
    ...(await filterLines(ask)),
    ...metricLines(),
  ]
}

type Ask = (method: string, path: string, body?: string) => Promise<Response>

/** Hono shows the routes of an application to its owner only. This notes the applications that get routes of others. */
function withRoutes<App>(create: () => App) {
  const owners: Hono[] = []
  const { route } = Hono.prototype
  Hono.prototype.route = function (this: Hono, ...given: Parameters<typeof route>) {
    owners.push(this)
    return route.apply(this, given)
  } as typeof route
  try {
    const app = create()
    const [longest] = owners.toSorted((a, b) => b.routes.length - a.routes.length)
    return { app, routes: (longest?.routes ?? []).filter(({ method }) => method !== 'ALL') }
  } finally {
    Hono.prototype.route = route
  }
}

/** The statement endpoint, which Hono does not route: what it answers to each method. */
async function endpointLines(ask: Ask): Promise<string[]> {
  const { path } = contract.endpoint
  const lines: string[] = []
  for (const at of [path, `/s/session${path}`, path.slice(0, -1), nextVersionPath])
    for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      const body = method === 'GET' || method === 'HEAD' ? undefined : '{"statement": "SELECT 1"}'
      const answer = await ask(method, at, body)
      lines.push(line(['route', `${method} ${at}`], `answers ${answer.status}`))
      if (at === path) lines.push(...headersOf(answer, `${method} ${at}`))
    }
  return lines
}

/** The headers of an answer: a scan of the code does not see that one of several places sets a header no longer. */
const headersOf = (answer: Response, route: string): string[] =>
  [...answer.headers.keys()].map((name) => line(['answer', route, `header ${name}`], `with ${answer.status}`))

/** The members of the JSON that routes answer, and the headers. */
async function answerLines(ask: Ask, paths: readonly string[]): Promise<string[]> {
  const lines: string[] = []
  for (const path of paths) {
    const answer = await ask('GET', path)
    lines.push(...headersOf(answer, `GET ${path}`))
    const isJson = answer.status === 200 && answer.headers.get('content-type')?.includes('json')
    if (isJson && path.startsWith('/_mock/'))
      lines.push(...membersOf(await answer.json(), ['answer', `GET ${path}`]))
  }
  return lines
}

/** The members of a JSON value, without its values. */
function membersOf(given: unknown, path: readonly string[]): string[] {
  if (Array.isArray(given)) return given.flatMap((item) => membersOf(item, [...path, '[]']))
  if (typeof given !== 'object' || given === null) return []
  return Object.entries(given).flatMap(([name, member]) => [
    line([...path, name], Array.isArray(member) ? 'array' : typeof member),
    ...membersOf(member, [...path, name]),
  ])
}

/** The parameters of `/_mock/requests`, which a request with another one is told. */
async function filterLines(ask: Ask): Promise<string[]> {
  const text = await (await ask('GET', '/_mock/requests?no=1')).text()
  const names = /The parameters are: ([\w, ]+)\./.exec(text)?.[1]
  if (names === undefined)
    throw new Error('/_mock/requests no longer names its parameters. Correct build/surface/server.ts.')
  return names.split(', ').map((name) => line(['parameter', name], '/_mock/requests'))
}

function metricLines(): string[] {
  const metrics = new Metrics()
  metrics.record({ status: 200, state: 'success', durationMs: 1, bytes: 1 })
  const text = metrics.render({ uptime: 1, engines, residentBytes: 1, droppedLogLines: 1 })
  return [
    ...[...text.matchAll(/^# TYPE (\w+) (\w+)/gm)].map(([, name, type]) => line(['metric', name!], type)),
    ...[...text.matchAll(/^(\w+)(\{.*\})? /gm)].map(([, name, labels]) => line(['metric', name!], labels)),
  ]
}
