import type { Option } from 'commander'

export type Schema = Readonly<Record<string, unknown>>

/** What is known about the values of an option, besides how a text becomes one. */
export interface Kind {
  /** What a config file may hold. Default: a text. */
  readonly schema?: Schema
  /** Set if the option is repeatable: a config file may have a list. */
  readonly isRepeatable?: true
  /** Set if a value may be several with commas between them: they are ids or names, which have none. */
  readonly isList?: true
  /** Stands between the two parts of a value: a config file may have an object of names and texts. */
  readonly separator?: string
  /** Whether a value names a file to read, or one to write; `@`: a file to read, only after this character. */
  readonly file?: 'read' | 'written' | '@'
  /** Set if no message may repeat a value. */
  readonly isSecret?: true
}

const kinds = new WeakMap<object, Kind>()

/** Gives a parser of options its kind. */
export function ofKind<Parser extends object>(kind: Kind, parser: Parser): Parser {
  kinds.set(parser, kind)
  return parser
}

/** The kind of the values of an option; nothing is known about a text. */
export const kindOf = ({ parseArg }: Pick<Option, 'parseArg'>): Kind =>
  (parseArg && kinds.get(parseArg)) ?? {}

/** `${NAME}` in a config file stands for a value of any type. */
export const fromEnvironment: Schema = { type: 'string', pattern: String.raw`\$\{\w+\}` }
