import type { JSX } from 'preact'
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { textOf } from '../parts/format.ts'
import { isNumber } from '../service/wire-number.ts'
import type { Rows, Sort } from './order.ts'
import { RowPanel } from './row-panel.tsx'
import { narrowest, needOf, share, shownLetters, wide } from './widths.ts'

interface GridProps {
  columns: readonly string[]
  rows: Rows
  /** The indexes of the rows and of the columns that are shown. */
  order: Uint32Array
  shown: readonly number[]
  sort: Sort
  setSort: (sort: Sort) => void
}

const rowHeight = 28
const numberWidth = 64
/** Rows, and pixels of columns, beyond the visible ones on each side. */
const margin = 12
const marginOfColumns = 300
/** Browsers draw no box that is much higher, in pixels. */
const highest = 15_000_000

/** A table that draws only the rows and columns in view. Beyond half a million rows, it scrolls several rows at a time. */
export function Grid({ columns, rows, order, shown, sort, setSort }: GridProps) {
  const frame = useRef<HTMLDivElement>(null)
  const [place, setPlace] = useState({ scrollTop: 0, scrollLeft: 0, clientWidth: 600, clientHeight: 600 })
  /** Widths of all columns, once one was changed. */
  const [chosen, setChosen] = useState<readonly number[]>()
  /** The index of the row that the keys move from. */
  const [active, setActive] = useState(-1)
  const [isOpen, setOpen] = useState(false)
  const needs = useMemo(() => columns.map((name, index) => needOf(name, rows, index, 100)), [columns, rows])
  const isNumeric = useMemo(
    () => columns.map((_, index) => rows.slice(0, 50).some((row) => isNumber(row[index]))),
    [columns, rows],
  )
  const widths = useMemo(() => {
    const needed = shown.map((column) => (chosen ?? needs)[column]!)
    return chosen ? needed : share(needed, place.clientWidth - numberWidth)
  }, [chosen, needs, shown, place.clientWidth])
  const position = useMemo(() => order.indexOf(active), [active, order])
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

  const move = (step: number) => {
    const next = Math.max(0, Math.min(order.length - 1, (position < 0 ? first - 1 : position) + step))
    setActive(order[next] ?? -1)
    const least = Math.min(top, next * rowHeight)
    frame.current!.scrollTop = Math.max(least, (next + 1) * rowHeight - view) / scale
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey) return
    const steps = { ArrowUp: -1, ArrowDown: 1, PageUp: 1 - inView, PageDown: inView - 1 }
    const step = { ...steps, Home: -Infinity, End: Infinity }[event.key]
    if (event.key === 'Escape') setOpen(false)
    if (step !== undefined || (event.key === 'Enter' && position < 0)) move(step ?? 1)
    if (event.key === 'Enter') setOpen(true)
    else if (step === undefined) return
    event.preventDefault()
  }
  const resize = (column: number, width: number) => {
    const now = chosen ?? needs.map((need, index) => widths[shown.indexOf(index)] ?? Math.min(need, wide))
    setChosen(now.with(column, Math.max(narrowest, width)))
  }
  const close = () => {
    setOpen(false)
    frame.current!.querySelector('table')!.focus({ preventScroll: true })
  }
  const cells = (cell: (column: number, index: number) => JSX.Element) => (
    <>
      {left > 0 && <td colSpan={left} />}
      {shown.slice(left, right).map(cell)}
      {right < shown.length && <td colSpan={shown.length - right} />}
    </>
  )
  const header = (column: number, index: number) => {
    const name = columns[column]!
    const isSorted = sort?.column === column
    const isDescending = isSorted && sort.isDescending
    const next = isDescending ? undefined : { column, isDescending: isSorted }
    const width = widths[left + index]!
    return (
      <th
        key={column}
        scope="col"
        class={isNumeric[column] ? 'number' : ''}
        aria-label={name}
        aria-sort={!isSorted ? 'none' : isDescending ? 'descending' : 'ascending'}
      >
        <button type="button" title={name} onClick={() => setSort(next)}>
          {isSorted && (isDescending ? '▼ ' : '▲ ')}
          {name}
        </button>
        <span
          role="separator"
          tabIndex={0}
          aria-label={`Width of ${name}`}
          aria-valuenow={Math.round(width)}
          onDblClick={() => resize(column, needOf(name, rows, column, 20_000))}
          onKeyDown={(event) => {
            const step = { ArrowLeft: -16, ArrowRight: 16 }[event.key]
            if (step) resize(column, width + step)
            if (step) event.preventDefault()
          }}
          onPointerDown={({ currentTarget, pointerId }) => currentTarget.setPointerCapture(pointerId)}
          onPointerMove={({ currentTarget, pointerId, clientX }) => {
            const { left } = currentTarget.parentElement!.getBoundingClientRect()
            if (currentTarget.hasPointerCapture(pointerId)) resize(column, clientX - left)
          }}
        />
      </th>
    )
  }

  return (
    <>
      <div class="grid" ref={frame} onScroll={measure}>
        <table
          role="grid"
          tabIndex={0}
          aria-label="Rows"
          aria-rowcount={order.length + 1}
          aria-activedescendant={position >= from && position < to ? `row-${active}` : undefined}
          style={{ width: `${edge + numberWidth}px` }}
          onKeyDown={onKeyDown}
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
            {Array.from(order.subarray(from, to), (row, index) => (
              <tr
                key={row}
                id={`row-${row}`}
                aria-rowindex={from + index + 2}
                aria-selected={row === active}
                onClick={() => {
                  // a text that was marked is to be copied
                  if (!getSelection()!.isCollapsed) return
                  setActive(row)
                  setOpen(true)
                }}
              >
                <th scope="row" class="number">
                  {row + 1}
                </th>
                {cells((column) => (
                  <Cell key={column} value={rows[row]![column]} isNumeric={isNumeric[column]!} />
                ))}
              </tr>
            ))}
            {after > 0 && <tr aria-hidden="true" style={{ height: `${after}px` }} />}
          </tbody>
        </table>
      </div>
      {isOpen && rows[active] && (
        <RowPanel columns={columns} row={rows[active]} number={active + 1} move={move} close={close} />
      )}
    </>
  )
}

function Cell({ value, isNumeric }: { value: unknown; isNumeric: boolean }) {
  const isNull = value === null || value === undefined
  const text = useMemo(() => (isNull ? 'null' : textOf(value).slice(0, shownLetters)), [value])
  return <td class={`${isNumeric ? 'number' : ''} ${isNull ? 'muted' : ''}`}>{text}</td>
}
