import { contract } from '../../schemas/index.ts'
import { errorReply, onEnvelope, reply, wrapper, type Mutant } from './mutant.ts'

const WRITE = /\b(insert\s+into|update\s+\w+\s+set|delete\s+from|drop\s+\w+|truncate)\b/i
const STACKED = /;\s*\S/
const CONTRADICTION = /\bwhere\s+(\d+)\s*=\s*(?!\1\b)\d/i

const done = () => reply({ data: [], status: { state: 'success', message: contract.messages.success } })

/**
 * A target that obeys writes: after each that touches a row every answer has one row less.
 *
 * @param obeys whether a statement is such a write
 * @param answer what the write itself is answered
 */
const obeying =
  (obeys: (sql: string) => boolean, answer: () => Response): Mutant['wrap'] =>
  (fetch) => {
    let gone = 0
    const withoutThem = onEnvelope((envelope) => ({ ...envelope, data: envelope.data.slice(gone) }))(fetch)
    return wrapper(async (call) => {
      const { statement = '' } = call
      if (!obeys(statement)) return withoutThem(call.url, call.init)
      if (!CONTRADICTION.test(statement)) gone++
      return answer()
    })(fetch)
  }

/** Defects in what a client may change. */
export const securityMutants: Mutant[] = [
  {
    id: 'writes-applied',
    breaks: 'REQ-SEC-1',
    defect: 'Writes are obeyed.',
    destructive: true,
    wrap: obeying((sql) => WRITE.test(sql), done),
  },
  {
    id: 'writes-applied-in-secret',
    breaks: 'REQ-SEC-1',
    defect: 'Writes are answered with an error, and obeyed.',
    destructive: true,
    wrap: obeying(
      (sql) => WRITE.test(sql),
      () => errorReply(contract.messages.exception),
    ),
  },
  {
    id: 'stacked-writes-applied',
    breaks: 'REQ-SEC-1',
    defect: 'Writes behind a semicolon are obeyed.',
    destructive: true,
    wrap: obeying((sql) => WRITE.test(sql) && STACKED.test(sql), done),
  },
  {
    id: 'drop-view-applied',
    breaks: 'REQ-SEC-1',
    defect: 'A view can be dropped.',
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
    defect: 'Writes are answered as a success.',
    wrap: wrapper(async (call, next) => (WRITE.test(call.statement ?? '') ? done() : next(call))),
  },
  {
    id: 'stacked-writes-answered-success',
    breaks: 'REQ-SEC-2',
    defect: 'A write behind a semicolon is left out without a word, a read is not.',
    wrap: wrapper((call, next) => {
      const { statement = '' } = call
      const [first] = statement.split(STACKED)
      return next(WRITE.test(statement) ? { ...call, statement: first } : call)
    }),
  },
]
