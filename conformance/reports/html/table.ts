import { html } from 'hono/html'

/** Escaped HTML: the result of an `html` template, which escapes all other values. */
export type Markup = ReturnType<typeof html>

const NUMBERS = ['Status', 'Bytes', 'Time']

/** A table that scrolls sideways if it is too wide. With a caption it stacks its cells on a phone. */
export const tableOf = (heads: string[], rows: Markup[], caption?: string): Markup =>
  html`<div class="scroll">
    <table class="${caption === undefined ? 'plain' : 'stack'}">
      ${
        caption !== undefined &&
        html`<caption>
          ${caption}
        </caption>`
      }
      <thead>
        <tr>
          ${heads.map((name) => html`<th scope="col" class="${NUMBERS.includes(name) ? 'number' : 'text'}">${name}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows}
      </tbody>
    </table>
  </div>`

/** An id that may wrap after its colons and dots. */
export const breakable = (id: string): Markup =>
  html`${id.split(/(?<=[:.])/).map((part) => html`${part}<wbr />`)}`
