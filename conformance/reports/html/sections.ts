import { html } from 'hono/html'
import { requirementAnchor, type CheckResult, type ConformanceReport } from '../../../schemas/index.ts'
import { versionText } from '../version-text.ts'
import { requirementRows } from '../requirement-rows.ts'
import { detailsOf, observationsOf, optionsOf, QUALITY, qualityOf, seconds } from '../summary.ts'
import { classOf, outcomeBadge } from './badge.ts'
import { breakable, tableOf, type Markup } from './table.ts'

export interface Section {
  id: string
  heading: string
  body: Markup
}

const item = (reason: string) => html`<li>${reason.split('\n')[0]}</li>`

export function why({ verdict, reasons }: ConformanceReport): Section | undefined {
  if (reasons.length === 0) return undefined
  const [shown, rest] = [reasons.slice(0, 10), reasons.slice(10)]
  const more =
    rest.length > 0 &&
    html`<details>
      <summary>${rest.length} more</summary>
      <ul>
        ${rest.map(item)}
      </ul>
    </details>`
  return {
    id: 'why',
    heading: `Why ${verdict}`,
    body: html`<ul>
        ${shown.map(item)}
      </ul>
      ${more}`,
  }
}

/** One article for each finding, with everything a vendor needs to reproduce it. */
export function findings(id: string, heading: string, results: CheckResult[]): Section | undefined {
  if (results.length === 0) return undefined
  return { id, heading: `${heading} (${results.length})`, body: html`${results.map(article)}` }
}

const article = (result: CheckResult): Markup =>
  html`<article class="${classOf(result.outcome)}">
    <h3>${outcomeBadge(result.outcome)} ${requirementLink(result.requirement)} <code>${result.id}</code></h3>
    <p>${result.title}</p>
    <dl>
      <dt>requirement</dt>
      <dd>${result.sentence ?? result.requirement}</dd>
      <dt>contract</dt>
      <dd>${result.clause}, ${result.level}</dd>
      ${detailsOf(result).map(
        ([name, text]) =>
          html`<dt>${name}</dt>
            <dd>${name === 'found' || name === 'waived' ? text : html`<pre>${text}</pre>`}</dd> `,
      )}
    </dl>
    ${evidence(result)}
  </article> `

export function brief(
  id: string,
  heading: string,
  results: { id: string; message: string }[],
): Section | undefined {
  if (results.length === 0) return undefined
  const items = results.map(
    ({ id, message }) =>
      html`<dt><code>${id}</code></dt>
        <dd>${message}</dd>`,
  )
  return { id, heading: `${heading} (${results.length})`, body: html`<dl>${items}</dl>` }
}

/** The requests and replies of a finding, folded. */
function evidence({ evidence }: CheckResult): Markup | false {
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
    ${tableOf(['Request', 'Status', 'Bytes', 'Time', 'SHA-256 of the body'], rows)}
  </details>`
}

/** Further members of the evidence, such as bodies. */
const further = (rest: Record<string, unknown>): Markup[] =>
  Object.entries(rest).map(
    ([name, value]) =>
      html`<br />${name}:
        <pre>${typeof value === 'string' ? value : JSON.stringify(value, null, 1)}</pre>`,
  )

export function requirementResults({ checks }: ConformanceReport): Section | undefined {
  if (checks.length === 0) return undefined
  const rows = requirementRows(checks).map(
    ({ outcome, requirement, level, place, found }) =>
      html`<tr>
        <td>${outcomeBadge(outcome)}</td>
        <th scope="row">
          ${checks.some((check) => check.requirement === requirement) ? requirementLink(requirement) : requirement}
        </th>
        <td>${level}</td>
        <td>${place}</td>
        <td>${found}</td>
      </tr> `,
  )
  return {
    id: 'results',
    heading: 'Results by requirement',
    body: tableOf(
      ['Outcome', 'Requirement', 'Level', 'Contract', 'Found'],
      rows,
      'In the order of the contract. A requirement has the most severe outcome of its checks.',
    ),
  }
}

/** All checks, each with a bar for its duration. */
export function everyCheck({ checks }: ConformanceReport): Section | undefined {
  if (checks.length === 0) return undefined
  const longest = Math.max(1, ...checks.map(({ durationMs }) => durationMs))
  const share = ({ durationMs }: CheckResult) => ((100 * durationMs) / longest).toFixed(1)
  const rows = checks.map(
    (result) =>
      html`<tr>
        <td>${outcomeBadge(result.outcome)}</td>
        <th scope="row"><code>${breakable(result.id)}</code></th>
        <td>
          ${result.title}<br /><span class="muted">${result.message.split('\n')[0]}</span>${evidence(result)}
        </td>
        <td class="number">
          ${result.durationMs} ms
          <span class="track"><span class="bar" style="width:${share(result)}%"></span></span>
        </td>
      </tr> `,
  )
  return {
    id: 'checks',
    heading: `All checks (${checks.length})`,
    body: tableOf(
      ['Outcome', 'Check', 'Found', 'Time'],
      rows,
      'Checks run in parallel, so their times add up to more than the duration of the run.',
    ),
  }
}

export function dataQuality(report: ConformanceReport): Section | undefined {
  const { broken, rest } = qualityOf(report) ?? {}
  if (!broken) return undefined
  const items = broken.map(({ id, message }) => html`<li><code>${id}</code> ${message}</li>`)
  return {
    id: 'data-quality',
    heading: QUALITY,
    body: html`<ul>
      ${items}
      <li>${rest}</li>
    </ul>`,
  }
}

export function observations(report: ConformanceReport): Section | undefined {
  const rows = observationsOf(report).map(
    ({ id, question, seen }) =>
      html`<tr>
        <th scope="row">${id}</th>
        <td>${question}</td>
        <td>${seen}</td>
      </tr> `,
  )
  if (rows.length === 0) return undefined
  return {
    id: 'open-points',
    heading: 'Open points of the contract',
    body: tableOf(['Open point', 'Question', 'Observed'], rows, 'Recorded only; never a failure.'),
  }
}

/** The text of each requirement in the report, for readers without the contract. */
export function requirementTexts({ checks }: ConformanceReport): Section | undefined {
  const cited = new Map(checks.map((result) => [result.requirement, result]))
  if (cited.size === 0) return undefined
  const items = [...cited.values()].map(
    ({ requirement, level, sentence, clause, anchor }) =>
      html`<dt id="${requirementAnchor(requirement)}">${breakable(requirement)}</dt>
        <dd>
          ${sentence ?? level}<br /><span class="muted">Contract: ${clause}${anchor && `; ${anchor}`}</span>
        </dd>`,
  )
  return {
    id: 'requirements',
    heading: `Text of the requirements (${cited.size})`,
    body: html`<dl class="terms">${items}</dl>`,
  }
}

/** A link to the text of a requirement on this page. */
const requirementLink = (id: string): Markup => html`<a href="#${requirementAnchor(id)}">${id}</a>`

export function runFacts(report: ConformanceReport): Section {
  const facts: [string, string][] = [
    ['started', report.startedAt],
    ['duration', seconds(report.durationMs)],
    ['requests', String(report.statements)],
    ['suite', `${report.suite.name} ${versionText(report.suite)}`],
    ['contract', report.contract.version],
    ...optionsOf(report),
  ]
  const items = facts.map(
    ([name, value]) =>
      html`<dt>${name}</dt>
        <dd>${value}</dd>`,
  )
  return { id: 'run', heading: 'The run', body: html`<dl>${items}</dl>` }
}
