import { type Symbol, SymbolFlags } from 'typescript/unstable/sync'
import { type Node, SyntaxKind } from 'typescript/unstable/ast'

export const isPrivate = ({ name, flags }: Symbol): boolean =>
  name.includes('#') || name.startsWith('__@') || (flags & SymbolFlags.Prototype) !== 0

/** Whether a symbol is declared in a package or a library of TypeScript. */
export const isForeign = ({ declarations }: Symbol): boolean =>
  declarations.length > 0 && declarations.every(({ path }) => /node_modules|\blib\.[\w.]+\.d\.ts$/.test(path))

/** The flag of a member that a mapped type makes readonly, which has no modifier. */
const readonlyMapped = 8

export const isReadonly = ({ checkFlags, declarations }: Symbol): boolean =>
  (checkFlags & readonlyMapped) !== 0 ||
  declarations.some((declaration) => {
    const node = declaration.resolve() as (Node & { readonly modifiers?: readonly Node[] }) | undefined
    return node?.modifiers?.some(({ kind }) => kind === SyntaxKind.ReadonlyKeyword) ?? false
  })
