/** The first error in a text that is not JSON. Lines and columns count from 1. */
export interface JsonProblem {
  readonly problem: string
  readonly line: number
  readonly column: number
}

type Expected = keyof typeof problems

const problems = {
  value: 'expected a value',
  'value or ]': "expected a value or ']'",
  name: 'expected a property name in double quotes',
  'name or }': "expected a property name in double quotes or '}'",
  ':': "expected ':' after the property name",
  ', or end': "expected ','",
  'nothing more': 'unexpected text after the end of the JSON value',
}

const whitespace = /[ \t\n\r]*/y
const plain = /(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![\w.+-])/y
/** All characters from the space on except the quotation mark and the backslash. */
const stringPart = /[ !#-[\]-\uffff]*/y
const escape = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y

/**
 * Finds the first error in a text that is not JSON; undefined if there is none.
 *
 * Engines word and place their JSON errors differently (V8 gives no position for short texts), so the server reads the
 * text again to find the place of the error. A loop with its own stack: deep nesting costs memory in proportion to the
 * text and cannot overflow the call stack.
 */
export function explainJson(text: string): JsonProblem | undefined {
  const open: string[] = []
  let expected: Expected = 'value'
  let at = 0

  const match = (pattern: RegExp): boolean => {
    pattern.lastIndex = at
    const found = pattern.test(text)
    if (found) at = pattern.lastIndex
    return found
  }
  const error = (problem: string): JsonProblem => locate(text, at, problem)
  const afterValue = (): Expected => (open.length === 0 ? 'nothing more' : ', or end')

  for (;;) {
    match(whitespace)
    const char = text[at]
    if (char === undefined) {
      if (expected === 'nothing more') return undefined
      return error(text.trim() === '' ? 'the text is empty' : 'the text ends too early')
    }
    const inObject = open.at(-1) === '{'
    const end = inObject ? '}' : ']'
    const wantsName: boolean = expected === 'name' || expected === 'name or }'
    const wantsValue = expected === 'value' || expected === 'value or ]'
    const mayEnd = open.length > 0 && (expected === ', or end' || expected.endsWith(` or ${end}`))
    if (mayEnd && char === end) {
      open.pop()
      at += 1
      expected = afterValue()
    } else if (expected === ':' && char === ':') {
      at += 1
      expected = 'value'
    } else if (expected === ', or end' && char === ',') {
      at += 1
      expected = inObject ? 'name' : 'value'
    } else if (char === '"' && (wantsName || wantsValue)) {
      const problem = readString()
      if (problem !== undefined) return error(problem)
      expected = wantsName ? ':' : afterValue()
    } else if (wantsValue && (char === '{' || char === '[')) {
      open.push(char)
      at += 1
      expected = char === '{' ? 'name or }' : 'value or ]'
    } else if (wantsValue && match(plain)) expected = afterValue()
    else if (wantsValue && char === "'") return error('strings take double quotes, not single ones')
    else return error(expected === ', or end' ? `expected ',' or '${end}'` : problems[expected])
  }

  function readString(): string | undefined {
    at += 1
    for (;;) {
      match(stringPart)
      const char = text[at]
      if (char === '"') {
        at += 1
        return undefined
      }
      if (char === undefined) return 'a string is not closed'
      if (char !== '\\') return 'a control character in a string must be escaped'
      if (!match(escape)) return 'a backslash in a string must begin a JSON escape'
    }
  }
}

function locate(text: string, at: number, problem: string): JsonProblem {
  const before = text.slice(0, at)
  const line = before.split('\n').length
  return { problem, line, column: at - before.lastIndexOf('\n') }
}

/**
 * Parses JSON of a file, which may be somebody else's: JSON.parse quotes the text in its errors.
 *
 * @throws SyntaxError that names the problem and its place, without a period
 */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    const found = explainJson(text)
    if (!found) throw error
    const { problem, line, column } = found
    throw new SyntaxError(`${problem} at ${line > 1 ? `line ${line}, ` : ''}column ${column}`)
  }
}
