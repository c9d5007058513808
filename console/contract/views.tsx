import { contract } from '../../schemas/contract.ts'
import type { ColumnDefinition } from '../../schemas/view-definition.ts'
import { views } from '../../schemas/views.ts'
import { wordsOf } from '../grid/order.ts'
import { Search } from '../parts/fields.tsx'
import { count } from '../parts/format.ts'
import { change, hashOf, route } from '../service/route.ts'

/** Every column with its view, and the text that a search finds it by. */
const all = views.flatMap((view) =>
  view.columns.map((column) => ({
    view: view.name,
    column,
    text: [`${view.name}.${column.name}`, column.types.join(' '), column.description].join(' '),
  })),
)

/** The columns of a view, or those of all views that a search finds by their name, type or meaning. */
export function Views({ chosen }: { chosen: string }) {
  const { find = '' } = route.value.params
  const view = views.find(({ name }) => name === chosen) ?? views[0]!
  const words = wordsOf(find, [])
  const found = all.filter((one) =>
    words.length === 0
      ? one.view === view.name
      : words.every(({ isIn, isExcluded }) => isExcluded !== isIn(one.text)),
  )
  return (
    <section class="card" aria-label="Columns">
      <header>
        <Search label="Search the columns of all views" value={find} set={(find) => change({ find })} />
        <span class="muted small" role="status">
          {words.length === 0
            ? `${count(all.length, 'column')} in ${views.length} views`
            : count(found.length, 'column')}
        </span>
      </header>
      {words.length === 0 && (
        <>
          <nav class="parts body" aria-label="Views">
            {views.map(({ name }) => (
              <a
                key={name}
                class="mono"
                href={hashOf('contract', { part: 'views', view: name })}
                aria-current={name === view.name ? 'true' : undefined}
              >
                {name}
              </a>
            ))}
          </nav>
          <div class="about row">
            <p class="grow">{view.description}</p>
            <a class="button" href={hashOf('ask', { sql: `SELECT * FROM ${view.name} LIMIT 20` })}>
              Ask for rows
            </a>
          </div>
        </>
      )}
      <div class="scroll" tabIndex={0} role="region" aria-label="Table of columns">
        <table class="columns">
          <thead>
            <tr>
              <th scope="col">Column</th>
              <th scope="col">Type</th>
              <th scope="col">Meaning</th>
            </tr>
          </thead>
          <tbody>
            {found.map(({ view, column }) => (
              <Column key={`${view}.${column.name}`} view={view} column={column} isFound={words.length > 0} />
            ))}
          </tbody>
        </table>
      </div>
      {found.length === 0 && <p class="empty">No column matches. Search for another word.</p>}
    </section>
  )
}

/** @param isFound whether those around it are of other views */
function Column({ view, column, isFound }: { view: string; column: ColumnDefinition; isFound: boolean }) {
  const to = contract.relations.find(({ from }) => from === `${view}.${column.name}`)?.to
  return (
    <tr>
      <th scope="row" class="mono">
        {isFound && (
          <span class="muted">
            {view}.<wbr />
          </span>
        )}
        {column.name}
      </th>
      <td class="nowrap">
        <code>{column.types.join(' | ') || 'any'}</code>
        {column.nullable && <span class="muted"> or null</span>}
        {column.optional && <span class="badge none">optional</span>}
      </td>
      <td>
        {column.description}
        {to && (
          <>
            {' '}
            <a class="mono" href={hashOf('contract', { part: 'views', view: to.split('.')[0]! })}>
              → {to}
            </a>
          </>
        )}
      </td>
    </tr>
  )
}
