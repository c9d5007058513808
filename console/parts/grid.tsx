import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { isNumber } from '../service/wire-number.ts'
import { textOf } from './format.ts'

interface GridProps {
  label: string
  columns: readonly string[]
  rows: readonly (readonly unknown[])[]
}

const rowHeight = 28
/** Rows beyond the visible ones on each side. */
const margin = 12
/** Browsers draw no box that is much higher, in pixels. */
const highest = 15_000_000

/** A table that draws only the rows in view. Beyond half a million rows, it scrolls several rows at a time. */
export function Grid({ label, columns, rows }: GridProps) {
  const frame = useRef<HTMLDivElement>(null)
  const [top, setTop] = useState(0)
  const [room, setRoom] = useState(600)
  const widths = useMemo(() => widthsOf(columns, rows), [columns, rows])
  const isNumeric = useMemo(
    () => columns.map((_, index) => rows.slice(0, 50).some((row) => isNumber(row[index]))),
    [columns, rows],
  )
  useLayoutEffect(() => {
    const element = frame.current!
    element.scrollTop = 0
    setTop(0)
    const observer = new ResizeObserver(() => setRoom(element.clientHeight))
    observer.observe(element)
    return () => observer.disconnect()
  }, [rows])

  const height = Math.min(rows.length * rowHeight, highest)
  const share = height <= room ? 0 : top / (height - room)
  const shown = Math.ceil(room / rowHeight)
  const firstVisible = Math.round(share * Math.max(0, rows.length - shown))
  const first = rows.length * rowHeight <= highest ? Math.floor(top / rowHeight) : firstVisible
  const from = Math.max(0, first - margin)
  const to = Math.min(rows.length, first + shown + margin)
  const before =
    rows.length * rowHeight <= highest ? from * rowHeight : Math.max(0, top - (first - from) * rowHeight)
  const after = Math.max(0, height - before - (to - from) * rowHeight)

  return (
    <div
      class="grid"
      ref={frame}
      tabIndex={0}
      role="region"
      aria-label={label}
      onScroll={(event) => setTop(event.currentTarget.scrollTop)}
    >
      <table
        aria-rowcount={rows.length + 1}
        style={{ width: `${widths.reduce((sum, width) => sum + width, 56)}px` }}
      >
        <colgroup>
          <col style={{ width: '56px' }} />
          {widths.map((width, index) => (
            <col key={index} style={{ width: `${width}px` }} />
          ))}
        </colgroup>
        <thead>
          <tr>
            <th scope="col" class="number">
              <span class="hidden-label">Row</span>
            </th>
            {columns.map((name, index) => (
              <th key={name + index} scope="col" class={isNumeric[index] ? 'number' : ''}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {before > 0 && <tr aria-hidden="true" style={{ height: `${before}px` }} />}
          {rows.slice(from, to).map((row, index) => (
            <tr key={from + index} aria-rowindex={from + index + 2}>
              <th scope="row" class="number">
                {from + index + 1}
              </th>
              {columns.map((_, column) => (
                <Cell key={column} value={row[column]} isNumeric={isNumeric[column]!} />
              ))}
            </tr>
          ))}
          {after > 0 && <tr aria-hidden="true" style={{ height: `${after}px` }} />}
        </tbody>
      </table>
    </div>
  )
}

function Cell({ value, isNumeric }: { value: unknown; isNumeric: boolean }) {
  if (value === null || value === undefined) return <td class={isNumeric ? 'number muted' : 'muted'}>null</td>
  const text = textOf(value)
  return (
    <td class={isNumeric ? 'number' : ''} title={text.length > 24 ? text.slice(0, 2000) : undefined}>
      {text.slice(0, 300)}
    </td>
  )
}

/** Widths in pixels, from the first rows. */
const widthsOf = (columns: readonly string[], rows: GridProps['rows']): number[] =>
  columns.map((name, index) => {
    const longest = Math.max(name.length, ...rows.slice(0, 40).map((row) => textOf(row[index]).length))
    return Math.min(320, Math.max(72, longest * 7.6 + 22))
  })
