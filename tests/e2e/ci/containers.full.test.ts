import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { builtCli, end, finished, root, serving } from '../support/cli.ts'
import { fewChecks, onLoopback } from '../support/containers.ts'
import { runBash } from '../support/pipeline.ts'

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
])('the server of examples/containers/%s passes the suite that stands beside it', async (_, containers) => {
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
})

test('the script that checks the image is valid, and docs/containers.md names only options that exist', async () => {
  expect(await runBash('bash -n examples/containers/check.sh', root, {})).toMatchObject({ exitCode: 0 })
  const page = readFileSync(join(root, 'docs/containers.md'), 'utf8')
  const known = (await Promise.all([help('serve'), help('conformance')])).map(({ stdout }) => stdout).join()
  const ofDocker = ['--format', '--rm', '--user', '--from', '--to', '--internal-certs']
  const options = [...page.matchAll(/(?<=[ `"])--[a-z][a-z-]+/g)].map(([option]) => option)
  expect(options.length).toBeGreaterThan(8)
  expect(options.filter((option) => !known.includes(option) && !ofDocker.includes(option))).toEqual([])
})
