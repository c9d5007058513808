import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { load } from './load.ts'
import { leafTypes, probeIndex } from './open-point-index.ts'

const sources = load(process.cwd())

/** The input with only one open point. */
const withOnly = (id: string) => ({
  ...sources,
  openPoints: sources.openPoints.filter((point) => point.id === id),
})

test('the checked-in index of probes is what `npm run generate -- --only open-points` writes', () => {
  expect(readFileSync('conformance/open-points/index.ts', 'utf8')).toBe(probeIndex(sources))
})

test('the index of probes imports the file of a setting, so that a missing file is a compile error', () => {
  const index = probeIndex(withOnly('formula-results.scalar-statistics'))
  expect(index).toContain(
    "import { probe as formulaResultsScalarStatistics } from './formula-results/scalar-statistics.ts'",
  )
  expect(index).toContain("  'formula-results.scalar-statistics': formulaResultsScalarStatistics,")
})

test('the index of mock/ has the module of a setting as a type', () => {
  expect(leafTypes(withOnly('rows.case'))).toContain("  'rows.case': typeof import('./rows/case.ts')")
})

test('an open point with only one variant has no entry in the indexes', () => {
  expect(probeIndex(withOnly('formulas.inputs'))).not.toContain('inputs')
  expect(leafTypes(withOnly('formulas.inputs'))).not.toContain('inputs')
})
