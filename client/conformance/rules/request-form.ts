import { requirement } from '../../../schemas/requirements.ts'
import type { Rule } from './rule.ts'
import type { StatementRequest } from './statement-request.ts'
import { countStatements } from './statement-text.ts'
import { Tally } from './tally.ts'

const NO_REQUEST = 'The client sent no statement.'

/** A rule that looks at each request alone. @param judge undefined if the request does not show it */
function perRequest(tally: Tally, judge: (request: StatementRequest) => boolean | undefined): Rule {
  return {
    add: (request) => {
      const isKept = judge(request)
      if (isKept !== undefined) tally.judge(isKept, request.number)
    },
    finding: () => tally.finding(),
  }
}

export const authorization = (): Rule =>
  perRequest(
    new Tally('REQ-AUTH-4', {
      kept: 'all carry a bearer token',
      broken: 'no bearer token',
      remedy:
        'Send "Authorization: Bearer" and the token with every request, retries and redirects included.',
      nothing: NO_REQUEST,
    }),
    ({ exchange }) => /^bearer +\S+ *$/i.test(exchange.headers['authorization'] ?? ''),
  )

export const contentType = (): Rule =>
  perRequest(
    new Tally('REQ-HTTP-2', {
      kept: 'all declare application/json',
      broken: 'another Content-Type or none',
      remedy: 'Send "Content-Type: application/json".',
      nothing: NO_REQUEST,
    }),
    ({ exchange }) => /^application\/json *(;|$)/i.test(exchange.headers['content-type'] ?? ''),
  )

export const validBody = (): Rule =>
  perRequest(
    new Tally('REQ-HTTP-13', {
      kept: 'each body is a JSON object with a string "statement"',
      broken: 'the body is not a JSON object with a string "statement"',
      remedy: 'Encode the body with a JSON library instead of joining texts.',
      nothing: NO_REQUEST,
    }),
    ({ exchange, problem }) => (exchange.body.isWhole ? problem === undefined : undefined),
  )

export const oneStatement = (): Rule =>
  perRequest(
    new Tally('REQ-HTTP-9', {
      kept: 'each holds one statement',
      broken: 'several statements in one request',
      remedy: 'Send each statement in a request of its own.',
      nothing: 'The client sent no statement that could be read.',
    }),
    ({ statement }) => (statement === undefined ? undefined : countStatements(statement) <= 1),
  )

/** REQ-AUTH-3: the traffic shows a token, not where it comes from. */
export const tokenSource = (): Rule => ({
  add: () => {},
  finding: () => ({
    requirement: 'REQ-AUTH-3',
    level: requirement('REQ-AUTH-3').level,
    outcome: 'not exercised',
    sentence: 'The traffic of the statement endpoint does not show how the client obtained its token.',
    basis: 0,
    shownBy: [],
  }),
})
