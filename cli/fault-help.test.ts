import { expect, test } from 'vitest'
import { readFault } from '../mock/app/faults/read-fault.ts'
import { order, terms } from '../mock/app/faults/terms.ts'
import { FAULT_HELP } from './fault-help.ts'

test('names every fault in the order in which they strike, each in a form that is one', () => {
  const specs = FAULT_HELP.match(/(?<=^ {4}|\| )[a-z]+(?::\S+)?(?= |$)/gm)!.map((spec) =>
    spec.replace(/\[.*/, ''),
  )
  const types = specs
    .filter((spec) => !spec.includes('=') || spec.includes(':'))
    .map((spec) => readFault(spec).type)
  expect([...new Set(types)]).toEqual(order)
})

test('names every parameter', () => {
  const names = Object.values(terms).flatMap((list) => list.map(({ name }) => name))
  for (const name of new Set(names.filter((name) => name !== ''))) expect(FAULT_HELP).toContain(`${name}=`)
})
