import { contract } from '../../../schemas/contract.ts'
import { type Settings, statusOf } from '../settings.ts'
import { explainJson } from '../explain-json.ts'
import { Refusal } from '../refusal.ts'

/**
 * The refusal of a body that is not JSON (decisions/0023, ruling 2).
 *
 * @param text the body, undefined where it is not even UTF-8
 */
export function refuseBody(text: string | undefined, settings: Settings): Refusal {
  const fault = text === undefined ? notUtf8 : faultIn(text)
  const message = wording(fault, settings['errors.json-text'])
  const status = statusOf(settings['http.json-error'])
  if (status !== 422) return new Refusal(status, message)
  const detail = [{ type: 'json_invalid', loc: ['body', fault.at], msg: message, input: {} }]
  return new Refusal(status, message, {}, { body: { detail } })
}

/** What a parser found, and where: `at` counts characters from 0, `place` says the same in words. */
interface Fault {
  readonly problem: string
  readonly at: number
  readonly place: string
  /** The character that was not expected; undefined at the end of the text. */
  readonly found?: string | undefined
}

const notUtf8: Fault = { problem: 'the body is not valid UTF-8', at: 0, place: '', found: '\ufffd' }

function faultIn(text: string): Fault {
  const fault = explainJson(text)
  if (fault === undefined)
    return { problem: 'the text is nested too deeply', at: 0, place: '', found: text[0] }
  const { problem, line, column } = fault
  const before = text.split('\n', line - 1).reduce((length, part) => length + part.length + 1, 0)
  const at = before + column - 1
  return { problem, at, place: `line ${line} column ${column}`, found: text[at] }
}

function wording({ problem, at, place, found }: Fault, text: Settings['errors.json-text']): string {
  const { jsonDecode } = contract.messages
  const parserText = `${problem[0]!.toUpperCase()}${problem.slice(1)}: ${place || 'line 1 column 1'} (char ${at})`
  switch (text) {
    case 'decode-error-parser-text':
      return `${jsonDecode}: ${problem}${place === '' ? '' : ` at ${place}`}`
    case 'decode-error':
      return jsonDecode
    case 'parser-text':
      return parserText
    case 'parse-error':
      return `JSON parse error - ${parserText}`
    case 'unexpected-token':
      return found === undefined
        ? 'Unexpected end of JSON input'
        : `Unexpected token ${found} in JSON at position ${at}`
    case 'invalid-json':
      return 'Invalid JSON'
  }
}
