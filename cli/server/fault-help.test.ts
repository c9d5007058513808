import { expect, test } from 'vitest'
import { order, parametersOf } from '../../mock/app/faults/fault.ts'
import { readFault } from '../../mock/app/faults/read-fault.ts'
import { nameOf } from '../../mock/app/faults/text.ts'
import { faultHelp } from './fault-help.ts'

test('the help for --fault names every fault in the order in which they apply, in valid forms', () => {
  const [faults = ''] = faultHelp().split('  Further values:')
  const specs = faults.match(/(?<=^ {4}|\| )[a-z]+(?::\S+)?(?= |$)/gm)!
  expect([...new Set(specs.map((spec) => readFault(spec).type))]).toEqual(order)
})

test('the help for --fault names every parameter', () => {
  const names = order.flatMap((type) => Object.keys(parametersOf(type)).map((key) => nameOf(type, key)))
  const written = new Set(names.filter((name) => name !== '' && name !== 'window'))
  expect(written.size).toBeGreaterThan(10)
  for (const name of written) expect(faultHelp()).toContain(`${name}=`)
})
