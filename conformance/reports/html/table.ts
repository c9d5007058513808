import { html, type Markup } from './tag.ts'

const NUMBERS = ['Status', 'Bytes', 'Time']

/** A heading of a column; numbers stand to the right. */
export const head = (name: string): Markup =>
  html`<th scope="col" class="${NUMBERS.includes(name) ? 'number' : 'text'}">${name}</th>`

/** A table that scrolls sideways where it has to, and stacks on a phone. */
export const tableOf = (caption: string, heads: string[], rows: Markup[]): Markup =>
  html`<div class="scroll">
    <table class="stack">
      <caption>
        ${caption}
      </caption>
      <thead>
        <tr>
          ${heads.map(head)}
        </tr>
      </thead>
      <tbody>
        ${rows}
      </tbody>
    </table>
  </div>`
