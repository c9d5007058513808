import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Symbol, SymbolFlags } from 'typescript/unstable/sync'
import type { Compiler } from './compiler.ts'
import { line } from './line.ts'
import { Declarations } from './declarations.ts'

type Target = string | Readonly<Record<string, string>>

/** What each entry of `exports` in package.json exports, with the members of each type. */
export function exportLines(compiler: Compiler): string[] {
  const { exports } = JSON.parse(readFileSync(join(compiler.root, 'package.json'), 'utf8')) as {
    exports: Readonly<Record<string, Target>>
  }
  const modules = Object.entries(exports).flatMap(([entry, target]) =>
    typeof target === 'string'
      ? []
      : // an entry for browsers has declarations of its own that nobody reads, and must have the same exports
        Object.entries(target)
          .filter(([condition]) => condition === 'types' || condition === 'browser')
          .map(([condition, file]) => ({
            entry: condition === 'types' ? entry : `${entry} (${condition})`,
            symbols: exportsOf(compiler, sourceOf(file)),
          })),
  )
  const names = new Set(modules.flatMap(({ symbols }) => symbols.map(([name]) => name)))
  const declarations = new Declarations(compiler, names)
  /** Where each symbol is described: at its first export. */
  const described = new Map<number, string>()
  return modules.flatMap(({ entry, symbols }) =>
    symbols.flatMap(([name, symbol]) => {
      const path = ['export', entry, name]
      const first = described.get(symbol.id)
      if (first !== undefined) return [line(path, `the same as ${first}`)]
      described.set(symbol.id, `${entry} > ${name}`)
      return declarations.linesOf(symbol, path)
    }),
  )
}

const sourceOf = (built: string): string => built.replace('./dist/', '').replace(/(\.d)?\.[jt]s$/, '.ts')

/** The exports of a module by name, behind every `export … from`. */
function exportsOf({ root, checker, program }: Compiler, path: string): [name: string, symbol: Symbol][] {
  const file = program.getSourceFile(join(root, path))
  const module = file && checker.getSymbolAtLocation(file)
  if (!module) throw new Error(`${path}, an entry of package.json, is no module of tsconfig.build.json.`)
  return checker
    .getExportsOfModule(module)
    .map((symbol) => [
      symbol.name,
      symbol.flags & SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol,
    ])
}
