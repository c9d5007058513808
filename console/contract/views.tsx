import { contract } from '../../schemas/contract.ts'
import type { ColumnDefinition } from '../../schemas/view-definition.ts'
import { views } from '../../schemas/views.ts'
import { hashOf } from '../service/route.ts'
import { Diagram } from './diagram.tsx'

/** The drawing of all views, and the columns of the chosen one. */
export function Views({ chosen }: { chosen: string }) {
  const view = views.find(({ name }) => name === chosen) ?? views[0]!
  return (
    <>
      <section class="card" aria-label="Relations">
        <div class="body">
          <Diagram chosen={view.name} />
        </div>
      </section>
      <section class="card" aria-label={`Columns of ${view.name}`}>
        <header>
          <h2 class="mono">{view.name}</h2>
          <a class="button end" href={hashOf('ask', { sql: `SELECT * FROM ${view.name} LIMIT 20` })}>
            Ask for rows
          </a>
        </header>
        <p class="about">{view.description}</p>
        <div class="scroll" tabIndex={0} role="region" aria-label={`Table of columns of ${view.name}`}>
          <table class="columns">
            <thead>
              <tr>
                <th scope="col">Column</th>
                <th scope="col">Type</th>
                <th scope="col">Meaning</th>
              </tr>
            </thead>
            <tbody>
              {view.columns.map((column) => (
                <Column key={column.name} view={view.name} column={column} />
              ))}
            </tbody>
          </table>
        </div>
      </section>
    </>
  )
}

function Column({ view, column }: { view: string; column: ColumnDefinition }) {
  const to = contract.relations.find(({ from }) => from === `${view}.${column.name}`)?.to
  return (
    <tr>
      <th scope="row" class="mono">
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
