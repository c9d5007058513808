import { defineConfig } from 'vitest/config'
import type { Reporter } from 'vitest/reporters'
import type { TestCase } from 'vitest/node'
import { sources } from './e2e/support/sources.ts'
import { nameViolations } from './e2e/support/test-names.ts'

const full = '**/*.full.test.ts'
/** Files that only the release tier runs, as `npm run test:release` does. */
const release = '**/*.release.test.ts'
/** Tests that run a client against engines. */
const habits = 'client/conformance/habits/**/*.test.ts'
/** Also those of bench/peers, which `npm run bench` installs. */
const packages = '**/node_modules/**'
const isRelease = process.env['EVERY_CASE'] === '1'
/** Slow tests that measure time or load the machine. Their files run one at a time. */
const alone = [
  'e2e/*/{load,faults,time,under-load}.full.test.ts',
  ...(isRelease ? ['proof/soak-suite.release.test.ts'] : []),
  'mock/**/{engine-pool,heavy,memory-turn,refill}.full.test.ts',
]
/** Workers of tests that wait for processes, engines, time limits and browsers for part of their time. */
const waiting = 3
const shared = { testTimeout: 120_000, hookTimeout: 120_000 }

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

/** Builds the package before tests that start its command line. */
const built = { globalSetup: './e2e/support/build.ts' }

/**
 * `npm test` runs four projects: `unit` needs no engine, `types` compiles everything, `engine` starts
 * PGlite, and `e2e` starts the built command line. `npm run test:full` runs the two `full` projects.
 */
export default defineConfig({
  test: {
    maxWorkers: 2,
    reporters: ['default', uniqueNames, closingLine],
    projects: [
      {
        test: {
          ...shared,
          name: 'unit',
          include: [
            '*.test.ts',
            '{base,schemas,invariants,generators,fixtures,conformance,client,proxy,console,cli,bench}/**/*.test.ts',
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
            include: ['client/**/*.test-d.ts'],
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
            'proof/**/*.test.ts',
            'build/**/*.test.ts',
            'e2e/{house,support}/**/*.test.ts',
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
          include: ['e2e/{vendor,frontend,ci}/**/*.test.ts'],
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
          include: isRelease ? [full, release] : [full],
          exclude: [...alone, packages],
          maxWorkers: waiting,
          sequence: { groupOrder: 3 },
        },
      },
    ],
  },
})
