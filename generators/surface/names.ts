import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * The names that users write, each behind its kind: `msw createMock`, `type MockOptions.token`, `cli serve --sql`, `check sql.limit`.
 *
 * @param folder that of the generated texts
 */
export function names(folder: string): string[] {
  const [declarations, help, ids] = ['declarations.txt', 'help.txt', 'ids.txt'].map((name) =>
    readFileSync(join(folder, name), 'utf8'),
  ) as [string, string, string]
  return [...new Set([...declared(declarations), ...commandLine(help), ...ids.trim().split('\n')])].toSorted()
}

/** The exports of each entry, and the members and values of their types. A type that no entry exports has no name for users: it is `*`. */
export function* declared(report: string): Generator<string> {
  /** The names under which users know what the report declares. */
  const known = new Map<string, string>()
  for (const [, entry, list] of report.matchAll(/^declare namespace entry_(\w+) \{\n {4}export \{([^}]*)/gm))
    for (const [, local, name = local] of list!.matchAll(/(\w+)(?: as (\w+))?/g)) {
      known.set(local!, name!)
      yield `${entry} ${name}`
    }
  const texts = report.matchAll(/^(?:abstract )?(?:class|const|function|interface|type) (\w+)[^]*?(?=\n\n)/gm)
  // a name can be that of a value and of a type
  const bodies = new Map<string, string>()
  for (const [text, local] of texts) bodies.set(local!, `${bodies.get(local!) ?? ''}${text}\n`)
  const used = new Set([...bodies].flatMap(([local, text]) => (known.has(local) ? wordsIn(text) : [])))
  const membersOf = (local: string, above: readonly string[] = []): string[] => {
    const text = bodies.get(local)
    if (text === undefined || above.includes(local)) return []
    const [, bases = ''] = /^(?:class|interface) .*? extends (.*) \{$/m.exec(text) ?? []
    const inherited = wordsIn(bases).flatMap((base) => membersOf(base, [...above, local]))
    return [...membersIn(text), ...literalsIn(text), ...inherited]
  }
  for (const local of bodies.keys())
    if (known.has(local)) for (const path of membersOf(local)) yield `type ${known.get(local)}.${path}`
    else if (used.has(local)) for (const path of membersOf(local)) yield `type *.${path.split('.').at(-1)}`
}

const wordsIn = (text: string): string[] => text.match(/\w+/g) ?? []

/** The members in the text of a declaration: that of a member is `options.token`. */
function membersIn(text: string): string[] {
  let path: string[] = []
  return [...text.matchAll(/^( +)(?:(?:abstract|get|readonly|static) )*'?([\w$~-]+)'?\??[:(<]/gm)].map(
    ([, indent, name]) => (path = [...path.slice(0, indent!.length / 4 - 1), name!]).join('.'),
  )
}

/** The values in the text of a declaration, such as `'reset'`; lists of more than 30 are those of ids. */
function literalsIn(text: string): string[] {
  const literals = text.match(/(?<=[ (])'[^'\n.]+'(?!\??:)/g) ?? []
  return literals.length > 30 ? [] : literals
}

/** The commands with their arguments and flags, and the values that these have to choose from. */
export function* commandLine(help: string): Generator<string> {
  for (const text of help.split(/^(?=Usage: )/m)) {
    const command = /^Usage: bioprocess-sql ([a-z -]*)/.exec(text)?.[1]!.trim() ?? ''
    for (const entry of text.replaceAll(/\n {4,}/g, ' ').split('\n')) {
      const [, name] = /^ {2}(?:-\w, )?(--[\w-]+|[\w-]+(?= {2}| [[<]))/.exec(entry) ?? []
      if (name === undefined) continue
      const path = ['cli', command, name].filter(Boolean).join(' ')
      yield path
      // nobody writes the name of an argument
      const parent = name.startsWith('--') ? path : `cli ${command}`
      const choices = /\(choices: ((?:"[^"]*"[, ]*)+)/.exec(entry)?.[1] ?? ''
      for (const [, choice] of choices.matchAll(/"([^"]+)"/g)) yield `${parent} ${choice}`
    }
  }
}

/**
 * The released names that are gone, and that CHANGELOG.md does not name in backticks below "Removed" or "Changed" of the
 * Unreleased part. The name of what is gone as a whole, such as a type, is also that of what was in it.
 */
export function unexplained(
  released: readonly string[],
  current: readonly string[],
  changelog: string,
): string[] {
  const [unreleased = ''] = /^## Unreleased\n.*?(?=^## |$(?![\s\S]))/ms.exec(changelog) ?? []
  const sections = unreleased.split(/^### /m).filter((section) => /^(?:Removed|Changed)\n/.test(section))
  const texts = [...sections.join('').matchAll(/`([^`]+)`/g)].map(([, text]) => text!.replaceAll(/\s+/g, ' '))
  const explained = new Set(texts.flatMap((text) => [text, text.replace(/.*\./, '*.')]))
  const present = new Set(current.flatMap(upwards))
  return released.filter(
    (name) =>
      !present.has(name) &&
      !upwards(name).some(
        (one) => !present.has(one) && (explained.has(one) || explained.has(one.replace(/^\S+ /, ''))),
      ),
  )
}

/** A name, and those of what it is in: `type MockOptions.token` is in `type MockOptions`. */
const upwards = (name: string): string[] => [
  name,
  ...[...name.matchAll(/[ .]/g)].map(({ index }) => name.slice(0, index)),
]
