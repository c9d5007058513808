import { type Envelope, type Mutant, onEnvelope, reply, wrapper } from '../mutant.ts'
import { envelopeOf, joined, kindOf, limited, onError, subquery } from './helpers.ts'

const ok = ({ status }: Envelope) => status.state === 'success'
const rows = (envelope: Envelope) => ok(envelope) && envelope.data.length > 0
const none = (envelope: Envelope) => ok(envelope) && envelope.data.length === 0

/** Another word for the state in some answers. */
const state = (word: unknown, where: Parameters<typeof data>[1]): Mutant['wrap'] =>
  onEnvelope((envelope, call) =>
    where(envelope, call) ? { ...envelope, status: { ...envelope.status, state: word } } : envelope,
  )

/** Another message in some answers. */
const message = (text: unknown, where: Parameters<typeof data>[1]): Mutant['wrap'] =>
  onEnvelope((envelope, call) =>
    where(envelope, call) ? { ...envelope, status: { ...envelope.status, message: text } } : envelope,
  )

/** Another value as data in some answers. */
const data = (
  value: unknown,
  where: (envelope: Envelope, call: Parameters<typeof kindOf>[1]) => boolean,
): Mutant['wrap'] =>
  onEnvelope((envelope, call) => (where(envelope, call) ? { ...envelope, data: value } : envelope))

export const envelopeMutants: readonly Mutant[] = [
  {
    id: 'blind-envelope-in-result',
    breaks: 'REQ-HTTP-4',
    defect: 'The envelope is wrapped in a member named result.',
    wrap: onEnvelope((envelope) => ({ result: envelope })),
  },
  {
    id: 'blind-status-flattened',
    breaks: 'REQ-HTTP-4',
    defect: 'On success, state and message stand beside data instead of inside status.',
    wrap: onEnvelope((envelope) => (ok(envelope) ? { data: envelope.data, ...envelope.status } : envelope)),
  },
  {
    id: 'blind-one-row-collapsed',
    breaks: 'REQ-HTTP-4',
    defect: 'A converter from XML turns a result of exactly one row into an object instead of an array.',
    wrap: onEnvelope((envelope) =>
      envelope.data.length === 1 ? { ...envelope, data: envelope.data[0] } : envelope,
    ),
  },
  {
    id: 'blind-status-missing-over-100-rows',
    breaks: 'REQ-HTTP-4',
    defect: 'Results of more than 100 rows are streamed and end without the status.',
    wrap: onEnvelope((envelope) => (envelope.data.length > 100 ? { data: envelope.data } : envelope)),
  },
  {
    id: 'blind-pascal-case-envelope',
    breaks: 'REQ-HTTP-4',
    defect: 'The serializer writes the members of the envelope in Pascal case.',
    wrap: onEnvelope(({ data, status }) => ({
      Data: data,
      Status: { State: status.state, Message: status.message },
    })),
  },
  {
    id: 'blind-status-only-on-error',
    breaks: 'REQ-HTTP-4',
    defect: 'The status is null unless there is an error.',
    wrap: onEnvelope((envelope) => (ok(envelope) ? { ...envelope, status: null } : envelope)),
  },
  {
    id: 'blind-unknown-view-as-error-member',
    breaks: 'REQ-HTTP-4',
    defect: 'An unknown view is reported as {"error": ...} with 404 instead of the envelope.',
    wrap: onError('view', ({ status }) => reply({ error: status.message }, 404)),
  },
  {
    id: 'blind-empty-result-no-content',
    breaks: 'REQ-HTTP-4',
    defect: 'A statement without results gets 204 and no body.',
    wrap: wrapper(async (call, next) => {
      const response = await next(call)
      const envelope = await envelopeOf(response)
      return envelope && none(envelope) ? new Response(null, { status: 204 }) : response
    }),
  },
  {
    id: 'blind-columnar-data',
    breaks: 'REQ-HTTP-4',
    defect: 'Results of a data frame come by column: data is an object with one array per column.',
    wrap: onEnvelope((envelope) => {
      if (!rows(envelope)) return envelope
      const keys = Object.keys(envelope.data[0] ?? {})
      const columns = Object.fromEntries(keys.map((key) => [key, envelope.data.map((row) => row[key])]))
      return { ...envelope, data: columns }
    }),
  },
  {
    id: 'blind-data-keyed-by-index',
    breaks: 'REQ-HTTP-4',
    defect: 'For a join, data is an object keyed by row number, as PHP encodes a filtered array.',
    wrap: onEnvelope((envelope, call) =>
      rows(envelope) && joined(call) ? { ...envelope, data: { ...envelope.data } } : envelope,
    ),
  },
  {
    id: 'blind-state-warning-for-many-rows',
    breaks: 'REQ-HTTP-5',
    defect: 'The state is "warning" for a result of more than 100 rows.',
    wrap: state('warning', ({ data }) => data.length > 100),
  },
  {
    id: 'blind-state-empty',
    breaks: 'REQ-HTTP-5',
    defect: 'A statement without results has the state "empty".',
    wrap: state('empty', none),
  },
  {
    id: 'blind-state-boolean-after-subquery',
    breaks: 'REQ-HTTP-5',
    defect: 'A statement with a scalar subquery has the state true.',
    wrap: state(true, (envelope, call) => ok(envelope) && subquery(call)),
  },
  {
    id: 'blind-state-failed-for-bad-body',
    breaks: 'REQ-HTTP-5',
    defect: 'A body that is not JSON has the state "failed".',
    wrap: state('failed', (envelope, call) => kindOf(envelope, call) === 'body'),
  },
  {
    id: 'blind-state-error-capital',
    breaks: 'REQ-HTTP-5',
    defect: 'A statement with a syntax error has the state "Error".',
    wrap: state('Error', (envelope, call) => kindOf(envelope, call) === 'syntax'),
  },
  {
    id: 'blind-state-padded',
    breaks: 'REQ-HTTP-5',
    defect: 'The state of a statement with LIMIT comes from a fixed-width column: "success   ".',
    wrap: state('success   ', (envelope, call) => rows(envelope) && limited(call)),
  },
  {
    id: 'blind-empty-null',
    breaks: 'REQ-HTTP-6',
    defect: 'data is null when a filter finds no rows, as a nil slice is encoded.',
    wrap: data(null, none),
  },
  {
    id: 'blind-empty-object',
    breaks: 'REQ-HTTP-6',
    defect: 'data is {} when a filter finds no rows, as an empty PHP array is encoded.',
    wrap: data({}, none),
  },
  {
    id: 'blind-empty-one-blank-row',
    breaks: 'REQ-HTTP-6',
    defect: 'A result without rows has one empty object as data.',
    wrap: data([{}], none),
  },
  {
    id: 'blind-unknown-view-data-null',
    breaks: 'REQ-HTTP-6',
    defect: 'data is null when a view is unknown.',
    wrap: data(null, (envelope, call) => kindOf(envelope, call) === 'view'),
  },
  {
    id: 'blind-syntax-error-data-missing',
    breaks: 'REQ-HTTP-6',
    defect: 'The member data is missing after a syntax error.',
    wrap: data(undefined, (envelope, call) => kindOf(envelope, call) === 'syntax'),
  },
  {
    id: 'blind-failure-echoes-statement',
    breaks: 'REQ-HTTP-6',
    defect: 'data holds the refused statement when a column is unknown.',
    wrap: onEnvelope((envelope, call) =>
      kindOf(envelope, call) === 'other' ? { ...envelope, data: [{ query: call.statement }] } : envelope,
    ),
  },
  {
    id: 'blind-message-null-on-success',
    breaks: 'REQ-HTTP-7',
    defect: 'The message is null when a statement returns rows.',
    wrap: message(null, rows),
  },
  {
    id: 'blind-message-row-count-number',
    breaks: 'REQ-HTTP-7',
    defect: 'The message is the number of rows, as a number.',
    wrap: onEnvelope((envelope) =>
      rows(envelope)
        ? { ...envelope, status: { state: 'success', message: envelope.data.length } }
        : envelope,
    ),
  },
  {
    id: 'blind-message-object-on-unknown-column',
    breaks: 'REQ-HTTP-7',
    defect: 'The message of a failed statement is an object with a code and a text.',
    wrap: message(
      { code: '42703', text: 'Error executing statement' },
      (envelope, call) => kindOf(envelope, call) === 'other',
    ),
  },
  {
    id: 'blind-message-list-on-empty',
    breaks: 'REQ-HTTP-7',
    defect: 'The message of an empty result is a list of texts.',
    wrap: message(['The statement ran successfully', 'but returned no results'], none),
  },
]
