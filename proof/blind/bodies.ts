import { errorReply, type Mutant, reply, wrapper } from '../mutant.ts'
import { html, malformed, remembering } from './helpers.ts'

const success = () =>
  reply({ data: [], status: { state: 'success', message: 'Statement executed successfully' } })
/** Repairs a body that is not JSON and serves it. */
const repaired = (repair: (body: string) => string): Mutant['wrap'] =>
  wrapper((call, next) => next(malformed(call) ? { ...call, body: repair(call.body) } : call))
const badBody = (answer: (body: string) => Response | undefined): Mutant['wrap'] =>
  wrapper(async (call, next) => (malformed(call) ? answer(call.body) : undefined) ?? next(call))

export const bodyMutants: readonly Mutant[] = [
  {
    id: 'blind-body-single-quotes-served',
    breaks: 'REQ-ERR-3',
    defect: 'A body in single quotes is read as a literal of a scripting language and served.',
    wrap: repaired((body) => body.replace(/'(statement)'\s*:\s*'(.*)'\s*}/s, '"$1": "$2"}')),
  },
  {
    id: 'blind-body-cut-short-served',
    breaks: 'REQ-ERR-3',
    defect: 'A body that is cut short is completed with the missing quote and brace and served.',
    wrap: repaired((body) =>
      /"\s*$/.test(body.trim()) ? `${body}}` : body.endsWith('}') ? body : `${body}"}`,
    ),
  },
  {
    id: 'blind-body-unescaped-quotes-served',
    breaks: 'REQ-ERR-3',
    defect: 'The statement is cut out of the body with a pattern, so unescaped quotes are served.',
    wrap: repaired((body) =>
      body.replace(
        /("statement"\s*:\s*")(.*)("\s*})/s,
        (_, before: string, sql: string, after: string) => before + sql.replace(/\\?"/g, '\\"') + after,
      ),
    ),
  },
  {
    id: 'blind-body-trailing-comma-served',
    breaks: 'REQ-ERR-3',
    defect: 'The JSON reader accepts a trailing comma and comments.',
    wrap: repaired((body) => body.replace(/\/\*.*?\*\//gs, '').replace(/,\s*}/g, '}')),
  },
  {
    id: 'blind-body-error-page',
    breaks: 'REQ-ERR-3',
    defect: 'A body that is not JSON gets the HTML page of the web server with 400.',
    wrap: badBody(() => html(400, 'Bad Request')),
  },
  {
    id: 'blind-body-error-detail-when-cut',
    breaks: 'REQ-ERR-3',
    defect: 'A body without its closing brace gets {"detail": ...} with 422 instead of the envelope.',
    wrap: badBody((body) =>
      body.trimEnd().endsWith('}') ? undefined : reply({ detail: [{ type: 'json_invalid' }] }, 422),
    ),
  },
  {
    id: 'blind-body-error-generic',
    breaks: 'REQ-ERR-3',
    defect: 'A body that is not JSON is reported as Error executing statement.',
    wrap: badBody(() => errorReply('Error executing statement')),
  },
  {
    id: 'blind-body-error-success',
    breaks: 'REQ-ERR-3',
    defect: 'A body that is not JSON is taken as no statement: success without rows.',
    wrap: badBody(success),
  },
  {
    id: 'blind-body-error-repeats-statement',
    breaks: 'REQ-ERR-3',
    defect: 'A body that is not JSON repeats the last good statement.',
    wrap: remembering(
      () => ({ body: '' }),
      async (state, call, next) => {
        if (malformed(call)) return next(state.body ? { ...call, body: state.body } : call)
        state.body = call.body
        return next(call)
      },
    ),
  },
]
