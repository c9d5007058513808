import { spawn } from 'node:child_process'
import { copyFileSync, rmSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { packInto } from '../../e2e/support/installed-package.ts'
import { Newcomer } from '../../e2e/support/newcomer.ts'
import type { Benchmark } from '../benchmark.ts'
import { onAllCores } from '../harness/cores.ts'
import { repository } from '../harness/folders.ts'
import { median, short } from '../harness/numbers.ts'

const [files, workers, rounds, busyRuns] = [8, 2, 5, 20]
const packages = ['react@19', 'react-dom@19', '@testing-library/react@16', 'jsdom@29', 'msw@2', 'vitest@4']

type Kind = 'by-hand' | 'with-mock'

/** Eight test files of two component tests, with handlers by hand and with the mock on one engine for all. */
export const testFiles: Benchmark = {
  name: 'test-files',
  title: 'Eight files of component tests in two workers',
  onDemand: true,
  run: () =>
    onAllCores(async () => {
      const projects: Record<Kind, Newcomer> = {
        'by-hand': project('by-hand'),
        'with-mock': project('with-mock'),
      }
      try {
        const seconds: Record<Kind, number[]> = { 'by-hand': [], 'with-mock': [] }
        const rows: number[] = []
        for (let round = 0; round <= rounds; round++)
          for (const kind of ['by-hand', 'with-mock'] as const) {
            const started = performance.now()
            const output = run(projects[kind])
            // the first round fills the caches
            if (round === 0) continue
            seconds[kind].push((performance.now() - started) / 1000)
            for (const [, ms] of output.matchAll(/own rows: ([\d.]+) ms/g)) rows.push(Number(ms))
          }
        const green = besideBusyLoops(() => {
          let passed = 0
          for (let n = 0; n < busyRuns; n++) if (isGreen(projects['with-mock'])) passed++
          return passed
        })
        const [byHand, withMock] = [median(seconds['by-hand']), median(seconds['with-mock'])]
        return {
          measures: [
            { what: 'time of the run', value: withMock / byHand, unit: 'x handlers by hand', must: 1.3 },
            { what: 'a row put in a new test file', value: median(rows), unit: 'ms', must: 300 },
            {
              what: `runs of ${busyRuns} without a failed test, a busy loop on each core`,
              value: green,
              unit: '',
              must: busyRuns,
              more: true,
            },
          ],
          evidence: [
            { handlers: 'by hand', 'run, s': short(byHand) },
            { handlers: 'of the mock', 'run, s': short(withMock) },
          ],
        }
      } finally {
        for (const one of Object.values(projects)) one.remove()
      }
    }),
}

/** A new project with the files of one kind. */
function project(kind: Kind): Newcomer {
  const made = new Newcomer()
  const tarball = packInto(made.folder)
  made.install(tarball, ...packages)
  rmSync(tarball)
  const shared = kind === 'with-mock' ? "globalSetup: 'bioprocess-sql-contract/msw/global-setup'," : ''
  made.write(
    'vitest.config.js',
    `export default { test: { environment: 'jsdom', maxWorkers: ${workers}, ${shared} } }\n`,
  )
  const copy = (from: string, to: string) =>
    copyFileSync(join(repository, 'tests/bench/test-files', from), join(made.folder, to))
  copy('experiments.js', 'experiments.js')
  for (let n = 1; n <= files; n++) copy(`${kind}.test.js`, `file-${n}.test.js`)
  return made
}

/** @returns the output. @throws Error unless all tests pass */
function run(made: Newcomer): string {
  const output = made.vitest()
  if (!output.includes(`${2 * files} passed`)) throw new Error(`Not all tests ran.\n${output}`)
  return output
}

function isGreen(made: Newcomer): boolean {
  try {
    run(made)
    return true
  } catch {
    return false
  }
}

function besideBusyLoops<Value>(work: () => Value): Value {
  const loops = Array.from({ length: availableParallelism() }, () =>
    spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }),
  )
  try {
    return work()
  } finally {
    for (const loop of loops) loop.kill('SIGKILL')
  }
}
