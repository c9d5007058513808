import { contract } from '../../../schemas/contract.ts'
import { implement } from '../implement.ts'

/** Why a body is not JSON. */
export interface JsonError {
  readonly problem: string
  /** The place in characters, from 0. */
  readonly at: number
  /** The place in words; empty if there is none. */
  readonly place: string
  /** The unexpected character; undefined at the end of the text. */
  readonly found?: string | undefined
}

const { jsonDecode } = contract.messages

const parserText = ({ problem, at, place }: JsonError) =>
  `${problem[0]!.toUpperCase()}${problem.slice(1)}: ${place || 'line 1 column 1'} (char ${at})`

/** The message for a body that is not JSON. */
export const jsonErrorText = implement<'errors.json-text', (error: JsonError) => string>('errors.json-text', {
  'decode-error-parser-text': ({ problem, place }) =>
    `${jsonDecode}: ${problem}${place === '' ? '' : ` at ${place}`}`,
  'decode-error': () => jsonDecode,
  'parser-text': parserText,
  'parse-error': (error) => `JSON parse error - ${parserText(error)}`,
  'unexpected-token': ({ found, at }) =>
    found === undefined
      ? 'Unexpected end of JSON input'
      : `Unexpected token ${found} in JSON at position ${at}`,
  'invalid-json': () => 'Invalid JSON',
})
