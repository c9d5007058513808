/** What somebody wrote at a vessel. */
export interface Note {
  /** Milliseconds since 1970. */
  readonly at: number
  readonly text: string
}

/** A failure mode, the quantities that show it, and the words of those who see it, in English and German. */
const failures: readonly (readonly [mode: RegExp, quantities: readonly string[], words: RegExp])[] = [
  [/contamin/i, ['OUR', 'DO'], /contam|kont[ai]|not ours|nicht unsere|\bOUR\b|too high|zu hoch/i],
  [/foam/i, ['Foam level', 'Vessel weight'], /foam-out|foamed|übergesch|abgas|exhaust|lost|verloren/i],
  [/probe|sensor/i, ['DO', 'pH'], /(probe|sensor|sonde).*(frozen|stuck|dead|hängt|eingefroren|defekt)/i],
  [/overfeed/i, ['Feed rate', 'Glucose'], /\bfeed (up|at|bis|auf)\b|profile?\b/i],
  [/feed/i, ['Feed rate', 'Feed bottle weight'], /\b(no|kein) feed\b|feed pump/i],
  [/power/i, ['Agitation', 'Temperature'], /power|strom/i],
  [
    /\bDO\b|oxygen/i,
    ['DO', 'Agitation'],
    /\b(DOT?|pO2)\b.*(gone|crash|dropped|weg|eingebrochen|alarm|since|seit)/i,
  ],
]

/** How notes name quantities. */
const names: readonly (readonly [words: RegExp, quantity: string])[] = [
  [/\b(DOT?|pO2)\b/, 'DO'],
  [/\bpH\b/, 'pH'],
  [/\bVCD\b/, 'VCD'],
  [/\bvia(b|bility)?\b/i, 'Viability'],
  [/\bOD\b/, 'OD600'],
  [/\bglu?c/i, 'Glucose'],
  [/foam|schaum/i, 'Foam level'],
  [/feed/i, 'Feed rate'],
  [/stirrer|rpm|drehzahl/i, 'Agitation'],
]

/** What shows how a culture is, where nothing else is known. */
const usual = ['VCD', 'OUR', 'OD600', 'DO']

/**
 * The note about the failure of a run, or its latest one, and the quantities that show what it says, the best first.
 *
 * @example
 * tellingOf({ failure: 'Probe failure', notes: [{ at, text: 'pH probe stuck' }] }).quantities // ['pH', 'DO', …]
 */
export function tellingOf(run: { readonly failure: string; readonly notes: readonly Note[] }): {
  readonly note: Note | undefined
  readonly quantities: readonly string[]
} {
  const { failure, notes } = run
  const [, quantities = [], words] = failures.find(([mode]) => mode.test(failure)) ?? []
  const note = (words && notes.find(({ text }) => words.test(text))) ?? notes.at(-1)
  const named = names.flatMap(([word, quantity]) => (note && word.test(note.text) ? [quantity] : []))
  const isShowing = (quantity: string) => quantities.length === 0 || quantities.includes(quantity)
  return { note, quantities: [...new Set([...named.filter(isShowing), ...quantities, ...usual])] }
}
