import { Button } from '../parts/button.tsx'
import type { ComponentChildren } from 'preact'
import { useMemo } from 'preact/hooks'
import { asCsv, asJson, fileOf } from '../ask/take-away.ts'
import { copy, save } from '../parts/copy.ts'
import { count, size } from '../parts/format.ts'
import { Menu } from '../parts/menu.tsx'
import { Search } from '../parts/fields.tsx'
import type { Answer } from '../service/answer.ts'
import type { Params } from '../service/route.ts'
import { Grid } from './grid.tsx'
import { hintOf, matching, type Sort, sorted, wordsOf } from './order.ts'
import type { RowUses } from './row-panel.tsx'
import { useOrder } from './use-order.ts'

interface RowsProps extends RowUses {
  name: string
  /** What a file of them is named after; default: their name. */
  file?: string
  answer: Pick<Answer, 'columns' | 'rows' | 'message'> & Partial<Answer>
  /** What is said beside the number of rows. */
  about: string
  /** `filter`, `sort` and `hide`: texts, since they stand in the address. */
  params: Params
  change: (params: Params) => void
  /** A filter that finds some of them. */
  example?: string
  /** What the search is called. */
  search?: string
  /** What a row is called. */
  noun?: string
  /** Columns that neither the table nor its menu has. */
  unlisted?: readonly string[]
  /** Further buttons. */
  more?: ComponentChildren
}

/** What a filter can be. */
const help = 'word  -word  column:word  column=word  column>5  column<=2026-01-31  "two words"'

const none: readonly string[] = []

/** Names as one text, and back. */
const pack = (list: readonly string[]) => list.map((one) => one.replaceAll('|', '%7C')).join('|')
const unpack = (text = '') => (text === '' ? [] : text.split('|').map((one) => one.replaceAll('%7C', '|')))

/** Rows as a table that sorts, filters, hides columns and is copied. */
export function Rows(props: RowsProps) {
  const {
    search = 'Filter rows',
    example = 'word  -word  column:word',
    noun = 'row',
    unlisted = none,
    more,
    ...uses
  } = props
  const { name, file = name, answer, about, params, change } = props
  const { rows, columns, bytes = 0, message, isCut } = answer
  const { filter = '', sort: sortedBy, hide } = params
  const sort = useMemo((): Sort => {
    const [by, order] = unpack(sortedBy)
    const column = columns.indexOf(by ?? '')
    return column < 0 ? undefined : { column, isDescending: order === 'desc' }
  }, [columns, sortedBy])
  const hidden = useMemo(() => unpack(hide), [hide])
  const listed = useMemo(() => columns.filter((name) => !unlisted.includes(name)), [columns, unlisted])
  const shown = useMemo(
    () =>
      [...columns.keys()].filter((one) => listed.includes(columns[one]!) && !hidden.includes(columns[one]!)),
    [columns, listed, hidden],
  )
  const words = useMemo(() => wordsOf(filter, columns), [filter, columns])
  const hint = hintOf(filter, columns)
  const all = useOrder(() => sorted(rows, sort), [rows, sort])
  const order = useOrder(() => matching(rows, all, shown, words), [rows, all, shown, words])
  const hideAll = (names: readonly string[]) => change({ hide: pack(names) })
  const table = () => ({
    columns: shown.map((column) => columns[column]!),
    rows: Array.from(order, (row) => shown.map((column) => rows[row]![column])),
  })
  return (
    <section class="card result" aria-label={name}>
      <header>
        <h2 aria-live="polite">
          {filter !== '' && `${order.length.toLocaleString('en')} of `}
          {count(rows.length, noun)}
        </h2>
        <span class="muted small">
          {count(listed.length, 'column')} · {about}
        </span>
        <details class="filters end" open={innerWidth > 860}>
          <summary class="button">Filter</summary>
          <span class="row">
            <Search
              label={search}
              value={filter}
              placeholder={example}
              title={`${search}: ${help}`}
              set={(filter) => change({ filter })}
              onKeyDown={({ key, currentTarget }) => {
                if (key === 'Enter' || key === 'ArrowDown')
                  currentTarget.closest('section')!.querySelector('table')?.focus()
              }}
            />
            {more}
            <Menu
              label="Copy or save"
              items={[
                ['Copy JSON', () => void copy(asJson(table()), 'the rows as JSON')],
                ['Save CSV', () => save(asCsv(table()), fileOf(file))],
              ]}
            />
            <Menu
              label={
                shown.length === listed.length ? 'Columns' : `${shown.length} of ${listed.length} columns`
              }
              stays
              items={[
                ['Show all', () => hideAll([])],
                ['Hide all', () => hideAll(listed)],
                ...listed.map((name): readonly [string, () => void] =>
                  hidden.includes(name)
                    ? [`☐ ${name}`, () => hideAll(hidden.filter((one) => one !== name))]
                    : [`☑ ${name}`, () => hideAll([...hidden, name])],
                ),
              ]}
            />
          </span>
        </details>
      </header>
      {isCut && (
        <p class="notice warn">
          The page stopped reading after {size(bytes)}. These are the first {count(rows.length, noun)}; add a
          LIMIT, or use curl or the client for all of them.
        </p>
      )}
      <div role="status">{hint && <p class="notice info">{hint}</p>}</div>
      {rows.length === 0 ? (
        <p class="empty">{message}</p>
      ) : shown.length === 0 ? (
        <p class="empty">
          All columns are hidden. <Button text="Show all columns" act={() => hideAll([])} />
        </p>
      ) : order.length === 0 && filter !== '' ? (
        <p class="empty">
          No row has “{filter}” in a shown column: {count(rows.length, noun)}{' '}
          {rows.length === 1 ? 'is' : 'are'} hidden by the filter.{' '}
          <Button
            text="Clear the filter"
            act={({ currentTarget }) => {
              currentTarget.closest('section')!.querySelector('input')!.focus()
              change({ filter: '' })
            }}
          />
        </p>
      ) : (
        <Grid
          {...{ columns, rows, order, shown, sort, uses }}
          setSort={(next) =>
            change({ sort: next && pack([columns[next.column]!, next.isDescending ? 'desc' : 'asc']) })
          }
        />
      )}
    </section>
  )
}
