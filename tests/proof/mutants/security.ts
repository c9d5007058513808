import { contract } from '../../../schemas/index.ts'
import { errorReply, onEnvelope, reply, wrapper, type Mutant } from '../mutant.ts'

const WRITE = /\b(insert\s+into|update\s+\w+\s+set|delete\s+from|drop\s+\w+|truncate)\b/i
const STACKED = /;\s*\S/
const CONTRADICTION = /\bwhere\s+(\d+)\s*=\s*(?!\1\b)\d/i

const done = () => reply({ data: [], status: { state: 'success', message: contract.messages.success } })

/**
 * A target that executes writes: each write that changes a row removes one row from all later replies.
 *
 * @param executes whether a statement is such a write
 * @param answer the reply to the write
 */
const executing =
  (executes: (sql: string) => boolean, answer: () => Response): Mutant['wrap'] =>
  (fetch) => {
    let removed = 0
    const withoutRemoved = onEnvelope((envelope) => ({ ...envelope, data: envelope.data.slice(removed) }))(
      fetch,
    )
    return wrapper(async (call) => {
      const { statement = '' } = call
      if (!executes(statement)) return withoutRemoved(call.url, call.init)
      if (!CONTRADICTION.test(statement)) removed++
      return answer()
    })(fetch)
  }

/** Defects of write protection. */
export const securityMutants: Mutant[] = [
  {
    id: 'writes-applied',
    breaks: 'REQ-SEC-1',
    defect: 'Writes are executed.',
    destructive: true,
    wrap: executing((sql) => WRITE.test(sql), done),
  },
  {
    id: 'writes-applied-in-secret',
    breaks: 'REQ-SEC-1',
    defect: 'Writes get an error but are executed.',
    destructive: true,
    wrap: executing(
      (sql) => WRITE.test(sql),
      () => errorReply(contract.messages.exception),
    ),
  },
  {
    id: 'stacked-writes-applied',
    breaks: 'REQ-SEC-1',
    defect: 'Writes after a semicolon are executed.',
    destructive: true,
    wrap: executing((sql) => WRITE.test(sql) && STACKED.test(sql), done),
  },
  {
    id: 'write-in-with-applied',
    breaks: 'REQ-SEC-1',
    defect: 'A write in a WITH clause is executed.',
    destructive: true,
    wrap: executing((sql) => /^\s*with\b/i.test(sql) && WRITE.test(sql), done),
  },
  {
    id: 'drop-view-applied',
    breaks: 'REQ-SEC-1',
    defect: 'DROP VIEW is executed.',
    destructive: true,
    wrap: (fetch) => {
      const dropped = new Set<string>()
      return wrapper(async (call, next) => {
        const { statement = '' } = call
        const name = /\bdrop\s+view\s+(\w+)/i.exec(statement)?.[1]
        if (name) {
          dropped.add(name)
          return done()
        }
        const missing = [...dropped].find((name) => statement.includes(name))
        return missing ? errorReply(`relation "${missing}" does not exist`) : next(call)
      })(fetch)
    },
  },
  {
    id: 'writes-answered-success',
    breaks: 'REQ-SEC-2',
    defect: 'Writes get a success.',
    wrap: wrapper(async (call, next) => (WRITE.test(call.statement ?? '') ? done() : next(call))),
  },
  {
    id: 'stacked-writes-answered-success',
    breaks: 'REQ-SEC-2',
    defect: 'A write after a semicolon is silently ignored, unlike a read.',
    wrap: wrapper((call, next) => {
      const { statement = '' } = call
      const [first] = statement.split(STACKED)
      return next(WRITE.test(statement) ? { ...call, statement: first } : call)
    }),
  },
]
