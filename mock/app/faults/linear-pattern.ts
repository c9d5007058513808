/** A step of a pattern: it consumes a character, or holds between two characters, or does neither. */
interface Step {
  readonly consumes?: (char: string) => boolean
  readonly holds?: (chars: Chars, at: number) => boolean
  next: readonly Step[]
}

/** The characters of a text: code points under the flag `u`, else UTF-16 code units. */
type Chars = readonly string[]

/** A part of a pattern, as a function that puts its steps in front of others. A lookahead reads its part backwards. */
type Part = (next: Step, backwards: boolean) => Step

/** Most steps of a pattern: each is tried at most once at each character of a text. */
const mostSteps = 250

/** Thrown for a regular expression that cannot be matched in linear time; the message names the remedy. */
export class PatternError extends Error {
  override readonly name = 'PatternError'
}

/**
 * A regular expression that is matched in time linear in the text, where that of JavaScript may backtrack for ever: the
 * steps that can be reached are followed all at once (Thompson's construction). It finds a match where JavaScript does.
 *
 * @param flags of `imsu`
 * @returns whether a text has a match
 * @throws SyntaxError for a regular expression that is not valid; PatternError for one that has a backreference, or more
 *   than {@link mostSteps} steps
 */
export function linearPattern(source: string, flags: string): (text: string) => boolean {
  // JavaScript judges the syntax, so that the reader only meets what is valid
  const start = readParts(new RegExp(source, flags))(accept, false)
  const charsOf = flags.includes('u') ? (text: string) => [...text] : (text: string) => text.split('')
  return (text) => endsOf(start, charsOf(text), false).includes(true)
}

const accept: Step = { next: [] }

/** Whether a match ends at each place of a text; read backwards, whether one starts there. */
function endsOf(start: Step, chars: Chars, backwards: boolean): boolean[] {
  const ends: boolean[] = []
  let reached: Step[] = []
  for (let read = 0; read <= chars.length; read += 1) {
    const at = backwards ? chars.length - read : read
    const steps = new Set<Step>()
    const reach = (step: Step): void => {
      if (steps.has(step) || step.holds?.(chars, at) === false) return
      steps.add(step)
      if (!step.consumes) step.next.forEach(reach)
    }
    // a match may start anywhere
    reach(start)
    reached.forEach(reach)
    ends[at] = steps.has(accept)
    const char = chars[backwards ? at - 1 : at]!
    reached = [...steps].flatMap((step) => (step.consumes?.(char) ? step.next : []))
  }
  return ends
}

const lookaround = /^\(\?(<?)([=!])/
const opening = String.raw`\((?:\?(?:<?[=!]|:|<[^>]+>))?`
const quantifier = String.raw`(?:[*+?]|\{\d+(?:,\d*)?\})\??`
const set = String.raw`\[(?:\\.|[^\]\\])*\]`
const escape = String.raw`\\(?:[0-7]{1,3}|x[\dA-Fa-f]{2}|u[\dA-Fa-f]{4}|c[A-Za-z]|.)`
/** Under the flag `u` there are more escapes, and two may stand for one character. */
const escapeInUnicode = String.raw`\\u[Dd][89ABab]..\\u[Dd][C-Fc-f]..|\\[pPu]\{[^}]*\}|${escape}`

/** Reads a valid regular expression. @throws PatternError */
function readParts({ source, flags }: RegExp): Part {
  const isUnicode = flags.includes('u')
  const escapes = isUnicode ? escapeInUnicode : escape
  const tokens =
    source.match(new RegExp(`${opening}|${quantifier}|${escapes}|${set}|.`, isUnicode ? 'gsu' : 'gs')) ?? []
  const charFlags = flags.replaceAll('m', '')
  const tooLong = new PatternError(
    `It has more than ${mostSteps} steps, of which a repetition such as {100} makes many. Write a shorter one.`,
  )
  if (tokens.length > mostSteps) throw tooLong
  let steps = 0
  const step = (made: Step): Step => {
    if ((steps += 1) > mostSteps) throw tooLong
    return made
  }

  const character = (token: string): Part => {
    const consumes = memberOf(token, charFlags)
    return (next) => step({ consumes, next: [next] })
  }
  const place =
    (holds: NonNullable<Step['holds']>): Part =>
    (next) =>
      step({ holds, next: [next] })

  const isWord = memberOf(String.raw`\w`, charFlags)
  const isLineEnd = memberOf(String.raw`[\n\r\u2028\u2029]`, '')
  const isBoundary = (chars: Chars, at: number) =>
    (at > 0 && isWord(chars[at - 1]!)) !== (at < chars.length && isWord(chars[at]!))
  const inLines = flags.includes('m')
  const places: Readonly<Record<string, Part>> = {
    '^': place((chars, at) => at === 0 || (inLines && isLineEnd(chars[at - 1]!))),
    $: place((chars, at) => at === chars.length || (inLines && isLineEnd(chars[at]!))),
    [String.raw`\b`]: place(isBoundary),
    [String.raw`\B`]: place((chars, at) => !isBoundary(chars, at)),
  }

  const look = (part: Part, backwards: boolean, isWanted: boolean): Part => {
    const start = part(accept, backwards)
    let known: { readonly chars: Chars; readonly ends: readonly boolean[] } | undefined
    return place((chars, at) => {
      if (known?.chars !== chars) known = { chars, ends: endsOf(start, chars, backwards) }
      return known.ends[at] === isWanted
    })
  }

  const choice = (): Part => {
    const branches = [sequence()]
    while (tokens[0] === '|') {
      tokens.shift()
      branches.push(sequence())
    }
    if (branches.length === 1) return branches[0]!
    return (next, backwards) => step({ next: branches.map((branch) => branch(next, backwards)) })
  }

  const sequence = (): Part => {
    const parts: Part[] = []
    while (tokens.length > 0 && tokens[0] !== '|' && tokens[0] !== ')') parts.push(repeated())
    // an empty sequence is a step too, or (){1000000000} would be counted for ever
    return (next, backwards) =>
      (backwards ? parts : parts.toReversed()).reduce(
        (next, part) => part(next, backwards),
        parts.length === 0 ? step({ next: [next] }) : next,
      )
  }

  const repeated = (): Part => {
    const part = single(tokens.shift()!)
    const [sign, least, range, most] = /^(?:[*+?]|\{(\d+)(,?)(\d*)\})\??$/.exec(tokens[0] ?? '') ?? []
    if (sign === undefined) return part
    tokens.shift()
    const from = least === undefined ? Number(sign.startsWith('+')) : Number(least)
    const to = sign.startsWith('?') ? 1 : range === '' ? from : Number(most || Infinity)
    return (next, backwards) => {
      let entry = step({ next: [next] })
      if (to === Infinity) entry.next = [part(entry, backwards), next]
      else for (let n = from; n < to; n += 1) entry = step({ next: [part(entry, backwards), next] })
      for (let n = 0; n < from; n += 1) entry = part(entry, backwards)
      return entry
    }
  }

  const single = (token: string): Part => {
    if (Object.hasOwn(places, token)) return places[token]!
    if (/^\\[1-9k]/.test(token))
      throw new PatternError(
        `It has the backreference ${token}, which takes too long to match. Write it without.`,
      )
    if (!token.startsWith('(')) return character(token)
    if (token === '(' && tokens[0]?.startsWith('?'))
      throw new PatternError('It has a group such as (?i:a). Write it without, and use the flags imsu.')
    const inner = choice()
    tokens.shift()
    const [, behind, sign] = lookaround.exec(token) ?? []
    return sign === undefined ? inner : look(inner, behind === '', sign === '=')
  }

  return choice()
}

/** Whether a character is one that a part of a regular expression stands for. */
function memberOf(token: string, flags: string): (char: string) => boolean {
  const pattern = new RegExp(`^(?:${token})$`, flags)
  return (char) => pattern.test(char)
}
