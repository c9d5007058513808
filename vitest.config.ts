import { defineConfig } from 'vitest/config'
import type { Reporter } from 'vitest/reporters'
import { BaseSequencer, type TestCase, type TestSpecification } from 'vitest/node'
import { sources } from './tests/e2e/support/sources.ts'
import { nameViolations } from './tests/e2e/support/test-names.ts'

const full = '**/*.full.test.ts'
/** Files that only the release tier runs, as `npm run test:release` does. */
const release = '**/*.release.test.ts'
/** Tests that run a client against engines. */
const habits = 'client/conformance/habits/**/*.test.ts'
/** Also those of tests/bench/peers, which `npm run bench` installs. */
const packages = '**/node_modules/**'
const isRelease = process.env['EVERY_CASE'] === '1'
/** Slow tests that measure time, load the machine or replace a module. Their files run one at a time, each in a process of its own. */
const alone = [
  'tests/e2e/{frontend,vendor}/{load,faults,time,under-load}.full.test.ts',
  ...(isRelease ? ['tests/proof/soak-suite.release.test.ts'] : []),
  'mock/**/{engine-pool,heavy}.full.test.ts',
  'client/conformance/habits/run.full.test.ts',
]
/** Workers of tests that wait for processes, engines, time limits and browsers for part of their time; those of the slow tier wait more. */
const waiting = 3
const waitingMore = 4
/** Longer than anything takes on a busy machine. */
const shared = { testTimeout: 300_000, hookTimeout: 300_000, expect: { poll: { timeout: 30_000 } } }

/** Fails a run if two tests share a name. */
const uniqueNames: Reporter = {
  onTestRunEnd(modules) {
    const tests = modules.flatMap((module) => [...module.children.allTests()])
    const violations = nameViolations(tests.map(({ fullName }) => fullName))
    for (const violation of violations) console.error(violation)
    if (violations.length > 0) process.exitCode = 1
  },
}

/** Ends the output with what was sampled and one line for CI. In CI, a skipped test fails the run, so that no test is missing unnoticed. */
const closingLine: Reporter = {
  onTestRunEnd(modules) {
    const tests = modules.flatMap((module) => [...module.children.allTests()])
    const count = (state: ReturnType<TestCase['result']>['state']) =>
      tests.filter((test) => test.result().state === state).length
    for (const { of, ran, exist } of modules.flatMap((module) => module.meta().samples ?? []))
      console.log(`sampled: ${ran} of ${exist} ${of} run`)
    if (!isRelease && modules.some(({ project }) => project.name === 'full'))
      console.log(
        `left to npm run test:release: ${sources()
          .filter((path) => path.endsWith('.release.test.ts'))
          .join(', ')}`,
      )
    const skipped = count('skipped') + count('pending')
    console.log(`tests: ${count('passed')} passed, ${count('failed')} failed, ${skipped} skipped`)
    if (process.env['CI'] && !process.env['SKIPPED_TESTS_PASS'] && skipped > 0) process.exitCode = 1
  },
}

/** Files that take minutes, longest first. Started last, one of them would run while the other workers are done. */
const longest = [
  'tests/proof/distributions/distributions',
  'tests/proof/self-proof',
  'tests/e2e/ci/examples',
  'tests/e2e/vendor/seeded',
  'tests/e2e/frontend/newcomer',
  'tests/e2e/frontend/console',
].map((path) => `${path}.full.test.ts`)

const placeOf = ({ moduleId }: TestSpecification): number => {
  const at = longest.findIndex((path) => moduleId.endsWith(path))
  return at < 0 ? longest.length : at
}
const groupOf = ({ project }: TestSpecification): number => project.config.sequence.groupOrder

/** Starts the longest files of a group first, and then those with the longest text. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    const sorted = await super.sort(files)
    return sorted.toSorted((a, b) => groupOf(a) - groupOf(b) || placeOf(a) - placeOf(b))
  }
}

/** Builds the package before tests that start its command line. */
const built = { globalSetup: './tests/e2e/support/build.ts' }

/**
 * `npm test` runs four projects: `unit` needs no engine, `types` compiles everything, `engine` starts
 * PGlite, and `e2e` starts the built command line. `npm run test:full` runs `proof` and the two `full` projects.
 */
export default defineConfig({
  test: {
    maxWorkers: 2,
    reporters: ['default', uniqueNames, closingLine],
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          ...shared,
          name: 'unit',
          include: [
            '*.test.ts',
            '{base,schemas,invariants,generators,fixtures,conformance,client,console,cli}/**/*.test.ts',
          ],
          exclude: [full, release, packages, habits],
          // The files share modules, which saves loading them again. No test may leave state in a module.
          isolate: false,
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          name: 'types',
          typecheck: {
            enabled: true,
            only: true,
            include: ['{client,conformance,mock}/**/*.test-d.ts'],
            tsconfig: 'tsconfig.json',
          },
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          ...shared,
          name: 'engine',
          include: [
            'mock/**/*.test.ts',
            habits,
            'tests/proof/**/*.test.ts',
            'build/**/*.test.ts',
            'tests/e2e/{house,support}/**/*.test.ts',
          ],
          exclude: [full, release, packages],
          isolate: false,
          maxWorkers: waiting,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          ...shared,
          ...built,
          name: 'e2e',
          isolate: false,
          include: ['tests/e2e/{vendor,frontend,ci}/**/*.test.ts'],
          exclude: [full, release, packages],
          maxWorkers: waiting,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          ...shared,
          ...built,
          name: 'full-alone',
          include: alone,
          fileParallelism: false,
          sequence: { groupOrder: 2 },
        },
      },
      {
        test: {
          ...shared,
          ...built,
          name: 'full',
          // The files of a worker also share what is compiled of an engine. No test may leave state in a module.
          isolate: false,
          include: isRelease ? [full, release] : [full],
          exclude: [...alone, 'tests/proof/**', packages],
          maxWorkers: waitingMore,
          sequence: { groupOrder: 3 },
        },
      },
      {
        test: {
          ...shared,
          name: 'proof',
          isolate: false,
          include: (isRelease ? [full, release] : [full]).map((files) => `tests/proof/${files}`),
          exclude: [...alone, packages],
          maxWorkers: waitingMore,
          sequence: { groupOrder: 3 },
        },
      },
    ],
  },
})
