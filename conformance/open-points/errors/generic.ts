import { contract } from '../../../schemas/index.ts'
import { divisionByZero, unknownColumn } from '../../samples/outcomes.ts'
import { severalStatements } from '../../samples/several-statements.ts'
import type { Target } from '../../connection/target.ts'
import { defineProbe } from '../probe.ts'
import { failureMessage } from '../replies.ts'

const { exception } = contract.messages

interface Failures {
  /** Failures of the database, and those with a text of their own. */
  database: readonly string[]
  own: readonly string[]
  /**
   * The message for several statements in one body, which services refuse before the database sees them: a failure
   * outside of the database.
   */
  outside: string | undefined
}

const allOwn = ({ database, own }: Failures): boolean => own.length === database.length

export const probe = defineProbe('errors.generic', {
  read: async (t: Target): Promise<Failures | undefined> => {
    const replies = [
      { of: 'an unknown column', reply: await unknownColumn(t) },
      { of: '1/0', reply: await divisionByZero(t) },
    ].filter(({ reply }) => failureMessage(reply) !== undefined)
    if (replies.length === 0) return undefined
    const own = replies.filter(({ reply }) => failureMessage(reply) !== exception)
    return {
      database: replies.map(({ of }) => of),
      own: own.map(({ of }) => of),
      outside: own.length > 0 ? failureMessage(await severalStatements(t)) : undefined,
    }
  },
  seen: ({ database, own, outside }) => {
    if (own.length === 0) return `the documented message for ${database.join(' and ')}`
    const texts = `a text of its own for ${own.join(' and ')}`
    if (outside === undefined || own.length < database.length) return texts
    return outside === exception
      ? `${texts}, the documented message for several statements`
      : `${texts} and several statements`
  },
  variants: {
    'all-other': ({ own }) => own.length === 0,
    'non-sql-only': (failures) => allOwn(failures) && failures.outside === exception,
    never: (failures) => allOwn(failures) && ![undefined, exception].includes(failures.outside),
  },
})
