import {
  NodeBuilderFlags,
  type Signature,
  SignatureKind,
  type Symbol,
  SymbolFlags,
  type Type,
  TypeFlags,
  type TypeReference,
} from 'typescript/unstable/sync'
import { type Node, SyntaxKind } from 'typescript/unstable/ast'
import type { Compiler } from './compiler.ts'
import { itemsOf, line } from './line.ts'

const printing = NodeBuilderFlags.NoTruncation | NodeBuilderFlags.UseSingleQuotesForStringLiteralType

/** The name of a type that no entry exports, in texts and in the paths of its members. */
const unnamed = '…'

/**
 * Describes exported symbols line by line: every member of an object type, every member of a union and every overload has
 * its own. Types that no entry exports have no name for users: `…` stands for the name, and their members follow where such a
 * type is used, but not within another one.
 */
export class Declarations {
  readonly #compiler: Compiler
  readonly #exported: ReadonlySet<string>
  /** A place that imports nothing, so that texts say from where names are. */
  readonly #anywhere: Node

  /** @param exported the names that users know */
  constructor(compiler: Compiler, exported: ReadonlySet<string>) {
    this.#compiler = compiler
    this.#exported = exported
    const { program } = compiler
    const library = program.getSourceFileNames().find((name) => name.endsWith('lib.es5.d.ts'))!
    this.#anywhere = program.getSourceFile(library)!
  }

  linesOf(symbol: Symbol, path: readonly string[]): string[] {
    const { checker } = this.#compiler
    const lines: string[] = []
    if (symbol.flags & SymbolFlags.Class) lines.push(...this.#classLines(symbol, path))
    else if (symbol.flags & SymbolFlags.Value)
      lines.push(...this.#valueLines(checker.getTypeOfSymbol(symbol)!, path, []))
    else {
      const type = checker.getDeclaredTypeOfSymbol(symbol)
      lines.push(
        line(path, `type${this.#typeParametersOf(symbol)}`),
        ...this.#shapeLines(type, path, [type.id]),
      )
    }
    return [...new Set(lines)]
  }

  #classLines(symbol: Symbol, path: readonly string[]): string[] {
    const { checker } = this.#compiler
    const [constructor, instance] = [
      checker.getTypeOfSymbol(symbol)!,
      checker.getDeclaredTypeOfSymbol(symbol),
    ]
    const bases = (instance.getBaseTypes() ?? []).map((base) => this.#print(base))
    return [
      line(path, `class${this.#typeParametersOf(symbol)}${bases.map((base) => ` extends ${base}`).join('')}`),
      ...checker
        .getSignaturesOfType(constructor, SignatureKind.Construct)
        .flatMap((signature) => this.#signatureLines(signature, path, [instance.id], 'new ')),
      ...this.#memberLines(constructor, [...path, 'static'], [instance.id]),
      ...this.#memberLines(instance, path, [instance.id]),
    ]
  }

  /** A value: its overloads and properties, or its type. */
  #valueLines(type: Type, path: readonly string[], trail: readonly number[], note = ''): string[] {
    const { checker } = this.#compiler
    const signatures = checker.getSignaturesOfType(type, SignatureKind.Call)
    if (signatures.length > 0)
      return [
        ...signatures.flatMap((signature) => this.#signatureLines(signature, path, trail, note)),
        ...this.#memberLines(type, path, trail),
      ]
    const literals = this.#literalsOf(type)
    if (literals) return literals.map((literal) => line(path, note + literal))
    if (this.#isOpen(type)) return [line(path, `${note}object`), ...this.#memberLines(type, path, trail)]
    const item = this.#openItemOf(type)
    if (item) return [line(path, `${note}array`), ...this.#memberLines(item, itemsOf(path), trail)]
    return [line(path, note + this.#print(type)), ...this.#hiddenLines(type, path, trail)]
  }

  /** A named type: its members, or the members of its union, or its text. */
  #shapeLines(type: Type, path: readonly string[], trail: readonly number[]): string[] {
    const { checker } = this.#compiler
    if (type.isUnionType()) return type.getTypes().flatMap((one) => this.#alternativeLines(one, path, trail))
    const signatures = checker.getSignaturesOfType(type, SignatureKind.Call)
    if (signatures.length > 0)
      return signatures.flatMap((signature) => this.#signatureLines(signature, path, trail))
    const isObject = type.isObjectType() || type.isIntersectionType()
    if (isObject && !checker.isArrayLikeType(type)) return this.#memberLines(type, path, trail)
    const item = this.#openItemOf(type)
    if (item) return this.#memberLines(item, itemsOf(path), trail)
    const text = this.#print(type, NodeBuilderFlags.InTypeAlias)
    return [line(path, `= ${text}`), ...this.#hiddenLines(type, path, trail)]
  }

  /** A member of a union. An object without a name is known by the member that tells it from the others, such as `type`. */
  #alternativeLines(type: Type, path: readonly string[], trail: readonly number[]): string[] {
    const { checker } = this.#compiler
    const isObject = type.isObjectType() && !checker.isArrayLikeType(type)
    const [literal] = isObject
      ? checker.getPropertiesOfType(type).flatMap((member) => {
          const given = checker.getTypeOfSymbol(member)
          return given?.isStringLiteralType() ? [`${member.name} ${this.#print(given)}`] : []
        })
      : []
    return literal === undefined || !this.#print(type).startsWith('{')
      ? [line(path, `| ${this.#print(type)}`), ...this.#hiddenLines(type, path, trail)]
      : this.#memberLines(type, [...path, literal], trail)
  }

  #memberLines(type: Type, path: readonly string[], trail: readonly number[]): string[] {
    const { checker } = this.#compiler
    const members = checker
      .getPropertiesOfType(type)
      .filter((member) => !this.#isPrivate(member) && !this.#isForeign(member))
    return [
      ...checker
        .getIndexInfosOfType(type)
        .map(({ keyType, valueType }) =>
          line([...path, `[${this.#print(keyType)}]`], this.#print(valueType)),
        ),
      ...members.flatMap((member) => {
        const note = `${this.#isReadonly(member) ? 'readonly ' : ''}${member.flags & SymbolFlags.Optional ? 'optional ' : ''}`
        const given = checker.getTypeOfSymbol(member)!
        const isOptional = note.includes('optional')
        return this.#valueLines(
          isOptional ? this.#withoutUndefined(given) : given,
          [...path, member.name],
          trail,
          note,
        )
      }),
    ]
  }

  #signatureLines(
    signature: Signature,
    path: readonly string[],
    trail: readonly number[],
    note = '',
  ): string[] {
    const { checker, emitter } = this.#compiler
    const node = checker.signatureToSignatureDeclaration(
      signature,
      SyntaxKind.FunctionType,
      this.#anywhere,
      printing,
    )!
    const types = [
      ...signature.getParameters().map((parameter) => checker.getTypeOfSymbol(parameter)),
      checker.getReturnTypeOfSignature(signature),
    ]
    return [
      line(path, note + this.#named(emitter.printNode(node))),
      ...types.flatMap((type) => (type ? this.#hiddenLines(type, path, trail) : [])),
    ]
  }

  /** The members of the types without an exported name that the text of a type names. */
  #hiddenLines(type: Type, path: readonly string[], trail: readonly number[]): string[] {
    const { checker } = this.#compiler
    if (trail.includes(type.id) || path.includes(unnamed)) return []
    const alias = type.getAliasSymbol()
    const inner = [...trail, type.id]
    const within = (types: readonly Type[]) => types.flatMap((one) => this.#hiddenLines(one, path, inner))
    if (alias && this.#exported.has(alias.name)) return within(type.getAliasTypeArguments())
    if (type.isUnionType() || type.isIntersectionType()) return within(type.getTypes())
    if (!type.isObjectType()) return []
    const symbol = type.getSymbol()
    if (symbol && this.#exported.has(symbol.name)) return []
    const known = symbol && this.#isForeign(symbol)
    if (known || checker.isArrayLikeType(type))
      return within(type.isTypeReference() ? checker.getTypeArguments(type as TypeReference) : [])
    const signatures = checker.getSignaturesOfType(type, SignatureKind.Call)
    if (this.#isAnonymous(type))
      return [
        ...signatures.flatMap((signature) =>
          within(
            [
              ...signature.getParameters().map((parameter) => checker.getTypeOfSymbol(parameter)!),
              checker.getReturnTypeOfSignature(signature)!,
            ].filter(Boolean),
          ),
        ),
        ...within(checker.getPropertiesOfType(type).map((member) => checker.getTypeOfSymbol(member)!)),
      ]
    return this.#memberLines(type, [...path, unnamed], inner)
  }

  #print(type: Type, flags = NodeBuilderFlags.None): string {
    return this.#named(this.#compiler.checker.typeToString(type, this.#anywhere, printing | flags))
  }

  /** A text of types with the names that users know, and without long texts and long lists of literals. */
  #named(text: string): string {
    return text
      .replaceAll(/(?:typeof )?import\('([^']+)'[^)]*\)\.(\w+)/g, (_, module: string, name: string) =>
        this.#exported.has(name) || !module.startsWith('.') ? name : unnamed,
      )
      .replaceAll(/'[^']{101,}'/g, 'string')
      .replaceAll(/'[^']+'(?: \| '[^']+'){9,}/g, 'one of many')
  }

  /** The facts of a type that consists of literals: a member that is added then adds a line. */
  #literalsOf(type: Type): string[] | undefined {
    const { checker } = this.#compiler
    const isPlain = ({ flags }: Type) =>
      (flags & (TypeFlags.StringLiteral | TypeFlags.NumberLiteral | TypeFlags.Null)) !== 0
    if (type.getAliasSymbol() && this.#exported.has(type.getAliasSymbol()!.name)) return undefined
    const members = type.isUnionType()
      ? type.getTypes()
      : type.isTupleType() || checker.isTupleType(type)
        ? checker.getTypeArguments(type as TypeReference)
        : []
    if (members.length < 2 || !members.every(isPlain)) return undefined
    return members.map((member) => this.#print(member))
  }

  #withoutUndefined(type: Type): Type {
    const { checker } = this.#compiler
    if (!type.isUnionType()) return type
    const rest = type.getTypes().filter(({ flags }) => !(flags & TypeFlags.Undefined))
    return rest.some(({ flags }) => flags & TypeFlags.Null)
      ? type
      : (checker.getNonNullableType(type) ?? type)
  }

  #typeParametersOf(symbol: Symbol): string {
    const { emitter } = this.#compiler
    const declaration = symbol.declarations[0]?.resolve() as
      | (Node & { readonly typeParameters?: readonly Node[] })
      | undefined
    const texts = (declaration?.typeParameters ?? []).map((node) => emitter.printNode(node))
    return texts.length === 0 ? '' : `<${texts.join(', ')}>`
  }

  /** Whether the members of a type are to be told in place of its name. */
  #isOpen(type: Type): boolean {
    const isObject = type.isObjectType() && !this.#compiler.checker.isArrayLikeType(type)
    return isObject && this.#isAnonymous(type)
  }

  /** The items of an array, if their members are to be told. */
  #openItemOf(type: Type): Type | undefined {
    const { checker } = this.#compiler
    const [item] = checker.isArrayType(type) ? checker.getTypeArguments(type as TypeReference) : []
    return item && this.#isOpen(item) ? item : undefined
  }

  #isAnonymous(type: Type): boolean {
    const alias = type.getAliasSymbol()
    const name = type.getSymbol()?.name
    return alias === undefined && (name === undefined || name.startsWith('__'))
  }

  #isPrivate({ name, flags }: Symbol): boolean {
    return name.includes('#') || name.startsWith('__@') || (flags & SymbolFlags.Prototype) !== 0
  }

  /** Whether a symbol is declared in a package or a library of TypeScript. */
  #isForeign({ declarations }: Symbol): boolean {
    return (
      declarations.length > 0 &&
      declarations.every(({ path }) => /node_modules|\blib\.[\w.]+\.d\.ts$/.test(path))
    )
  }

  #isReadonly({ checkFlags, declarations }: Symbol): boolean {
    const readonlyMapped = 8
    if (checkFlags & readonlyMapped) return true
    return declarations.some((declaration) => {
      const node = declaration.resolve() as (Node & { readonly modifiers?: readonly Node[] }) | undefined
      return node?.modifiers?.some(({ kind }) => kind === SyntaxKind.ReadonlyKeyword) ?? false
    })
  }
}
