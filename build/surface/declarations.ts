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
import type { Compiler } from './compiler.ts'
import { itemsOf, line } from './line.ts'
import { isForeign, isPrivate, isReadonly } from './symbols.ts'
import { TypeTexts, unnamed } from './type-texts.ts'

/**
 * Describes exported symbols line by line: every member of an object type, every member of a union and every overload has
 * its own. Types that no entry exports have no name for users: `…` stands for the name, and their members follow where such a
 * type is used, but not within another one.
 */
export class Declarations {
  readonly #compiler: Compiler
  readonly #exported: ReadonlySet<string>
  readonly #texts: TypeTexts

  /** @param exported the names that users know */
  constructor(compiler: Compiler, exported: ReadonlySet<string>) {
    this.#compiler = compiler
    this.#exported = exported
    this.#texts = new TypeTexts(compiler, exported)
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
        line(path, `type${this.#texts.ofTypeParameters(symbol)}`),
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
    const bases = (instance.getBaseTypes() ?? []).map((base) => this.#texts.ofType(base))
    return [
      line(
        path,
        `class${this.#texts.ofTypeParameters(symbol)}${bases.map((base) => ` extends ${base}`).join('')}`,
      ),
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
    return [line(path, note + this.#texts.ofType(type)), ...this.#hiddenLines(type, path, trail)]
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
    const text = this.#texts.ofType(type, NodeBuilderFlags.InTypeAlias)
    return [line(path, `= ${text}`), ...this.#hiddenLines(type, path, trail)]
  }

  /** A member of a union. An object without a name is known by the member that tells it from the others, such as `type`. */
  #alternativeLines(type: Type, path: readonly string[], trail: readonly number[]): string[] {
    const { checker } = this.#compiler
    const isObject = type.isObjectType() && !checker.isArrayLikeType(type)
    const [literal] = isObject
      ? checker.getPropertiesOfType(type).flatMap((member) => {
          const given = checker.getTypeOfSymbol(member)
          return given?.isStringLiteralType() ? [`${member.name} ${this.#texts.ofType(given)}`] : []
        })
      : []
    return literal === undefined || !this.#texts.ofType(type).startsWith('{')
      ? [line(path, `| ${this.#texts.ofType(type)}`), ...this.#hiddenLines(type, path, trail)]
      : this.#memberLines(type, [...path, literal], trail)
  }

  #memberLines(type: Type, path: readonly string[], trail: readonly number[]): string[] {
    const { checker } = this.#compiler
    const members = checker
      .getPropertiesOfType(type)
      .filter((member) => !isPrivate(member) && !isForeign(member))
    return [
      ...checker
        .getIndexInfosOfType(type)
        .map(({ keyType, valueType }) =>
          line([...path, `[${this.#texts.ofType(keyType)}]`], this.#texts.ofType(valueType)),
        ),
      ...members.flatMap((member) => {
        const note = `${isReadonly(member) ? 'readonly ' : ''}${member.flags & SymbolFlags.Optional ? 'optional ' : ''}`
        const given = checker.getTypeOfSymbol(member)!
        const isOptional = note.includes('optional')
        const at = [...path, member.name]
        return [
          ...this.#valueLines(isOptional ? this.#withoutUndefined(given) : given, at, trail, note),
          ...this.#defaultLines(member, at),
        ]
      }),
    ]
  }

  /** The default that the comment of a member states, if it is a value: types have none. */
  #defaultLines(member: Symbol, path: readonly string[]): string[] {
    const text = this.#compiler.checker.getDocumentationCommentOfSymbol(member)
    const stated = /\bDefault:? (true\b|false\b|`[^`]+`|\d(?:[\w :-]|\.(?=\d))*)/.exec(text)?.[1]
    return stated === undefined ? [] : [line(path, `default ${stated}`)]
  }

  #signatureLines(
    signature: Signature,
    path: readonly string[],
    trail: readonly number[],
    note = '',
  ): string[] {
    const { checker } = this.#compiler
    const types = [
      ...signature.getParameters().map((parameter) => checker.getTypeOfSymbol(parameter)),
      checker.getReturnTypeOfSignature(signature),
    ]
    return [
      line(path, note + this.#texts.ofSignature(signature)),
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
    // of a type that Pick or Omit takes from, only the members that are left are public
    if (alias && isForeign(alias) && /^(?:Pick|Omit)$/.test(alias.name))
      return this.#texts.ofType(type).includes(unnamed)
        ? this.#memberLines(type, [...path, unnamed], inner)
        : []
    if (alias && (isForeign(alias) || this.#exported.has(alias.name)))
      return within(type.getAliasTypeArguments())
    if (alias && type.isUnionType() && type.getTypes().every(isLiteral))
      return type.getTypes().map((one) => line([...path, unnamed], this.#texts.ofType(one)))
    if (type.isUnionType() || type.isIntersectionType()) return within(type.getTypes())
    if (!type.isObjectType()) return []
    const symbol = type.getSymbol()
    if (symbol && this.#exported.has(symbol.name)) return []
    const known = symbol && isForeign(symbol)
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

  /** The facts of a type that consists of literals: a member that is added then adds a line. */
  #literalsOf(type: Type): string[] | undefined {
    const { checker } = this.#compiler
    if (type.getAliasSymbol() && this.#exported.has(type.getAliasSymbol()!.name)) return undefined
    const members = type.isUnionType()
      ? type.getTypes()
      : checker.isTupleType(type)
        ? checker.getTypeArguments(type as TypeReference)
        : []
    if (members.length < 2 || !members.every(isLiteral)) return undefined
    return members.map((member) => this.#texts.ofType(member))
  }

  #withoutUndefined(type: Type): Type {
    const { checker } = this.#compiler
    if (!type.isUnionType()) return type
    const rest = type.getTypes().filter(({ flags }) => !(flags & TypeFlags.Undefined))
    return rest.some(({ flags }) => flags & TypeFlags.Null)
      ? type
      : (checker.getNonNullableType(type) ?? type)
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
}

const isLiteral = ({ flags }: Type): boolean =>
  (flags & (TypeFlags.StringLiteral | TypeFlags.NumberLiteral | TypeFlags.Null)) !== 0
