import { errorReply, type Mutant, onEnvelope, reply, wrapper } from '../mutant.ts'
import {
  all,
  envelopeOf,
  filtered,
  from,
  joined,
  limited,
  matches,
  named,
  not,
  onSql,
  refuse,
  remembering,
  sqlOf,
  star,
  subquery,
  type Where,
} from './helpers.ts'

const literal = matches(/\blast_updated_at\s*>\s*'/i)
const empty = (
  rewrite: (text: string) => { data?: unknown; state?: string; message?: string },
  where: Where = () => true,
) =>
  onEnvelope((envelope, call) => {
    if (envelope.status.state !== 'success' || envelope.data.length > 0 || !where(call)) return envelope
    const {
      data = [],
      state = 'success',
      message = envelope.status.message,
    } = rewrite(envelope.status.message)
    return { data, status: { state, message } }
  })

/** Rewrites the raw body of a request, as a wrong decoder reads it. */
const onBody = (rewrite: (body: string) => string): Mutant['wrap'] =>
  wrapper((call, next) => next({ ...call, body: rewrite(call.body) }))

export const statementMutants: readonly Mutant[] = [
  {
    id: 'blind-literal-before-2000',
    breaks: 'REQ-SQL-4',
    defect: 'A date literal of the twentieth century is refused.',
    wrap: refuse(matches(/'19\d\d-/)),
  },
  {
    id: 'blind-literal-refused-for-experiments',
    breaks: 'REQ-SQL-4',
    defect: 'last_updated_at of experiments is text and cannot be compared with a date.',
    wrap: refuse(all(from('v_experiments'), literal)),
  },
  {
    id: 'blind-literal-with-named-columns',
    breaks: 'REQ-SQL-4',
    defect: 'A filter on last_updated_at is refused unless the column is also selected.',
    wrap: refuse(all(literal, named, not(matches(/^[^>]*last_updated_at[^>]*\bfrom\b/i)))),
  },
  {
    id: 'blind-literal-in-the-future',
    breaks: 'REQ-SQL-4',
    defect: 'A date literal after today is refused as invalid.',
    wrap: refuse(
      (call) => (/>\s*'(\d{4}-\d\d-\d\d)/.exec(sqlOf(call))?.[1] ?? '') > new Date().toISOString(),
    ),
  },
  {
    id: 'blind-subquery-parenthesis',
    breaks: 'REQ-SQL-5',
    defect: 'The SQL parser expects a literal after > and refuses a parenthesis.',
    wrap: refuse(matches(/>\s*\(\s*select\b/i), 'JSON decode error: syntax error at or near "("'),
  },
  {
    id: 'blind-subquery-on-other-view',
    breaks: 'REQ-SQL-5',
    defect: 'A scalar subquery is refused if it reads another view than the statement.',
    wrap: refuse((call) => {
      const [outer, inner] = [...sqlOf(call).matchAll(/\bfrom\s+(\w+)/gi)].map((found) =>
        found[1]?.toLowerCase(),
      )
      return subquery(call) && outer !== inner
    }),
  },
  {
    id: 'blind-subquery-needs-limit',
    breaks: 'REQ-SQL-5',
    defect: 'A statement with a scalar subquery is refused without LIMIT, as too expensive.',
    wrap: refuse(all(subquery, not(limited))),
  },
  {
    id: 'blind-star-join-ambiguous',
    breaks: 'REQ-SQL-6',
    defect: 'SELECT * of a join with LIMIT is refused, because the wrapping query has id twice.',
    wrap: refuse(all(star, joined, limited)),
  },
  {
    id: 'blind-star-join-right-only',
    breaks: 'REQ-SQL-6',
    defect: 'SELECT * of a join has only the columns of the right view.',
    wrap: onSql(/^(\s*select\s+)\*(.*\bjoin\s+\w+\s+(?:as\s+)?(\w+)\s+on\b)/is, '$1$3.*$2', joined),
  },
  {
    id: 'blind-star-join-left-only',
    breaks: 'REQ-SQL-6',
    defect: 'SELECT * of a join has only the columns of the left view.',
    wrap: onSql(/^(\s*select\s+)\*(\s+from\s+\w+\s+(?:as\s+)?(\w+)\b)/is, '$1$3.*$2', joined),
  },
  {
    id: 'blind-alias-refused',
    breaks: 'REQ-SQL-6',
    defect: 'The gateway takes the alias of a joined view for an unknown view.',
    wrap: wrapper(async (call, next) => {
      const alias = /\bjoin\s+\w+\s+(?:as\s+)?(\w+)\s+on\b/i.exec(sqlOf(call))?.[1]
      return alias && star(call) ? errorReply(`relation "${alias}" does not exist`) : next(call)
    }),
  },
  {
    id: 'blind-empty-is-error',
    breaks: 'REQ-SQL-8',
    defect: 'A statement without results is an error: no rows found.',
    wrap: empty(() => ({ state: 'error', message: 'No rows found' })),
  },
  {
    id: 'blind-empty-same-message',
    breaks: 'REQ-SQL-8',
    defect: 'An empty result has the same message as a result with rows.',
    wrap: empty(() => ({ message: 'Statement executed successfully' })),
  },
  {
    id: 'blind-empty-delta-not-found',
    breaks: 'REQ-SQL-8',
    defect: 'A delta without changes gets 404 and state error.',
    wrap: onEnvelope(
      (envelope, call) =>
        envelope.data.length === 0 && filtered(call) && envelope.status.state === 'success'
          ? { data: [], status: { state: 'error', message: 'Not found' } }
          : envelope,
      ({ data, status }, was) => (data.length === 0 && status.state === 'success' ? 404 : was),
    ),
  },
  {
    id: 'blind-empty-repeats-last-rows',
    breaks: 'REQ-SQL-8',
    defect: 'A statement without results returns the rows of the statement before.',
    wrap: remembering(
      () => ({ last: [] as unknown[] }),
      async (state, call, next) => {
        const response = await next(call)
        const envelope = await envelopeOf(response)
        if (envelope?.status.state !== 'success') return response
        if (envelope.data.length === 0) return reply({ ...envelope, data: state.last })
        state.last = envelope.data
        return response
      },
    ),
  },
  {
    id: 'blind-empty-message-blank',
    breaks: 'REQ-SQL-8',
    defect: 'The message of an empty result has no words.',
    wrap: empty(() => ({ message: '' })),
  },
  {
    id: 'blind-empty-null-row',
    breaks: 'REQ-SQL-8',
    defect: 'An empty result has one row in which every column is null.',
    wrap: empty(() => ({ data: [{ id: null, last_updated_at: null }] }), filtered),
  },
  {
    id: 'blind-unicode-escape-kept',
    breaks: 'REQ-SQL-9',
    defect: 'The body is read without decoding Unicode escapes, so \\u0027 is not a quote.',
    wrap: onBody((body) => body.replace(/\\u/g, '\\\\u')),
  },
  {
    id: 'blind-unicode-escape-ends-statement',
    breaks: 'REQ-SQL-9',
    defect: 'A statement ends at its first Unicode escape, so its filter is lost.',
    wrap: onBody((body) => body.replace(/\s+where\b[^"\\]*\\u0027.*"/i, '"').replace(/\\u0027.*"/i, '"')),
  },
  {
    id: 'blind-quotes-html-escaped',
    breaks: 'REQ-SQL-9',
    defect: 'A filter against script injection turns quotes into &#39; before the statement runs.',
    wrap: onSql(/'/g, '&#39;'),
  },
  {
    id: 'blind-quotes-removed',
    breaks: 'REQ-SQL-9',
    defect: 'A filter against SQL injection removes quotes from statements.',
    wrap: onSql(/'/g, ''),
  },
  {
    id: 'blind-unicode-escape-doubled',
    breaks: 'REQ-SQL-9',
    defect: 'An escaped quote is decoded and then doubled, which makes a literal invalid.',
    wrap: onBody((body) => body.replace(/\\u0027/gi, "''")),
  },
  {
    id: 'blind-unicode-escape-first-row-only',
    breaks: 'REQ-SQL-9',
    defect: 'A statement that was sent with escaped quotes returns only its first row.',
    wrap: wrapper(async (call, next) => {
      const response = await next(call)
      const envelope = await envelopeOf(response)
      return envelope && /\\u0027/.test(call.body)
        ? reply({ ...envelope, data: envelope.data.slice(0, 1) })
        : response
    }),
  },
]
