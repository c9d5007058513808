/** HTML that needs no more escaping. Only {@link html} makes it. */
export class Markup {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

type Value = string | number | Markup | false | undefined | readonly Value[]

/** A template of HTML: whatever is put in is escaped, unless it comes out of such a template itself. */
export const html = (strings: TemplateStringsArray, ...values: Value[]): Markup =>
  new Markup(String.raw({ raw: strings }, ...values.map(render)))

function render(value: Value): string {
  if (value === undefined || value === false) return ''
  if (value instanceof Markup) return value.text
  if (typeof value === 'object') return value.map(render).join('')
  return String(value).replaceAll(/[&<>"'`]/g, (character) => `&#${character.charCodeAt(0)};`)
}

/** An id that may be broken after its colons and dots, where it is too long for its place. */
export const breakable = (id: string): Markup =>
  html`${id.split(/(?<=[:.])/).map((part) => html`${part}<wbr />`)}`
