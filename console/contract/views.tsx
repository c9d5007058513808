import { contract } from '../../schemas/contract.ts'
import { views } from '../../schemas/views.ts'
import { Search } from '../parts/fields.tsx'
import { count } from '../parts/format.ts'
import { change, hashOf, route } from '../service/route.ts'

/** Every column with its view, and every documented key of a column, as statements have it. */
const all = views.flatMap(({ name: view, columns }) =>
  columns.flatMap(({ name, types, nullable, optional, description, keys = {} }) => [
    { view, name, type: types.join(' | ') || 'any', nullable, optional, description },
    ...Object.entries(keys).map(([key, meaning]) => ({
      view,
      name: `${name}->>'${key}'`,
      type: `key of ${name}`,
      description: meaning,
    })),
  ]),
)
type Column = (typeof all)[number] & { readonly nullable?: boolean; readonly optional?: boolean }

/** The columns of a view, or those of all views that a search finds by their name, type or meaning. */
export function Views({ chosen }: { chosen: string }) {
  const { find = '' } = route.value.params
  const view = views.find(({ name }) => name === chosen) ?? views[0]!
  const words = find.toLowerCase().split(/\s+/).filter(Boolean)
  const has = (text: string) => words.every((word) => text.toLowerCase().includes(word))
  const isNamed = (one: Column) => Number(has(`${one.view}.${one.name}`))
  const found: readonly Column[] =
    words.length === 0
      ? all.filter((one) => one.view === view.name)
      : all
          .filter((one) => has(`${one.view}.${one.name} ${one.type} ${one.description}`))
          .toSorted((a, b) => isNamed(b) - isNamed(a))
  return (
    <section class="card" aria-label="Columns">
      <header>
        <Search label="Search the columns of all views" value={find} set={(find) => change({ find })} />
        <span class="muted small" role="status">
          {words.length === 0
            ? `${count(all.length, 'column')} in ${views.length} views`
            : count(found.length, 'hit')}
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
          <div class="body row">
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
            {found.map((one) => (
              <Row key={`${one.view}.${one.name}`} column={one} words={words} />
            ))}
          </tbody>
        </table>
      </div>
      {found.length === 0 && <p class="empty">No column matches. Search for another word.</p>}
    </section>
  )
}

/** @param words that are sought; without any, all columns are of one view */
function Row({ column, words }: { column: Column; words: readonly string[] }) {
  const { view, name, type, nullable, optional, description } = column
  const to = contract.relations.find(({ from }) => from === `${view}.${name}`)?.to
  return (
    <tr>
      <th scope="row" class="mono">
        {words.length > 0 && (
          <span class="muted">
            <Marked text={`${view}.`} words={words} />
            <wbr />
          </span>
        )}
        <Marked text={name} words={words} />
      </th>
      <td class="nowrap">
        <code>{type}</code>
        {nullable && <span class="muted"> or null</span>}
        {optional && <span class="badge none">optional</span>}
      </td>
      <td>
        <Marked text={description} words={words} />
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

/** A text, in which words are marked. */
function Marked({ text, words }: { text: string; words: readonly string[] }) {
  if (words.length === 0) return <>{text}</>
  const pattern = words.map((word) => word.replaceAll(/\W/g, String.raw`\$&`)).join('|')
  const parts = text.split(new RegExp(`(${pattern})`, 'i'))
  return <>{parts.map((part, at) => (at % 2 === 1 ? <mark key={at}>{part}</mark> : part))}</>
}
