import { createRequire } from 'node:module'
import type { CallExpression, Node } from 'typescript/unstable/ast'
import {
  isBinaryExpression,
  isCallExpression,
  isElementAccessExpression,
  isNewExpression,
  isObjectLiteralExpression,
  isPropertyAccessExpression,
  isPropertyAssignment,
  isStringLiteral,
  isVariableDeclaration,
} from 'typescript/unstable/ast/is'
import type { Compiler } from './compiler.ts'
import { line } from './line.ts'
import { literalsOf } from './literals.ts'
import { nodesIn, sourcesWith } from './sources.ts'

/** Who reads or sets the headers of a folder. */
const sides: readonly (readonly [folder: RegExp, side: string])[] = [
  [/^mock\//, 'server'],
  [/^conformance\//, 'suite'],
  [/^client\/(?!conformance\/|twin\/)/, 'client'],
  [/^proxy\//, 'proxy'],
]

const { wellknownHeaderNames } = createRequire(import.meta.url)('undici/lib/core/constants.js') as {
  wellknownHeaderNames: readonly string[]
}
const standard = new Set(wellknownHeaderNames.map((name) => name.toLowerCase()))

type Found = readonly [name: string, fact?: string]

/**
 * Headers have no declaration. This scan finds a text with a hyphen that is the name of a header, wherever it stands, and any
 * other name where headers are read or written: `headers.get('host')`, `headers['vary']`, a key of an object that is named
 * headers or passed as a parameter of that name. Facts are whether it is read or
 * set, and its value if that is a literal.
 */
export const headerLines = (compiler: Compiler): string[] =>
  sourcesWith(compiler, /header|['"][a-z]+-[a-z]/i).flatMap(({ path, file }) => {
    const [, side] = sides.find(([folder]) => folder.test(path)) ?? []
    return side === undefined
      ? []
      : [...nodesIn(file)].flatMap((node) =>
          headersAt(compiler, node).map(([name, fact]) => line(['header', side, name.toLowerCase()], fact)),
        )
  })

function headersAt(compiler: Compiler, node: Node): Found[] {
  if (isPropertyAssignment(node)) {
    const { text } = node.name as { text?: string }
    if (text === undefined || !(isHeader(text) || (isWord(text) && isInHeaders(compiler, node)))) return []
    const values = literalsOf(compiler, node.initializer)
    return [[text, 'set'], ...values.map((one): Found => [text, one])]
  }
  if (isStringLiteral(node) && isHeader(node.text)) return [[node.text]]
  if (isCallExpression(node)) return calledWith(compiler, node)
  if (!/headers$/i.test(receiverOf(node))) return []
  const fact = isBinaryExpression(node.parent) && node.parent.left === node ? 'set' : 'read'
  if (isElementAccessExpression(node))
    return literalsOf(compiler, node.argumentExpression).map((name) => [name, fact])
  return isPropertyAccessExpression(node) && standard.has(node.name.text) ? [[node.name.text, fact]] : []
}

/** `headers.get('host')`, `request.header('accept')`, `outgoing.setHeader('vary', …)`. */
function calledWith(compiler: Compiler, { expression, arguments: [name] }: CallExpression): Found[] {
  if (!name || !isPropertyAccessExpression(expression)) return []
  const method = expression.name.text
  const isAccess = /^(?:get|has|set|append|delete)$/.test(method)
  const type = isAccess && compiler.checker.getTypeAtLocation(expression.expression)
  const ofHeaders = type && /\w*Headers\b/.test(compiler.checker.typeToString(type))
  if (!ofHeaders && !/header$/i.test(method)) return []
  const fact = /^(?:get|has|header|getHeader)$/.test(method) ? 'read' : 'set'
  return literalsOf(compiler, name).map((one) => [one, fact])
}

const receiverOf = (node: Node): string =>
  isPropertyAccessExpression(node) || isElementAccessExpression(node) ? node.expression.getText() : ''

const isHeader = (text: string): boolean =>
  (text.includes('-') && standard.has(text.toLowerCase())) ||
  /^(?:x|ratelimit|last-event)-[a-z-]+$/i.test(text)

const isWord = (text: string): boolean => !text.includes('-') && standard.has(text.toLowerCase())

/** Whether a member stands in an object of headers: one that maps texts, is named headers, or is passed as such. */
function isInHeaders({ checker }: Compiler, member: Node): boolean {
  const object = member.parent
  if (!isObjectLiteralExpression(object)) return false
  const names = object.properties.flatMap((property) =>
    isPropertyAssignment(property) ? ((property.name as { text?: string }).text ?? []) : [],
  )
  const expected = checker.getContextualType(object)
  if (expected && /^(?:Readonly<)?Record<string, string>/.test(checker.typeToString(expected)))
    return names.every((name) => isHeader(name) || isWord(name))
  for (let node = member.parent; node; node = node.parent) {
    if (isVariableDeclaration(node) || isPropertyAssignment(node))
      return /headers$/i.test((node.name as { text?: string }).text ?? '')
    if ((isCallExpression(node) || isNewExpression(node)) && node.arguments) {
      const at = node.arguments.findIndex((one) => one.pos <= member.pos && member.end <= one.end)
      const parameter = checker.getResolvedSignature(node)?.getParameters()[at]
      return (
        at >= 0 && isObjectLiteralExpression(node.arguments[at]!) && /headers$/i.test(parameter?.name ?? '')
      )
    }
  }
  return false
}
