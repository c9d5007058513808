import { expect, test } from 'vitest'
import { nodeProblem } from './node-version.ts'

test.each(['12.22.12', '18.20.8', '20.9.0', '20.18.3'])('Node %s is too old', (version) => {
  expect(nodeProblem(version)).toBe(
    `This is Node ${version}, but Node 20.19 or later is needed. Install it and run the command again.`,
  )
})

test.each(['20.19.0', '20.20.1', '22.1.0', '100.0.0'])('Node %s is recent enough', (version) => {
  expect(nodeProblem(version)).toBeUndefined()
})
