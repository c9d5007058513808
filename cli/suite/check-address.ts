import { CommandError, EXIT } from '../exit.ts'
import { givenOptions, namesOf } from '../options/command-options.ts'
import type { SuiteFlags, suiteOptions } from './suite-options.ts'
import { targetOptions } from '../service/target-options.ts'

/** Options that concern a service or publish a result about it, besides those that say how to reach it. */
const OF_A_SERVICE: readonly string[] = [
  'expiredToken',
  'wait',
  'baseline',
  'writeBaseline',
  'claim',
  'targetName',
  'profileOut',
] satisfies (keyof SuiteFlags)[]

/**
 * Refuses a run without an address. A gate whose address is missing must not judge the reference server instead, and nothing that a
 * run of the reference server shows may look like a result of a service.
 *
 * @throws CommandError if the command has neither an address nor `--self`, or, with `--self` alone, an option that concerns a service
 */
export function checkAddress(command: ReturnType<typeof suiteOptions>): void {
  const { baseUrl, self } = command.opts()
  if (baseUrl !== undefined) return
  if (!self)
    throw new CommandError(
      'The address of the service is missing. Give --base-url, or set BIOPROCESS_SQL_BASE_URL. To judge the reference server of this package, give --self.',
      EXIT.usage,
    )
  const ofService = [...namesOf(targetOptions()), ...OF_A_SERVICE]
  const given = givenOptions(command).find((option) => ofService.includes(option.attributeName()))
  const isVariable = given && command.getOptionValueSource(given.attributeName()) === 'env'
  const name = (isVariable && given.envVar) || given?.long
  if (name)
    throw new CommandError(
      `${name} concerns a service, but without an address --self judges the reference server of this package. Give --base-url, or set BIOPROCESS_SQL_BASE_URL; or leave out ${name}.`,
      EXIT.usage,
    )
}
