import { implement } from '../implement.ts'

/** The answer to a body that is not JSON. */
export interface JsonErrorAnswer {
  readonly status: number
  /** JSON in place of the envelope. `at` is the place of the error in characters, from 0. */
  readonly body?: (message: string, at: number) => object
}

export const jsonErrorAnswer = implement<'http.json-error', JsonErrorAnswer>('http.json-error', {
  200: { status: 200 },
  400: { status: 400 },
  415: { status: 415 },
  // as FastAPI answers
  422: {
    status: 422,
    body: (message, at) => ({
      detail: [{ type: 'json_invalid', loc: ['body', at], msg: message, input: {} }],
    }),
  },
  500: { status: 500 },
})
