import { answersOf } from '../../answers/answers.ts'
import { check, compared, type Check } from '../check.ts'
import { repeatBroken } from './repeat.ts'

const ITSELF = 'so that nothing in front refuses it each time'

/** Checks of requests that get a broken reply each time. One that is broken once is only noted. */
export const wholeReplyChecks: Check[] = (
  [
    ['served:select-all', 'REQ-SQL-1', `serve a SELECT of all columns, ${ITSELF}`],
    ['served:select-named', 'REQ-SQL-2', `serve a SELECT of named columns, ${ITSELF}`],
    ['served:limit', 'REQ-SQL-3', `serve a LIMIT, ${ITSELF}`],
    ['served:date', 'REQ-SQL-4', `serve a filter by a date, ${ITSELF}`],
    ['served:newest', 'REQ-SQL-5', `serve a filter by a subquery, ${ITSELF}`],
    ['served:join', 'REQ-SQL-6', `serve a LEFT JOIN, ${ITSELF}`],
    ['whole', 'REQ-HTTP-4', 'send replies that arrive whole and can be decoded'],
    [
      'no-instant-504',
      'REQ-TIME-1',
      'NOT answer a statement with HTTP 504 in a tenth of the limit each time',
    ],
  ] as const
).map(([id, requirement, title]) =>
  check({
    id: `replies.${id}`,
    requirement,
    title,
    killedBy: [`replies-${id.replace(':', '-')}`, ...(id === 'whole' ? ['replies-whole-error'] : [])],
    phase: 'broken',
    run: async (t) => {
      const own = (await repeatBroken(t)).filter((one) => one.requirement === requirement)
      const found = own.find(({ finding }) => finding.outcome === 'fail') ?? own[0]
      const whole = answersOf(t).filter(({ reply }) => reply.envelope).length
      return (
        found?.finding ??
        compared(whole, 'reply', 'each request got one with an envelope, some when sent again')
      )
    },
  }),
)
