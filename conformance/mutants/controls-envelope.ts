import { contract } from '../../schemas/index.ts'
import type { Control } from './control.ts'
import { onEnvelope, reply, wrapper, type Envelope, type Mutant } from './mutant.ts'

const isSuccess = ({ status }: Envelope): boolean => status.state === 'success'
const same = (envelope: Envelope): Envelope => envelope

const successStatus = (status: number) =>
  onEnvelope(same, (envelope, was) => (isSuccess(envelope) ? status : was))
const errorStatus = (status: number) =>
  onEnvelope(same, (envelope, was) => (isSuccess(envelope) ? was : status))

/** Rewords messages; the state tells which kind of answer they are on. */
const onMessage = (reword: (message: string, envelope: Envelope) => string) =>
  onEnvelope((envelope) => ({
    ...envelope,
    status: { ...envelope.status, message: reword(envelope.status.message, envelope) },
  }))

const RELATION = /^relation "(\w+)" does not exist$/
const onRelation = (reword: (name: string, message: string) => string) =>
  onMessage((message) => message.replace(RELATION, (all, name: string) => reword(name, all)))

const onDecodeError = (message: string) =>
  onMessage((was) => (was.startsWith(contract.messages.jsonDecode) ? message : was))

/** Answers refused tokens in another way. */
const refusing = (answer: () => Response): Mutant['wrap'] =>
  wrapper(async (call, next) => {
    const response = await next(call)
    return response.status === 401 ? answer() : response
  })

const page = (status: number) =>
  new Response('<!doctype html><title>Sign in</title>', { status, headers: { 'content-type': 'text/html' } })

/** Passes every answer on with other headers, its body in small pieces. */
const withHeaders = (headers: Record<string, string>): Mutant['wrap'] =>
  wrapper(async (call, next) => {
    const response = await next(call)
    const bytes = new Uint8Array(await response.arrayBuffer())
    const body = new ReadableStream<Uint8Array>({
      start(stream) {
        for (let at = 0; at < bytes.length; at += 1000) stream.enqueue(bytes.subarray(at, at + 1000))
        stream.close()
      },
    })
    return new Response(body, {
      status: response.status,
      headers: { ...Object.fromEntries(response.headers), ...headers },
    })
  })

/** Freedoms in how answers are wrapped, worded and refused. */
export const envelopeControls: Control[] = [
  { id: 'success-201', silence: 'NS-16', freedom: 'A success has the status 201.', wrap: successStatus(201) },
  { id: 'success-207', silence: 'NS-16', freedom: 'A success has the status 207.', wrap: successStatus(207) },
  {
    id: 'errors-400',
    silence: 'NS-25',
    freedom: 'SQL-level errors have the status 400.',
    wrap: errorStatus(400),
  },
  {
    id: 'errors-500',
    silence: 'NS-25',
    freedom: 'SQL-level errors have the status 500.',
    wrap: errorStatus(500),
  },
  {
    id: 'further-members',
    freedom: 'The envelope has further members.',
    wrap: onEnvelope(({ data, status }) => ({
      meta: { rows: data.length, tookMs: 3 },
      status: { ...status, code: 0, errors: [] },
      data,
    })),
  },
  {
    id: 'pretty-printed',
    freedom: 'Status comes first, on many lines.',
    wrap: onEnvelope(({ data, status }) => JSON.stringify({ status, data }, null, 2)),
  },
  {
    id: 'json-of-a-kind',
    freedom: 'The media type ends in +json and has parameters.',
    wrap: withHeaders({ 'content-type': 'application/vnd.statements+json; charset=utf-8' }),
  },
  {
    id: 'gzip',
    silence: 'NS-55',
    freedom: 'Answers were compressed: fetch hands them on in pieces, their header still there.',
    wrap: withHeaders({ 'content-encoding': 'gzip', vary: 'accept-encoding' }),
  },
  {
    id: 'rate-limit-headers',
    silence: 'NS-35',
    freedom: 'Every answer tells how many requests are left.',
    wrap: withHeaders({ 'ratelimit-limit': '600', 'ratelimit-remaining': '12', 'ratelimit-reset': '30' }),
  },
  {
    id: 'latency',
    freedom: 'Every answer takes between 0 and 20 ms longer, so that they come in another order.',
    wrap: wrapper(async (call, next) => {
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 20))
      return next(call)
    }),
  },
  {
    id: 'refusal-html',
    silence: 'NS-34',
    freedom: 'A refused token gets a page.',
    wrap: refusing(() => page(401)),
  },
  {
    id: 'refusal-403',
    silence: 'NS-32',
    freedom: 'A refused token gets 403 and a problem document.',
    wrap: refusing(() => reply({ type: 'about:blank', title: 'Forbidden', status: 403 }, 403)),
  },
  {
    id: 'refusal-login',
    silence: 'NS-31',
    freedom: 'A refused token is led to a login page.',
    wrap: refusing(
      () => new Response(null, { status: 302, headers: { location: 'https://login.example/' } }),
    ),
  },
  {
    id: 'refusal-envelope',
    silence: 'NS-31',
    freedom: 'A refused token gets the status 200 and an envelope with state error.',
    wrap: refusing(() => reply({ data: [], status: { state: 'error', message: 'Invalid token' } })),
  },
  {
    id: 'other-messages',
    silence: 'NS-50',
    freedom: 'A success tells how many rows it has, an empty one that there are none.',
    wrap: onMessage((message, envelope) => {
      if (!isSuccess(envelope)) return message
      return envelope.data.length > 0 ? `${envelope.data.length} row(s)` : 'OK (0 rows)'
    }),
  },
  {
    id: 'relation-line-suffix',
    silence: 'NS-29',
    freedom: 'The message of an unknown view goes on with its place in the statement.',
    wrap: onRelation((name, all) => `${all}\nLINE 1: SELECT * FROM ${name}\n                      ^`),
  },
  {
    id: 'relation-background-suffix',
    silence: 'NS-29',
    freedom: 'The message of an unknown view ends with the statement and a link.',
    wrap: onRelation(
      (_, all) => `${all}\n[SQL: SELECT 1]\n(Background on this error at: https://sqlalche.me/e/20/f405)`,
    ),
  },
  {
    id: 'relation-driver-prefix',
    silence: 'NS-29',
    freedom: 'The message of an unknown view begins with the words of a driver.',
    wrap: onRelation((_, all) => `(psycopg2.errors.UndefinedTable) ${all}`),
  },
  {
    id: 'relation-schema',
    silence: 'NS-29',
    freedom: 'The message of an unknown view names its schema.',
    wrap: onRelation((name) => `relation "public.${name}" does not exist`),
  },
  {
    id: 'relation-backslashes',
    silence: 'NS-29',
    freedom: 'The message of an unknown view has the backslashes that the documentation shows.',
    wrap: onRelation((name) => `relation \\"${name}\\" does not exist`),
  },
  {
    id: 'decode-error-python',
    silence: 'NS-27',
    freedom: 'A body that is not JSON is reported in the words of another parser.',
    wrap: onDecodeError('Expecting property name enclosed in double quotes: line 1 column 2 (char 1)'),
  },
  {
    id: 'syntax-error-generic',
    silence: 'NS-28',
    freedom: 'A syntax error has the message of any other.',
    wrap: onMessage((message) => (/syntax error/i.test(message) ? contract.messages.exception : message)),
  },
]
