import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { finished, serving } from '../support/cli.ts'
import { fewChecks, onLoopback } from '../support/containers.ts'
import { buildImage, type Image } from '../support/dockerfile.ts'

// outside the repository, so that nothing of its node_modules is found
const folder = mkdtempSync(join(tmpdir(), 'bioprocess-sql-image-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

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
  })

  test('leave nothing in the image but the package and its dependencies', () => {
    const { stdout } = spawnSync('du', ['-sk', '--apparent-size', image.folder], { encoding: 'utf8' })
    expect(Number.parseInt(stdout, 10) / 1024).toBeLessThan(100)
  })
})
