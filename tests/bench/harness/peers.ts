import { spawnSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { contract, ddl } from '../../../schemas/index.ts'
import { ask } from './client.ts'
import { peersProject, scratch } from './folders.ts'
import { smallStatement } from './load.ts'
import { ours, type ServerSpec, withServer } from './servers.ts'

/** The peer that targets compare with. */
export const prism = 'Prism 5.14'

/** The peer that executes statements too. */
export const naive = 'PGlite, naive'

/** Installs the peers from their lockfile on first use. */
export function installPeers(): void {
  if (existsSync(join(peersProject, 'node_modules', '.package-lock.json'))) return
  console.log('Installing the peers into tests/bench/peers (npm ci, once).')
  const { status } = spawnSync('npm', ['ci'], { cwd: peersProject, stdio: 'inherit', shell: true })
  if (status !== 0)
    throw new Error('The installation of the peers failed. Run npm ci in tests/bench/peers to see why.')
}

let specs: Promise<readonly ServerSpec[]> | undefined

/** The tables that the small statements read, which the naive server fills. */
const naiveTables = ['experiments', 'quantities', 'bioprocess_quantity_data']

/** The servers beside ours: Prism repeats an answer recorded from it. */
export const peers = (): Promise<readonly ServerSpec[]> => (specs ??= recordReply().then(configure))

/** @throws Error for an unknown name */
export async function peer(name: string): Promise<ServerSpec> {
  const found = (await peers()).find((spec) => spec.name === name)
  if (!found) throw new Error(`There is no peer ${name}.`)
  return found
}

const recordReply = () =>
  withServer(ours(), async (server) => {
    const reply = async (statement: string) =>
      (await ask(server, statement, { keepBody: true })).body.toString()
    const inserts: string[] = []
    for (const table of naiveTables) inserts.push(insertInto(table, await reply(`SELECT * FROM v_${table}`)))
    return { reply: await reply(smallStatement(0)), inserts }
  })

/** Writes a temporary file. */
function write(name: string, text: string): string {
  const file = join(scratch, name)
  writeFileSync(file, text)
  return file
}

/** Writes the configuration of each peer and returns its command. */
function configure({ reply, inserts }: Awaited<ReturnType<typeof recordReply>>): readonly ServerSpec[] {
  const openapiFile = write('openapi.json', JSON.stringify(openapiWith(JSON.parse(reply))))
  const setupFile = write('setup.sql', [ddl, ...inserts].join('\n'))
  return [
    {
      name: prism,
      args: (port) => [
        join(peersProject, 'node_modules/@stoplight/prism-cli/dist/index.js'),
        'mock',
        `--port=${port}`,
        '--verboseLevel=error',
        '--multiprocess=false',
        openapiFile,
      ],
    },
    { name: naive, args: (port) => [join(peersProject, 'naive-pglite.mjs'), `${port}`, setupFile] },
  ]
}

/** A minimal OpenAPI document, for the fastest start of Prism; the full one takes far longer to load. */
const openapiWith = (example: unknown) => ({
  openapi: '3.1.0',
  info: { title: 'Statements', version: '1' },
  components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
  paths: {
    [contract.endpoint.path]: {
      post: {
        security: [{ token: [] }],
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema: {
                type: 'object',
                required: ['statement'],
                properties: { statement: { type: 'string' } },
              },
            },
          },
        },
        responses: { 200: { description: 'Rows', content: { 'application/json': { example } } } },
      },
    },
  },
})

function insertInto(table: string, reply: string): string {
  const { data } = JSON.parse(reply) as { data: unknown[] }
  const rows = JSON.stringify(data).replaceAll("'", "''")
  return `INSERT INTO plant.${table} SELECT * FROM json_populate_recordset(NULL::plant.${table}, '${rows}');`
}
