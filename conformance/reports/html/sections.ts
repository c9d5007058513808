import { requirementAnchor, type CheckResult, type ConformanceReport } from '../../../schemas/index.ts'
import { clauseRows } from '../clause-rows.ts'
import { detailsOf, observationsOf, optionsOf, QUALITY, qualityOf, seconds } from '../summary.ts'
import { classOf, outcomeBadge } from './badge.ts'
import { evidence } from './evidence.ts'
import { tableOf } from './table.ts'
import { breakable, html, type Markup } from './tag.ts'

export interface Section {
  id: string
  heading: string
  body: Markup
}

type Maybe = Section | undefined

const item = (reason: string) => html`<li>${reason.split('\n')[0]}</li>`

export function why({ verdict, reasons }: ConformanceReport): Maybe {
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

/** One article for each finding, with all that it takes to dispute or to mend it. */
export function findings(id: string, heading: string, results: CheckResult[]): Maybe {
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

export function brief(id: string, heading: string, results: { id: string; message: string }[]): Maybe {
  if (results.length === 0) return undefined
  const items = results.map(
    ({ id, message }) =>
      html`<dt><code>${id}</code></dt>
        <dd>${message}</dd>`,
  )
  return { id, heading: `${heading} (${results.length})`, body: html`<dl>${items}</dl>` }
}

export function clauses({ checks }: ConformanceReport): Maybe {
  if (checks.length === 0) return undefined
  const rows = clauseRows(checks).map(
    ({ outcome, requirement, level, clause, found }) =>
      html`<tr>
        <td>${outcomeBadge(outcome)}</td>
        <th scope="row">
          ${checks.some((check) => check.requirement === requirement) ? requirementLink(requirement) : requirement}
        </th>
        <td>${level}</td>
        <td>${clause}</td>
        <td>${found}</td>
      </tr> `,
  )
  const heads = ['Outcome', 'Requirement', 'Level', 'Clause', 'Found']
  return {
    id: 'clauses',
    heading: 'Clause by clause',
    body: tableOf(
      'What the contract asks for, in its order; a clause is as good as the worst of its checks.',
      heads,
      rows,
    ),
  }
}

/** All checks, with the time each took drawn beside it. */
export function everyCheck({ checks }: ConformanceReport): Maybe {
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
    heading: `Every check (${checks.length})`,
    body: tableOf(
      'Checks run side by side: their times add up to more than the run took.',
      ['Outcome', 'Check', 'Found', 'Time'],
      rows,
    ),
  }
}

export function dataQuality(report: ConformanceReport): Maybe {
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

export function observations(report: ConformanceReport): Maybe {
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
    body: tableOf('Observed; never a failure.', ['Open point', 'Question', 'Observed'], rows),
  }
}

/** The requirements that the report cites, for readers who have nothing but this page. */
export function requirementTexts({ checks }: ConformanceReport): Maybe {
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
    heading: `Requirements (${cited.size})`,
    body: html`<dl class="terms">${items}</dl>`,
  }
}

/** A link to the text of a requirement in this page. */
const requirementLink = (id: string): Markup => html`<a href="#${requirementAnchor(id)}">${id}</a>`

export function theRun(report: ConformanceReport): Section {
  const facts: [string, string][] = [
    ['started', report.startedAt],
    ['took', seconds(report.durationMs)],
    ['requests', String(report.statements)],
    ['suite', `${report.suite.name} ${report.suite.version}`],
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
