import { Button } from '../parts/button.tsx'
import { useState } from 'preact/hooks'
import { count, textOf } from '../parts/format.ts'
import { isNumber, parseJson } from '../service/wire-number.ts'

type Json = Readonly<Record<string, unknown>>

const isJson = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !isNumber(value)

/** The array or object of a value, which services also send as its text (events.encoding). */
export function jsonIn(value: unknown): Json | undefined {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return isJson(value) ? value : undefined
  try {
    return parseJson(value) as Json
  } catch {
    return undefined
  }
}

/** Items that are drawn at once. */
const page = 200

/** An array or object as a list that unfolds. An item says its time, its name and its value in one line. */
export function Tree({ value }: { value: Json }) {
  const [most, setMost] = useState(page)
  const items = Object.entries(value)
  return (
    <ul class="tree">
      {items.slice(0, most).map(([name, item]) => (
        <li key={name}>
          {isJson(item) && Object.keys(item).length > 0 ? (
            <Branch name={Array.isArray(value) ? undefined : name} value={item} />
          ) : (
            <>
              {!Array.isArray(value) && <bdi class="muted">{name}</bdi>} <bdi>{textOf(item) || 'null'}</bdi>
            </>
          )}
        </li>
      ))}
      {items.length === 0 && <li class="muted">{Array.isArray(value) ? 'no items' : 'no names'}</li>}
      {items.length > most && (
        <li>
          <Button
            class="small"
            text={count(items.length - most, 'more item')}
            act={() => setMost(most + page)}
          />
        </li>
      )}
    </ul>
  )
}

function Branch({ name, value }: { name: string | undefined; value: Json }) {
  const [isOpen, setOpen] = useState(false)
  const { time, names, values } = digestOf(value)
  return (
    <details
      onToggle={({ currentTarget: item }) => {
        setOpen(item.open)
        requestAnimationFrame(() => item.open && item.scrollIntoView({ block: 'nearest' }))
      }}
    >
      <summary>
        {name !== undefined && <bdi class="muted">{name}</bdi>} <span class="mono muted">{time}</span>{' '}
        <bdi>{names}</bdi> <b>{values}</b>
      </summary>
      {isOpen && <Tree value={value} />}
    </details>
  )
}

const instant = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/
const amountOf = (value: unknown): string | undefined =>
  isNumber(value)
    ? String(value)
    : isJson(value) && isNumber(value['value'])
      ? `${textOf(value['value'])} ${textOf(value['unit'])}`
      : undefined

/** What an item is, in one line: its first time, its texts but ids and types, and its numbers with their units. */
export function digestOf(value: Json): { time: string; names: string; values: string } {
  if (Array.isArray(value)) return { time: '', names: count(value.length, 'item'), values: '' }
  if (Object.keys(value).toSorted().join() === 'unit,value')
    return { time: '', names: '', values: amountOf(value) ?? '' }
  const items = Object.entries(value)
  const texts = items.filter(
    ([name, item]) => typeof item === 'string' && !/^(id|type)$/.test(name) && !instant.test(item),
  )
  // the kind of an event stands before its lot and its reagent
  const kinds = texts.toSorted(([a], [b]) => Number(/type$|phase/.test(b)) - Number(/type$|phase/.test(a)))
  const time = items.find(([, item]) => typeof item === 'string' && instant.test(item))?.[1] as
    | string
    | undefined
  const names = kinds.map(([, text]) => String(text)).join(' · ')
  const values = items.flatMap(([, item]) => amountOf(item) ?? []).join(', ')
  const isEmpty = time === undefined && names === '' && values === ''
  return {
    time: time?.slice(0, 16).replace('T', ' ') ?? '',
    names: isEmpty ? count(items.length, 'name') : names,
    values,
  }
}
