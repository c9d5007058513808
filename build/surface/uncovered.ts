import { pathOf } from './line.ts'

/** A text in backticks of a bullet, and the heading above it. */
interface Named {
  readonly heading: 'Removed' | 'Changed'
  readonly key: string
}

/** Leaves out what differs between the ways to write a name: `MockOptions.token` and `MockOptions > token` are equal. */
const keyOf = (text: string): string =>
  text
    .replace(/^bioprocess-sql(?:-contract)?(?=[/ ]|$)/, '')
    .replaceAll(/[\s>.:"'…]+/g, ' ')
    .replaceAll(/(?<=^| )\//g, '')
    .trim()

/** The texts in backticks below "Removed" and "Changed" of the Unreleased part of a changelog. */
function namedIn(changelog: string): Named[] {
  const unreleased = /^## Unreleased\n(.*?)(?=^## |$(?![\s\S]))/ms.exec(changelog)?.[1] ?? ''
  return unreleased.split(/^### /m).flatMap((section) => {
    const heading = /^\w+/.exec(section)?.[0]
    if (heading !== 'Removed' && heading !== 'Changed') return []
    return [...section.matchAll(/`([^`]+)`/g)].map(([, text]) => ({ heading, key: keyOf(text!) }))
  })
}

/** Kinds of things below which the next segment already is a thing that users name; elsewhere it is a place of things. */
const ofOneSegment = new Set(['env', 'route', 'metric', 'parameter', 'image'])

/** Whether a path is a thing, such as a flag, an export or a field, and not a place of things, such as a command or an entry. */
function isThing(path: readonly string[]): boolean {
  const [kind] = path as [string]
  if (kind === 'cli') return path.some((segment) => /^[-<]/.test(segment))
  return path.length > (ofOneSegment.has(kind) ? 1 : 2)
}

const kebab = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

/** The ways in which users name a path, with or without its kind, and an export or a header also without its place. */
function keysOf(path: readonly string[]): string[] {
  const [kind, place, ...rest] = path as [string, string, ...string[]]
  const names = [path, path.slice(1)]
  if (rest.length > 0 && ['export', 'header', 'id'].includes(kind)) names.push(rest)
  // the key of a file goes with its flag
  if (rest.length > 0 && kind === 'config') names.push([place, `--${kebab(rest[0]!)}`, ...rest.slice(1)])
  return names.map((segments) => keyOf(segments.join(' ')))
}

/**
 * The released lines that are gone, and that no bullet of the changelog names.
 *
 * A bullet names a thing that is gone as a whole under "Removed"; the name covers every line below it. It names a thing that
 * is still there, of which a line is gone, under "Changed" or "Removed". A whole line in backticks always counts.
 */
export function uncovered(released: string, current: string, changelog: string): string[] {
  const lines = new Set(linesOf(current))
  const present = new Set(
    [...lines].flatMap((text) => ancestorsOf(pathOf(text)).map((path) => path.join(' > '))),
  )
  const named = namedIn(changelog)
  const isNamed = (keys: readonly string[], removed: boolean) =>
    named.some(({ heading, key }) => keys.includes(key) && (!removed || heading === 'Removed'))
  return linesOf(released).filter((text) => {
    if (lines.has(text)) return false
    const path = pathOf(text)
    const isGone = !present.has(path)
    if (isNamed([keyOf(text), keyOf(text.slice(text.indexOf('>')))], isGone)) return false
    const flag = /^env > .*: sets (--\S+) of (.+)$/.exec(text)
    if (flag && isNamed([keyOf(`${flag[2]} ${flag[1]}`)], true)) return false
    return !ancestorsOf(path)
      .filter((one) => one.length > 1)
      .some((one) =>
        isGone
          ? !present.has(one.join(' > ')) && isNamed(keysOf(one), true)
          : isThing(one) && isNamed(keysOf(one), false),
      )
  })
}

const linesOf = (text: string): string[] => text.split('\n').filter((one) => one !== '')

/** A path and the paths above it, as segments. */
const ancestorsOf = (path: string): string[][] => {
  const segments = path.split(' > ')
  return segments.map((_, index) => segments.slice(0, index + 1))
}
