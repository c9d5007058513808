import { html } from 'hono/html'
import { requirementAnchor, type CheckResult } from '../../../schemas/index.ts'
import {
  documentFor,
  isVerbatim,
  richCell,
  wordOf,
  type Content,
  type Cell,
  type Detail,
  type Document,
  type Finding,
  type Item,
  type Section,
  type State,
  type Table,
} from '../document.ts'
import { page } from './page.ts'
import { SYMBOLS } from '../symbols.ts'

type Markup = ReturnType<typeof html>

/** The document as one page without scripts or requests, for a browser, a phone or a printer. */
export function renderHtml(unsafe: Document): string {
  const { state, title, facts, byline, sections } = documentFor('html', unsafe)
  const name = html`${state && badge(state)} ${title}`
  const linked = sections.filter(({ heading }) => heading !== undefined)
  return page(
    state ? `${wordOf(state)}: ${title}` : title,
    html`<header>
        <h1>${name}</h1>
        ${facts && html`<p>${facts}</p>`} ${byline && html`<p class="muted">${byline}</p>`}
        ${
          linked.length > 1 &&
          html`<nav aria-label="Sections">
            <ul>
              ${linked.map((section) => html`<li><a href="#${section.id}">${headingOf(section)}</a></li>`)}
            </ul>
          </nav>`
        }
      </header>
      <main>${sections.map(sectionOf)}</main>
      ${
        state &&
        html`<footer>
          <h2>Verdict</h2>
          <p>${name}</p>
        </footer>`
      }`,
  )
}

const headingOf = (section: Section): string => {
  const isCounted =
    section.kind === 'findings' || (section.kind === 'list' && section.entries.every(({ id }) => id))
  return `${section.heading}${isCounted ? ` (${section.entries.length})` : ''}`
}

const sectionOf = (section: Section): Markup =>
  html`<section id="${section.id}" ${section.heading && html`aria-labelledby="${section.id}-heading"`}>
    ${section.heading && html`<h2 id="${section.id}-heading">${headingOf(section)}</h2>`}
    ${contentOf(section)}
  </section> `

function contentOf(content: Content): Markup {
  switch (content.kind) {
    case 'findings':
      return html`${content.entries.map(article)}`
    case 'details':
      return detailsOf(content.entries)
    case 'list':
      return listOf(content)
    case 'table':
      return tableMarkup(content)
    case 'paragraph':
      return html`<p>${content.text}</p>`
  }
}

function article({ state, requirement, id, details, evidence }: Finding): Markup {
  const cited = requirement && link(requirement, requirementAnchor(requirement))
  return html`<article class="${SYMBOLS[state.outcome].tone}">
    <h3>${badge(state)} ${cited} <code>${id}</code></h3>
    ${detailsOf(details)} ${evidenceOf(evidence)}
  </article> `
}

const detailsOf = (details: Detail[]): Markup =>
  html`<dl>
    ${details.map(
      (detail) =>
        html`<dt>${detail[0]}</dt>
          <dd>${isVerbatim(detail) ? html`<pre>${detail[1]}</pre>` : detail[1]}</dd> `,
    )}
  </dl>`

function listOf({ entries, most = entries.length }: { entries: Item[]; most?: number }): Markup {
  if (entries.some(({ id }) => id !== undefined))
    return html`<dl class="terms">
      ${entries.map(
        ({ id = '', text, note, anchor }) =>
          html`<dt ${anchor && html`id="${anchor}"`}><code>${breakable(id)}</code></dt>
            <dd>${text}${note && html`<br /><span class="muted">${note}</span>`}</dd>`,
      )}
    </dl>`
  const items = entries.map(({ text }) => html`<li>${text}</li>`)
  const rest = html`<details>
    <summary>${entries.length - most} more</summary>
    <ul>
      ${items.slice(most)}
    </ul>
  </details>`
  return html`<ul>
      ${items.slice(0, most)}
    </ul>
    ${entries.length > most && rest}`
}

const tableMarkup = ({ heads, entries, caption, headColumn }: Table): Markup =>
  frame(
    heads,
    entries.map(
      (row) =>
        html`<tr>
          ${row.map((cell, at) => cellOf(cell, heads[at]!, at - headColumn))}
        </tr> `,
    ),
    caption ?? '',
  )

/** A cell; on a phone, those after the head of the row show the name of their column. */
function cellOf(cell: Cell, column: string, afterHead: number): Markup {
  const { text, state, isCode, note, link: anchor, evidence, share } = richCell(cell)
  const content = [
    state && badge(state),
    text && isCode ? html`<code>${breakable(text)}</code>` : text && anchor ? link(text, anchor) : text,
    note !== undefined && html`<br /><span class="muted">${note}</span>`,
    evidenceOf(evidence),
    share !== undefined &&
      html`<span class="track"><span class="bar" style="width:${share.toFixed(1)}%"></span></span>`,
  ]
  if (afterHead === 0) return html`<th scope="row">${content}</th> `
  return afterHead < 0
    ? html`<td>${content}</td> `
    : html`<td data-column="${column}" class="${classOf(column)}">${content}</td> `
}

/** The requests and replies of a finding, folded. */
function evidenceOf(evidence: CheckResult['evidence'] = []): Markup | false {
  if (evidence.length === 0) return false
  const rows = evidence.map(
    ({ request, status, bytes, sha256, durationMs, ...rest }) =>
      html`<tr>
        <td><code>${request}</code></td>
        <td class="number">${status || 'none'}</td>
        <td class="number">${bytes}</td>
        <td class="number">${durationMs} ms</td>
        <td><code>${sha256}</code>${further(rest)}</td>
      </tr> `,
  )
  return html`<details>
    <summary>${evidence.length === 1 ? '1 request' : `${evidence.length} requests`}</summary>
    ${frame(['Request', 'Status', 'Bytes', 'Time', 'SHA-256 of the body'], rows)}
  </details>`
}

/** Further members of the evidence, such as bodies. */
const further = (rest: Record<string, unknown>): Markup[] =>
  Object.entries(rest).map(
    ([name, value]) =>
      html`<br />${name}:
        <pre>${typeof value === 'string' ? value : JSON.stringify(value, null, 1)}</pre>`,
  )

/** A table that scrolls sideways if it is too wide. With a caption it stacks its cells on a phone. */
const frame = (heads: string[], rows: Markup[], caption?: string): Markup =>
  html`<div class="scroll">
    <table class="${caption === undefined ? 'plain' : 'stack'}">
      ${
        caption &&
        html`<caption>
          ${caption}
        </caption>`
      }
      <thead>
        <tr>
          ${heads.map((name) => html`<th scope="col" class="${classOf(name)}">${name}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows}
      </tbody>
    </table>
  </div>`

const classOf = (column: string): string => (['Status', 'Bytes', 'Time'].includes(column) ? 'number' : 'text')

/** A mark and a word, because colour must not be the only sign. */
const badge = (state: State): Markup =>
  html`<span class="badge ${SYMBOLS[state.outcome].tone}"
    ><span aria-hidden="true">${SYMBOLS[state.outcome].mark}</span> ${wordOf(state)}</span
  >`

const link = (text: string, anchor: string): Markup => html`<a href="#${anchor}">${text}</a>`

/** An id that may wrap after its colons and dots. */
const breakable = (id: string): Markup => html`${id.split(/(?<=[:.=])/).map((part) => html`${part}<wbr />`)}`
