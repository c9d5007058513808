import { errorReply, type Mutant, reply } from '../mutant.ts'
import {
  envelopeOf,
  every,
  filtered,
  html,
  joined,
  kindOf,
  onError,
  onResult,
  remembering,
  sqlOf,
  subquery,
  viewOf,
} from './helpers.ts'

const nameOf = (message: string) => /"([^"]*)"/.exec(message)?.[1] ?? ''
/** Another text for an unknown view. */
const text = (rewrite: (name: string, message: string) => string, where?: typeof joined) =>
  onError('view', ({ status }) => errorReply(rewrite(nameOf(status.message), status.message)), where)
const success = () =>
  reply({ data: [], status: { state: 'success', message: 'Statement executed successfully' } })

export const errorMutants: readonly Mutant[] = [
  {
    id: 'blind-unknown-view-single-quotes',
    breaks: 'REQ-ERR-1',
    defect: 'The name of an unknown view is in single quotes when it is joined.',
    wrap: text((name) => `relation '${name}' does not exist`, joined),
  },
  {
    id: 'blind-unknown-view-table-text',
    breaks: 'REQ-ERR-1',
    defect: 'An unknown view is reported in the words of another database: Table does not exist.',
    wrap: text((name) => `Table 'bioprocess.${name}' doesn't exist`),
  },
  {
    id: 'blind-unknown-view-upper-case',
    breaks: 'REQ-ERR-1',
    defect: 'The name of an unknown view is in upper case.',
    wrap: text((name) => `relation "${name.toUpperCase()}" does not exist`),
  },
  {
    id: 'blind-unknown-view-generic-in-subquery',
    breaks: 'REQ-ERR-1',
    defect: 'An unknown view inside a subquery is reported as Error executing statement.',
    wrap: text(() => 'Error executing statement', subquery),
  },
  {
    id: 'blind-unknown-view-first-view-named',
    breaks: 'REQ-ERR-1',
    defect: 'The message names the first view of the statement, although the joined one is unknown.',
    wrap: onError('view', (_, call) => errorReply(`relation "${viewOf(call)}" does not exist`)),
  },
  {
    id: 'blind-unknown-view-html-quotes',
    breaks: 'REQ-ERR-1',
    defect: 'Quotes in messages are escaped for HTML.',
    wrap: text((_, message) => message.replaceAll('"', '&quot;')),
  },
  {
    id: 'blind-unknown-view-cut-name',
    breaks: 'REQ-ERR-1',
    defect: 'The name of an unknown view is cut to eight characters.',
    wrap: text((name) => `relation "${name.slice(0, 8)}" does not exist`),
  },
  {
    id: 'blind-unknown-view-placeholder',
    breaks: 'REQ-ERR-1',
    defect: 'The message holds the placeholder <view_name> instead of the name.',
    wrap: text(() => 'relation "<view_name>" does not exist'),
  },
  {
    id: 'blind-unknown-view-empty-success',
    breaks: 'REQ-ERR-1',
    defect: 'An unknown view with LIMIT counts as empty: success without rows.',
    wrap: onError('view', success, (call) => /\blimit\b/i.test(sqlOf(call))),
  },
  {
    id: 'blind-unknown-view-nearest-served',
    breaks: 'REQ-ERR-1',
    defect: 'The existing view with the most similar name is served instead of an unknown one.',
    wrap: onError('view', ({ status }, call, next) =>
      next({ ...call, statement: sqlOf(call).replaceAll(nameOf(status.message), 'v_experiments') }),
    ),
  },
  {
    id: 'blind-unknown-view-success-when-repeated',
    breaks: 'REQ-ERR-1',
    defect: 'Each second error for an unknown view is an empty success from the cache.',
    wrap: remembering(
      () => ({ count: 0 }),
      async (state, call, next) => {
        const response = await next(call)
        const envelope = await envelopeOf(response)
        const unknown = envelope && kindOf(envelope, call) === 'view'
        return unknown && ++state.count % 2 === 0 ? success() : response
      },
    ),
  },
  {
    id: 'blind-syntax-error-success',
    breaks: 'REQ-ERR-4',
    defect: 'A statement with a syntax error is answered with success and no rows.',
    wrap: onError('syntax', success),
  },
  {
    id: 'blind-syntax-error-corrected',
    breaks: 'REQ-ERR-4',
    defect: 'A misspelt SELECT or FROM is corrected and served.',
    wrap: onError('syntax', (_, call, next) =>
      next({
        ...call,
        statement: sqlOf(call)
          .replace(/^\s*s\w*\b/i, 'SELECT')
          .replace(/\bform\b/i, 'FROM'),
      }),
    ),
  },
  {
    id: 'blind-syntax-error-page',
    breaks: 'REQ-ERR-4',
    defect: 'A syntax error ends with the error page of the application server.',
    wrap: onError('syntax', () => html(500, 'Internal Server Error')),
  },
  {
    id: 'blind-syntax-error-closes-connection',
    breaks: 'REQ-ERR-4',
    defect: 'A syntax error ends the worker, so the connection closes without an answer.',
    wrap: onError('syntax', () => Promise.reject(new TypeError('fetch failed'))),
  },
  {
    id: 'blind-syntax-error-rest-ignored',
    breaks: 'REQ-ERR-4',
    defect: 'A clause without its operand at the end of a statement is dropped, and the rest is served.',
    wrap: onError('syntax', (_, call, next) =>
      next({ ...call, statement: sqlOf(call).replace(/\s+(where|and|limit|on|>|,)\s*$/i, '') }),
    ),
  },
  {
    id: 'blind-syntax-error-position-row',
    breaks: 'REQ-ERR-4',
    defect: 'A syntax error has a row in data with its position.',
    wrap: onError('syntax', ({ status }) => reply({ data: [{ line: 1, position: 1 }], status })),
  },
  {
    id: 'blind-unknown-column-null',
    breaks: 'REQ-ERR-6',
    defect: 'An unknown column is served as null in every row.',
    wrap: onError('other', (_, call, next) =>
      next({
        ...call,
        statement: sqlOf(call).replace(/^\s*select\s+(\w+)\s+from\b/i, 'SELECT NULL AS $1 FROM'),
      }),
    ),
  },
  {
    id: 'blind-unknown-column-dropped',
    breaks: 'REQ-ERR-6',
    defect: 'Unknown columns are left out of the selection.',
    wrap: onError('other', async (_, call, next) => {
      const selection = /^\s*select\s+([\w\s,]+?)\s+from\b/i.exec(sqlOf(call))
      const names = selection?.[1]?.split(/\s*,\s*/) ?? []
      const whole = sqlOf(call).replace(selection?.[0] ?? '', 'SELECT * FROM')
      const keep = onResult((rows) =>
        rows.map((row) => Object.fromEntries(Object.entries(row).filter(([key]) => names.includes(key)))),
      )
      return keep(() => next({ ...call, statement: whole }))(call.url, call.init)
    }),
  },
  {
    id: 'blind-unknown-column-empty',
    breaks: 'REQ-ERR-6',
    defect: 'A statement with an unknown column is a success without rows.',
    wrap: onError('other', success),
  },
  {
    id: 'blind-unknown-column-page',
    breaks: 'REQ-ERR-6',
    defect: 'An unknown column ends with a stack trace as text and 500.',
    wrap: onError('other', () => new Response('Traceback (most recent call last):', { status: 500 })),
  },
  {
    id: 'blind-unknown-column-filter-ignored',
    breaks: 'REQ-ERR-6',
    defect: 'A filter on an unknown column is ignored.',
    wrap: onError(
      'other',
      (_, call, next) => next({ ...call, statement: sqlOf(call).replace(/\s+where\b.*$/is, '') }),
      filtered,
    ),
  },
  {
    id: 'blind-unknown-column-success-sometimes',
    breaks: 'REQ-ERR-6',
    defect: 'Each second server answers a failed statement with the state success and its error message.',
    wrap: every(
      2,
      onError('other', ({ status }) => reply({ data: [], status: { ...status, state: 'success' } })),
    ),
  },
]
