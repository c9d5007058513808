/**
 * A sentence about rows. What it took from them stays apart from its words, so that whoever prints it decides how
 * much of the rows it shows.
 */
export interface Message {
  readonly strings: readonly string[]
  /** What stands between the strings; a message in it is part of the sentence. */
  readonly values: readonly unknown[]
}

/** A message as a template: say`status is ${row.status}.` */
export const say = (strings: TemplateStringsArray, ...values: unknown[]): Message => ({ strings, values })

/** Words of ours, the name of a column for instance, as part of a message. */
export const words = (text: string): Message => ({ strings: [text], values: [] })

/** The sentence, its values printed by `show`. */
export function textOf(message: Message, show: (value: unknown) => string = shown): string {
  return message.strings
    .map((part, index) => {
      if (index === 0) return part
      const value = message.values[index - 1]
      return (isMessage(value) ? textOf(value, show) : show(value)) + part
    })
    .join('')
}

const isMessage = (value: unknown): value is Message =>
  typeof value === 'object' && value !== null && 'strings' in value && 'values' in value

/** A value as a message shows it: its JSON, cut where it is long. */
export function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > 200 ? `${text.slice(0, 200)}…` : text
}
