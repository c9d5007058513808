/** `npx tsx generators/suite/print-set.ts v2` prints the set of all requirements and checks that exist now. */
import { contract, requirements } from '../../schemas/index.ts'
import { checks } from '../../conformance/checks/index.ts'
import { freeze } from './freeze.ts'

const [version] = process.argv.slice(2)
if (version === undefined) throw new Error('Give the version of the set, such as v2.')
process.stdout.write(`${JSON.stringify(freeze(version, contract.version, requirements, checks), null, 2)}\n`)
