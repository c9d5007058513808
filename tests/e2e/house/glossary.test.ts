import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../support/cli.ts'
import { sources } from '../support/sources.ts'

const glossary = readFileSync(join(root, 'GLOSSARY.md'), 'utf8')
const [terms, retired] = glossary.split('## Retired words') as [string, string]
const rows = (text: string) =>
  [...text.matchAll(/^\| (?!Term|Retired|-)([^|]+) \|/gm)].map(([, cell]) => cell!.trim())

const retiredWords = new Set(rows(retired).flatMap((cell) => cell.split(', ')))

/** Files where a retired word stands for a public name, or is a term of its own. */
const allowed: Readonly<Record<string, RegExp>> = {
  // The member of reports, of `/_mock/variants` and of the deprecated register.
  knob: /^(schemas\/|mock\/app\/|console\/service\/control\.ts|conformance\/|docs\/|tests\/e2e\/)/,
  // The former member of `/_mock/faults`.
  struck: /^(mock\/app\/faults\/|tests\/(e2e|proof)\/.*injected-faults)/,
  // Former names of exported types.
  strikes: /^mock\/(index|app\/faults\/fault)\.ts$/,
  oracle:
    /^(conformance\/index|conformance\/run\/options|tests\/e2e\/vendor\/seeded-reference\.full\.test)\.ts$/,
  // Parallel parts of a hash.
  lane: /^fixtures\/random\/hash\.ts$/,
  lanes: /^fixtures\/random\/hash\.ts$/,
}

/** Splits a text, and the camelCase names in it, into lower-case words. "can not" counts as one word. */
const wordsOf = (text: string): string[] =>
  text
    .replaceAll(/\bcan not\b/gi, ' can-not ')
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .match(/[a-z]+(-not)?/g) ?? []

const files = sources().filter(
  (path) =>
    /\.([cm]?[jt]sx?|md|json|ya?ml|html|css|sql|sh)$/.test(path) &&
    !/package-lock|^GLOSSARY|^CHANGELOG|generated\/|glossary\.test/.test(path),
)

test('the glossary has at most 30 terms', () => {
  expect(rows(terms).length).toBeGreaterThan(20)
  expect(rows(terms).length).toBeLessThanOrEqual(30)
})

test('no file uses a retired word', () => {
  const found = files.flatMap((path) => {
    const lines = readFileSync(join(root, path), 'utf8').split('\n')
    return [path, ...lines].flatMap((line, index) =>
      wordsOf(line)
        .map((word) => word.replace('-', ' '))
        .filter((word) => retiredWords.has(word) && !allowed[word]?.test(path))
        .map((word) => `${path}:${index} says "${word}"`),
    )
  })
  expect(found).toEqual([])
})
