import type { JSX } from 'preact'
import { useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { copy } from '../parts/copy.ts'
import { textOf } from '../parts/format.ts'
import { isNumber } from '../service/wire-number.ts'
import type { Rows, Sort } from './order.ts'
import { RowPanel, type RowUses } from './row-panel.tsx'
import { needOf, share, shownLetters } from './widths.ts'

interface GridProps {
  columns: readonly string[]
  rows: Rows
  /** The indexes of the rows and of the columns that are shown. */
  order: Uint32Array
  shown: readonly number[]
  sort: Sort
  setSort: (sort: Sort) => void
  uses: RowUses
}

const rowHeight = 28
const numberWidth = 64
/** Rows, and pixels of columns, beyond the visible ones on each side. */
const margin = 12
const marginOfColumns = 300
/** Browsers draw no box that is much higher, in pixels. */
const highest = 15_000_000
/** The cursor is in the headers. */
const head = 'head'

/**
 * A table that draws only the rows and columns in view. Beyond half a million rows, it scrolls several rows at a time. The keys
 * move a cursor over its cells and headers.
 */
export function Grid({ columns, rows, order, shown, sort, setSort, uses }: GridProps) {
  const id = useId()
  const frame = useRef<HTMLDivElement>(null)
  const [place, setPlace] = useState({ scrollTop: 0, scrollLeft: 0, clientWidth: 600, clientHeight: 600 })
  /** The cursor: a row, which stays while others arrive, and the place of a column. */
  const [active, setActive] = useState<Rows[number] | typeof head | undefined>(uses.start?.row)
  const [chosenColumn, setCursor] = useState(0)
  const cursor = Math.min(chosenColumn, shown.length - 1)
  const [isOpen, setOpen] = useState(uses.start?.isOpen ?? false)
  /** What had the focus before a link opened a row. */
  const opener = useRef(isOpen ? (document.activeElement as HTMLElement) : null)
  const needs = useMemo(() => columns.map((name, index) => needOf(name, rows, index)), [columns, rows])
  // the first values can be missing
  const isNumeric = useMemo(
    () => columns.map((_, index) => isNumber(rows.find((row) => (row[index] ?? '') !== '')?.[index])),
    [columns, rows],
  )
  const widths = useMemo(() => {
    const needed = shown.map((column) => needs[column]!)
    return share(needed, place.clientWidth - numberWidth)
  }, [needs, shown, place.clientWidth])
  const position = useMemo(() => order.findIndex((index) => rows[index] === active), [active, order, rows])
  const measure = () => {
    const { scrollTop, scrollLeft, clientWidth, clientHeight } = frame.current!
    setPlace({ scrollTop, scrollLeft, clientWidth, clientHeight })
  }
  useLayoutEffect(() => {
    const observer = new ResizeObserver(measure)
    observer.observe(frame.current!)
    return () => observer.disconnect()
  }, [])

  // the box of all rows can be lower than they are: `scale` is the rows' pixels for one of its own
  const view = place.clientHeight - rowHeight
  const full = order.length * rowHeight
  const height = Math.min(full, highest)
  const scale = full > highest ? (full - view) / (height - view) : 1
  const top = place.scrollTop * scale
  const inView = Math.ceil(view / rowHeight)
  const first = Math.max(0, Math.min(Math.floor(top / rowHeight), order.length - inView))
  const from = Math.max(0, first - margin)
  const to = Math.min(order.length, first + inView + margin)
  const before = Math.max(0, from * rowHeight + place.scrollTop - top)
  const after = Math.max(0, height - before - (to - from) * rowHeight)
  let edge = 0
  const edges = widths.map((width) => (edge += width))
  const beyond = (x: number) => edges.filter((right) => right < x).length
  const left = beyond(place.scrollLeft - marginOfColumns)
  const right = beyond(place.scrollLeft + place.clientWidth + marginOfColumns) + 1
  // the first column stays in view, unless it leaves no room for the others
  const pinned = widths[0]! <= place.clientWidth / 2 ? widths[0]! : 0
  const start = Math.max(left, Number(pinned > 0))

  // keys can come faster than the page draws
  const now = useRef({ active, position, cursor })
  now.current = { active, position, cursor }
  const go = (active: typeof now.current.active, position: number) => {
    now.current = { ...now.current, active, position }
    setActive(active)
  }
  const show = (row: number) => {
    const least = Math.min(top, row * rowHeight)
    frame.current!.scrollTop = Math.max(least, (row + 1) * rowHeight - view) / scale
  }
  const move = (step: number) => {
    const { active, position } = now.current
    const from = active === head ? -1 : position < 0 ? first - 1 : position
    const next = Math.max(0, Math.min(order.length - 1, from + step))
    go(rows[order[next]!], next)
    show(next)
  }
  const moveAside = (step: number) => {
    const next = Math.max(0, Math.min(shown.length - 1, now.current.cursor + step))
    now.current = { ...now.current, cursor: next }
    setCursor(next)
    const least = Math.min(place.scrollLeft, edges[next]! - widths[next]! - pinned)
    frame.current!.scrollLeft = Math.max(least, edges[next]! + numberWidth - place.clientWidth)
  }
  const sortBy = (column: number) => {
    const isSorted = sort?.column === column
    setSort(isSorted && sort.isDescending ? undefined : { column, isDescending: isSorted })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const { key } = event
    const { active, position, cursor } = now.current
    if (event.target !== event.currentTarget || event.altKey) return
    const isControl = event.ctrlKey || event.metaKey
    const ends = { Home: -Infinity, End: Infinity }[key]
    const aside = { ArrowLeft: -1, ArrowRight: 1 }[key]
    const step = { ArrowUp: -1, ArrowDown: 1, PageUp: 1 - inView, PageDown: inView - 1 }[key]
    const column = shown[cursor]!
    if (ends !== undefined) (isControl ? move : moveAside)(ends)
    else if (isControl && key === 'c' && position >= 0 && getSelection()!.isCollapsed)
      void copy(textOf(rows[order[position]!]![column]), 'the value')
    else if (isControl) return
    else if (aside) moveAside(aside)
    else if (step === -1 && position === 0) go(head, -1)
    else if (step !== undefined) move(step)
    else if (key === 'Escape') setOpen(false)
    else if (key === 'Enter' && active === head) sortBy(column)
    else if (key === 'Enter') setOpen(position >= 0)
    else if (key === ' ')
      frame.current!.querySelector<HTMLElement>(`[aria-rowindex="${position + 2}"] input`)?.click()
    else return
    event.preventDefault()
  }
  const focus = () => frame.current?.querySelector('table')?.focus({ preventScroll: true })
  const close = () => {
    setOpen(false)
    focus()
    opener.current?.focus()
    opener.current = null
  }
  const leave = () => {
    if (document.activeElement?.closest('.row-panel')) focus()
    setOpen(false)
  }
  useEffect(() => {
    if (active === undefined || active === head || rows.includes(active)) return
    leave()
    setActive(rows[order[0]!])
  }, [rows])
  const open = isOpen && active !== head ? active : undefined
  useEffect(() => uses.onOpen?.(open), [open])
  useEffect(() => void (position >= 0 && show(position)), [position >= 0])
  // another address, such as that of Back, can have other rows
  useEffect(() => {
    addEventListener('hashchange', leave)
    return () => removeEventListener('hashchange', leave)
  }, [])
  const cells = (cell: (column: number, index: number) => JSX.Element) => (
    <>
      {pinned > 0 && cell(shown[0]!, 0)}
      {start > Number(pinned > 0) && <td colSpan={start - Number(pinned > 0)} />}
      {shown.slice(start, right).map((column, index) => cell(column, start + index))}
      {right < shown.length && <td colSpan={shown.length - right} />}
    </>
  )
  const cursorAt = (row: typeof active, index: number) =>
    row === active && index === cursor ? `${id}-cursor` : undefined
  const header = (column: number, index: number) => {
    const name = columns[column]!
    const isSorted = sort?.column === column
    const isDescending = isSorted && sort.isDescending
    return (
      <th
        key={column}
        scope="col"
        id={cursorAt(head, index)}
        aria-colindex={index + 2}
        class={isNumeric[column] ? 'number' : ''}
        aria-label={name}
        aria-sort={!isSorted ? 'none' : isDescending ? 'descending' : 'ascending'}
      >
        <button type="button" tabIndex={-1} title={name} onClick={() => sortBy(column)}>
          {isSorted && (isDescending ? '▼ ' : '▲ ')}
          {name}
        </button>
      </th>
    )
  }

  return (
    <>
      <div class={`grid ${pinned > 0 ? 'pinned' : ''}`} ref={frame} onScroll={measure}>
        <table
          role="grid"
          tabIndex={0}
          aria-label="Rows"
          aria-rowcount={order.length + 1}
          aria-colcount={shown.length + 1}
          aria-activedescendant={
            active === head || (position >= from && position < to) ? `${id}-cursor` : undefined
          }
          style={{ width: `${edge + numberWidth}px` }}
          onKeyDown={onKeyDown}
          onFocus={({ currentTarget }) => {
            // a row that a filter hides can be neither opened nor marked
            const isNowhere = active !== head && position < 0 && order.length > 0
            if (isNowhere && currentTarget.matches(':focus-visible')) move(1)
          }}
        >
          <colgroup>
            {[numberWidth, ...widths].map((width, index) => (
              <col key={index} style={{ width: `${width}px` }} />
            ))}
          </colgroup>
          <thead>
            <tr aria-rowindex={1}>
              <th scope="col" class="number">
                Row
              </th>
              {cells(header)}
            </tr>
          </thead>
          <tbody>
            {before > 0 && <tr aria-hidden="true" style={{ height: `${before}px` }} />}
            {Array.from(order.subarray(from, to), (number, index) => ({
              number,
              index,
              // while an order is made, the former one can be of more rows
              row: rows[number] ?? [],
            })).map(({ number, index, row }) => (
              <tr
                key={row}
                id={`${id}-${number}`}
                class={uses.toneOf?.(row)}
                aria-rowindex={from + index + 2}
                aria-selected={row === active}
                onClick={({ target }) => {
                  // a text that was marked is to be copied
                  if (!getSelection()!.isCollapsed) return
                  setActive(row)
                  const at = (target as Element).closest('[aria-colindex]')?.getAttribute('aria-colindex')
                  setCursor(Number(at ?? 2) - 2)
                  // a second click would select a word, perhaps where the panel opens
                  if (!isOpen) setTimeout(() => getSelection()!.isCollapsed && setOpen(true), 200)
                }}
              >
                <th scope="row" class="number">
                  {uses.boxOf?.(row)}
                  {number + 1}
                </th>
                {cells((column, index) => (
                  <td
                    key={column}
                    id={cursorAt(row, index)}
                    aria-colindex={index + 2}
                    class={`${isNumeric[column] ? 'number' : ''} ${(row[column] ?? null) === null ? 'muted' : ''}`}
                  >
                    {textOf(row[column] ?? 'null').slice(0, shownLetters)}
                  </td>
                ))}
              </tr>
            ))}
            {after > 0 && <tr aria-hidden="true" style={{ height: `${after}px` }} />}
          </tbody>
        </table>
      </div>
      {open && <RowPanel {...{ columns, uses, move, close }} row={open} number={rows.indexOf(open) + 1} />}
    </>
  )
}
