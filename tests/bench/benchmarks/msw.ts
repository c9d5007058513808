import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { launchChromium } from '../../e2e/support/chromium.ts'
import { createPageProject, serveBuilt } from '../../e2e/support/page-project.ts'
import { scratch as projectFolder } from '../../e2e/support/vendor.ts'
import type { Benchmark } from '../benchmark.ts'
import { printedBy } from '../harness/command.ts'
import { onAllCores } from '../harness/cores.ts'
import { repository, scratch } from '../harness/folders.ts'
import { median, short } from '../harness/numbers.ts'

const rounds = 3
const unit = 'x a constant handler'

/** The average time of a statement in one round. */
interface Taken {
  readonly ms: number
  readonly cpuMs: number
}

/** The output of tests/bench/msw/handled.mjs. */
interface Handled {
  readonly firstMs: number
  readonly constant: readonly Taken[]
  /** New statements. */
  readonly mock: readonly Taken[]
  /** Twenty statements, repeated. */
  readonly again: readonly Taken[]
  readonly grownMb: number
  readonly resetMs: number
}

/** Statements handled by msw, in Node and in Chromium. */
export const msw: Benchmark = {
  name: 'msw',
  title: 'Statements handled by msw',
  async run() {
    const found = Array.from({ length: rounds }, handled)
    const of = (pick: (one: Handled) => number) => median(found.map(pick))
    const ratio = (which: 'mock' | 'again', unit: keyof Taken) =>
      of((one) => middle(one[which], unit) / middle(one.constant, unit))
    const further = JSON.parse(printedBy([join(repository, 'tests/bench/msw/shared-run.mjs')])) as number[]
    const page = await onAllCores(firstInPage)
    return {
      measures: [
        { what: 'new statement in Node, time', value: ratio('mock', 'ms'), unit, must: 2 },
        { what: 'new statement in Node, CPU', value: ratio('mock', 'cpuMs'), unit },
        { what: 'repeated statement in Node, time', value: ratio('again', 'ms'), unit, must: 2 },
        { what: 'first statement in Node', value: of(({ firstMs }) => firstMs), unit: 'ms', must: 600 },
        { what: 'first statement in a further worker', value: median(further), unit: 'ms', must: 60 },
        {
          what: 'memory after 1,000 more statements',
          value: of(({ grownMb }) => grownMb),
          unit: 'MB',
          must: 32,
        },
        { what: 'reset()', value: of(({ resetMs }) => resetMs), unit: 'ms', must: 20 },
        { what: 'first statement in Chromium', value: page.ms, unit: 'ms', must: 2500 },
        { what: 'transferred for the first statement, gzip', value: page.megabytes, unit: 'MB', must: 10 },
      ],
      evidence: found.map((one) => ({
        'constant handler, ms': short(middle(one.constant, 'ms')),
        'new statement, ms': short(middle(one.mock, 'ms')),
        'repeated statement, ms': short(middle(one.again, 'ms')),
        'first statement, ms': short(one.firstMs),
      })),
      notes: [
        'Sequential requests, wall time. The first statement counts from its request, after msw is loaded.',
      ],
    }
  },
}

const middle = (taken: readonly Taken[], unit: keyof Taken): number => median(taken.map((one) => one[unit]))

/** Runs in a new project without cached snapshots. */
function handled(): Handled {
  const cwd = join(scratch, 'msw-project')
  mkdirSync(join(cwd, 'node_modules'), { recursive: true })
  const script = join(repository, 'tests/bench/msw/handled.mjs')
  return JSON.parse(printedBy([script], cwd)) as Handled
}

async function firstInPage(): Promise<{ ms: number; megabytes: number }> {
  const project = projectFolder()
  createPageProject(project.dir)
  const served = await serveBuilt(project.dir)
  const browser = await launchChromium()
  const times: number[] = []
  const bodies: Promise<number>[] = []
  try {
    for (let round = 0; round < rounds; round++) {
      const page = await (await browser.newContext()).newPage()
      if (round === 0)
        page.on('response', (response) => {
          if (!response.url().startsWith('http')) return
          bodies.push(response.body().then((body) => gzipSync(body).length))
        })
      await page.goto(`${served.url}empty.html`)
      await page.waitForFunction('window.mocks !== undefined')
      times.push(
        await page.evaluate<number>(`(async () => {
          const started = performance.now()
          const answer = await window.mocks.createMock().fetch('https://a.example/external/v1/statements/', {
            method: 'POST',
            headers: { authorization: 'Bearer x', 'content-type': 'application/json' },
            body: JSON.stringify({ statement: 'SELECT * FROM v_experiments LIMIT 10' }),
          })
          await answer.text()
          return performance.now() - started
        })()`),
      )
      if (round === 0) await Promise.all(bodies)
      await page.context().close()
    }
    const bytes = (await Promise.all(bodies)).reduce((sum, length) => sum + length, 0)
    return { ms: median(times), megabytes: bytes / 1e6 }
  } finally {
    await browser.close()
    await served.close()
    project.remove()
  }
}
