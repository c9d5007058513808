import type { Node } from 'typescript/unstable/ast'
import type { Compiler } from './compiler.ts'

/** The texts that an expression can be, also through constants; none if the compiler knows only that it is a text. */
export function literalsOf({ checker }: Compiler, expression: Node): string[] {
  const type = checker.getTypeAtLocation(expression)
  const members = type?.isUnionType() ? type.getTypes() : [type]
  return members.flatMap((member) => (member?.isStringLiteralType() ? [member.value] : []))
}
