import { expect, test } from 'vitest'
import { exportLines } from './exports.ts'
import { linesOf } from './small-package.test-helper.ts'

/** The lines of a package with one entry, without what all of them begin with. */
async function exportsOf(text: string, other = ''): Promise<string[]> {
  const manifest = { type: 'module', exports: { './a': { types: './dist/a.d.ts' } } }
  const files = { 'package.json': JSON.stringify(manifest), 'a.ts': text, 'b.ts': `export {}\n${other}` }
  return (await linesOf(files, exportLines)).map((line) => line.replace('export > ./a > ', ''))
}

test('every overload of a function has a line', async () => {
  const text = `
    export function f(a: string, b?: number): void
    export function f(a: number): Promise<string>
    export function f(): unknown { return undefined }`
  expect(await exportsOf(text)).toEqual([
    'f: (a: number) => Promise<string>',
    'f: (a: string, b?: number) => void',
  ])
})

test('every member of a type has a line, also those that it inherits, with the default that its comment states', async () => {
  const text = `
    interface Base { readonly seed?: number }
    export interface Options extends Base {
      /** Of requests. Default: 1.5. */
      rate?: number
      name: string | null
      deep: { inner: 'a' | 'b' }
      list: { item: boolean }[]
      run(task: string): void
    }`
  expect(await exportsOf(text)).toEqual([
    "Options > deep > inner: 'a'",
    "Options > deep > inner: 'b'",
    'Options > deep: object',
    'Options > list: array',
    'Options > list[] > item: boolean',
    'Options > name: string | null',
    'Options > rate: default 1.5',
    'Options > rate: optional number',
    'Options > run: (task: string) => void',
    'Options > seed: readonly optional number',
    'Options: type',
  ])
})

test('every member of a union has a line, and one that tells its kind has a line for each member', async () => {
  const text = `
    export type Word = 'a' | 'b'
    export type Fault = { type: 'reset'; after?: number } | { type: 'status'; status: number }`
  expect(await exportsOf(text)).toEqual([
    "Fault > type 'reset' > after: optional number",
    "Fault > type 'reset' > type: 'reset'",
    "Fault > type 'status' > status: number",
    "Fault > type 'status' > type: 'status'",
    'Fault: type',
    'Word: type',
    "Word: | 'a'",
    "Word: | 'b'",
  ])
})

test('a class has lines for its base, its constructor, and its public and static members', async () => {
  const text = `
    export class Refused extends Error {
      static readonly code = 1
      readonly #secret = 2
      constructor(readonly status: number) { super(String(this.#secret)) }
      retry<T>(task: () => T): T { return task() }
    }`
  expect(await exportsOf(text)).toEqual([
    'Refused > retry: <T>(task: () => T) => T',
    'Refused > static > code: readonly 1',
    'Refused > status: readonly number',
    'Refused: class extends Error',
    'Refused: new (status: number) => Refused',
  ])
})

test('a type that is not exported has no name, and its members follow where it is used', async () => {
  const other =
    'export interface Hidden { size: number; next?: Hidden; other: Deeper }\nexport interface Deeper { far: true }'
  const text =
    "import type { Hidden } from './b.js'\nexport const open = (hidden: Hidden): Promise<Hidden> => Promise.resolve(hidden)\nexport interface Shown { readonly by: Readonly<Partial<Record<string, Hidden>>> }"
  const lines = [
    'Shown > by > … > next: optional …',
    'Shown > by > … > other: …',
    'Shown > by > … > size: number',
    'Shown > by: readonly Readonly<Partial<Record<string, …>>>',
    'Shown: type',
    'open > … > next: optional …',
    'open > … > other: …',
    'open > … > size: number',
    'open: (hidden: …) => Promise<…>',
  ]
  for (const name of ['Hidden', 'Concealed']) {
    const [entry, file] = [text, other].map((code) => code.replaceAll('Hidden', name))
    expect([...new Set(await exportsOf(entry!, file))]).toEqual(lines)
  }
})

test('of a type that is not exported, the members that Pick leaves and the literals of a union have lines', async () => {
  const other = "export interface Hidden { a: number; b: string }\nexport type Word = 'x' | 'y'"
  const text = `
    import type { Hidden, Word } from './b.js'
    export interface Shown { of: Pick<Hidden, 'a'>; by: Record<string, Word> }`
  expect(await exportsOf(text, other)).toEqual([
    "Shown > by > …: 'x'",
    "Shown > by > …: 'y'",
    'Shown > by: Record<string, …>',
    'Shown > of > … > a: number',
    "Shown > of: Pick<…, 'a'>",
    'Shown: type',
  ])
})

test('an entry that has no file is an error', async () => {
  const manifest = { exports: { '.': { types: './dist/none.d.ts' } } }
  await expect(
    linesOf({ 'package.json': JSON.stringify(manifest), 'a.ts': '' }, exportLines),
  ).rejects.toThrow('none.ts, an entry of package.json, is no module of tsconfig.build.json.')
})
