import { NodeBuilderFlags, type Signature, type Symbol, type Type } from 'typescript/unstable/sync'
import { type Node, SyntaxKind } from 'typescript/unstable/ast'
import type { Compiler } from './compiler.ts'

const printing = NodeBuilderFlags.NoTruncation | NodeBuilderFlags.UseSingleQuotesForStringLiteralType

/** The name of a type that no entry exports, in texts and in the paths of its members. */
export const unnamed = '…'

/** The texts of types, in which only exported types have a name. */
export class TypeTexts {
  readonly #compiler: Compiler
  readonly #exported: ReadonlySet<string>
  /** A place that imports nothing: seen from there, the name of a type says in which file it is. */
  readonly #anywhere: Node

  /** @param exported the names that users know */
  constructor(compiler: Compiler, exported: ReadonlySet<string>) {
    this.#compiler = compiler
    this.#exported = exported
    const { program } = compiler
    const library = program.getSourceFileNames().find((name) => name.endsWith('lib.es5.d.ts'))!
    this.#anywhere = program.getSourceFile(library)!
  }

  ofType(type: Type, flags = NodeBuilderFlags.None): string {
    return this.#named(this.#compiler.checker.typeToString(type, this.#anywhere, printing | flags))
  }

  ofSignature(signature: Signature): string {
    const { checker, emitter } = this.#compiler
    const kind = SyntaxKind.FunctionType
    const node = checker.signatureToSignatureDeclaration(signature, kind, this.#anywhere, printing)!
    return this.#named(emitter.printNode(node))
  }

  ofTypeParameters(symbol: Symbol): string {
    const { emitter } = this.#compiler
    const declaration = symbol.declarations[0]?.resolve() as
      | (Node & { readonly typeParameters?: readonly Node[] })
      | undefined
    const texts = (declaration?.typeParameters ?? []).map((node) => emitter.printNode(node))
    return texts.length === 0 ? '' : `<${texts.join(', ')}>`
  }

  /** Without the files of names, long texts and long lists of literals, which are members of a type that has its own lines. */
  #named(text: string): string {
    return text
      .replaceAll(/(?:typeof )?import\('([^']+)'[^)]*\)\.(\w+)/g, (_, module: string, name: string) =>
        this.#exported.has(name) || !module.startsWith('.') ? name : unnamed,
      )
      .replaceAll(/'[^']{101,}'/g, 'string')
      .replaceAll(/'[^']+'(?: \| '[^']+'){9,}/g, 'one of many')
  }
}
