import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { builtCli, end, finished, root, serving } from '../support/cli.ts'
import { buildImage, type Image } from '../support/dockerfile.ts'
import { runBash } from '../support/pipeline.ts'

// outside the repository, so that nothing of its node_modules is found
const folder = mkdtempSync(join(tmpdir(), 'bioprocess-sql-image-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Options that shorten a run; its verdict is then incomplete. */
const fewChecks = { BIOPROCESS_SQL_ONLY: 'http.*', BIOPROCESS_SQL_ALLOW_INCOMPLETE: 'true' }

/** The image listens for other machines; tests listen on loopback only, on any port. */
const onLoopback = { BIOPROCESS_SQL_LISTEN: '127.0.0.1:0' }

describe('the steps of the Dockerfile', () => {
  let image: Image
  beforeAll(async () => {
    image = await buildImage(folder)
  }, 400_000)
  const start = (words: string[], env: NodeJS.ProcessEnv = {}) => {
    const [command, ...args] = [...image.entrypoint, ...words]
    return spawn(command!, args, {
      cwd: image.workdir,
      env: {
        PATH: process.env['PATH'],
        HOME: image.workdir,
        ...image.environment,
        ...onLoopback,
        ...env,
      },
    })
  }

  test('build an image that serves without rights and passes its own health check and suite', async () => {
    expect(image.user).toBe('node')
    expect(image.environment).toMatchObject({ BIOPROCESS_SQL_LISTEN: '0.0.0.0:4010' })
    const started = performance.now()
    const server = await serving(start(image.command))
    const startSeconds = (performance.now() - started) / 1000
    const healthcheck = (url: string) =>
      image.healthcheck.map((word) => word.replace('http://127.0.0.1:4010', url))
    const isHealthy = (url: string) => {
      const [command, ...args] = healthcheck(url)
      return spawnSync(command!, args).status === 0
    }
    expect(isHealthy(server.baseUrl)).toBe(true)
    // a check is no statement
    expect(server.log()).toBe('')
    const judged = await finished(
      start(['conformance', '--base-url', server.baseUrl, '--token', 'development'], fewChecks),
    )
    await server.stop()
    expect(isHealthy(server.baseUrl)).toBe(false)
    expect(judged).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('incomplete') })
    // the snapshot of the default plant is in the image: without it, the start takes much longer
    expect(startSeconds).toBeLessThan(20)
  }, 120_000)

  test('leave nothing in the image but the package and its dependencies', () => {
    const { stdout } = spawnSync('du', ['-sk', '--apparent-size', image.folder], { encoding: 'utf8' })
    expect(Number.parseInt(stdout, 10) / 1024).toBeLessThan(100)
  })
})

/** A container of an example: its arguments and environment. */
interface Container {
  name: string
  args: string[]
  env: Record<string, string>
}

const file = (name: string) => readFileSync(join(root, 'examples/containers', name), 'utf8')

const ofCompose = (): Container[] =>
  Object.entries(parse(file('compose.yaml')).services as Record<string, { command: string[] }>).map(
    ([name, { command }]) => ({ name, args: command, env: {} }),
  )

const ofKubernetes = (): Container[] =>
  parseAllDocuments(file('kubernetes.yaml'))
    .map((document) => document.toJS())
    .filter(({ kind }) => kind === 'Deployment' || kind === 'Job')
    .flatMap(({ spec }) => {
      const pod = spec.template.spec
      expect(pod).toMatchObject({ securityContext: { runAsNonRoot: true, runAsUser: 1000 } })
      return pod.containers.map(
        ({ name, args, env }: { name: string; args: string[]; env: { name: string }[] }) => ({
          name,
          args: args.map((word) => word.replace('$(TOKEN)', 'development')),
          env: Object.fromEntries(env.map((variable) => [variable.name, 'development'])),
        }),
      )
    })

/** Runs a container's command by the built package. */
const startContainer = ({ args, env }: Container) =>
  spawn(process.execPath, [builtCli, ...args], {
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...onLoopback, ...env, ...fewChecks },
  })

const help = (command: string) => finished(spawn(process.execPath, [builtCli, command, '--help']))

test.each([
  ['compose.yaml', ofCompose],
  ['kubernetes.yaml', ofKubernetes],
])(
  'the server of examples/containers/%s passes the suite that stands beside it',
  async (_, containers) => {
    const [mock, gate] = containers()
    const child = startContainer(mock!)
    // beyond loopback the server wants a token of its own
    expect(mock!.args).toContain('--token')
    const { baseUrl } = await serving(child)
    const args = gate!.args.map((word) => word.replace(/^http:\/\/[\w-]+:4010$/, baseUrl))
    expect(args).toContain(baseUrl)
    const run = await finished(startContainer({ ...gate!, args }))
    await end(child)
    expect([run.exitCode, run.stdout]).toEqual([0, expect.stringContaining('incomplete')])
  },
  120_000,
)

test('the script that checks the image is valid, and docs/containers.md names only options that exist', async () => {
  expect(await runBash('bash -n examples/containers/check.sh', root, {})).toMatchObject({ exitCode: 0 })
  const page = readFileSync(join(root, 'docs/containers.md'), 'utf8')
  const known = (await Promise.all([help('serve'), help('conformance')])).map(({ stdout }) => stdout).join()
  const ofDocker = ['--format', '--rm', '--user', '--from', '--to', '--internal-certs']
  const options = [...page.matchAll(/(?<=[ `"])--[a-z][a-z-]+/g)].map(([option]) => option)
  expect(options.length).toBeGreaterThan(8)
  expect(options.filter((option) => !known.includes(option) && !ofDocker.includes(option))).toEqual([])
})
