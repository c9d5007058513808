/** Longest text in a report, in characters. A target may send names, messages and values of any length. */
export const LONGEST = 10_000

/** The text; of a longer one the start and an ellipsis. */
export const excerpt = (text: string, length = LONGEST): string =>
  text.length > length ? `${text.slice(0, length)}…` : text
