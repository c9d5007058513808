/** A sentence about rows. It keeps their values apart from its words, so that a report can hide them. */
export interface Message {
  readonly strings: readonly string[]
  /** The values between the strings. A message among them is part of the sentence. */
  readonly values: readonly unknown[]
}

/** A message as a template: say`status is ${row.status}.` */
export const say = (strings: TemplateStringsArray, ...values: unknown[]): Message => ({ strings, values })

/** Fixed words, such as the name of a column, as part of a message. */
export const words = (text: string): Message => ({ strings: [text], values: [] })

/** The sentence, with its values printed by `show`. */
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

/** The JSON of a value, at most 200 characters of it. */
export function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > 200 ? `${text.slice(0, 200)}…` : text
}
