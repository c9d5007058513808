import type { CheckResult } from '../../../schemas/index.ts'
import { head } from './table.ts'
import { html, type Markup } from './tag.ts'

/** The exchanges that a finding rests on, folded away. */
export function evidence({ evidence }: CheckResult): Markup | false {
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
  const heads = ['Request', 'Status', 'Bytes', 'Time', 'SHA-256 of the body']
  return html`<details>
    <summary>${evidence.length === 1 ? '1 exchange' : `${evidence.length} exchanges`}</summary>
    <div class="scroll">
      <table>
        <thead>
          <tr>
            ${heads.map(head)}
          </tr>
        </thead>
        <tbody>
          ${rows}
        </tbody>
      </table>
    </div>
  </details>`
}

/** Evidence that a run was asked to keep beyond the hash, such as bodies. */
const further = (rest: Record<string, unknown>): Markup[] =>
  Object.entries(rest).map(
    ([name, value]) =>
      html`<br />${name}:
        <pre>${typeof value === 'string' ? value : JSON.stringify(value, null, 1)}</pre>`,
  )
