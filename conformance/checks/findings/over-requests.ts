import { compared, type Finding } from '../check.ts'

/**
 * Combines the findings of several requests. Fails if one of them fails: with the finding of the first, the names of all
 * that fail, and the exchanges of those with the same expectation. Else a pass with the number of passes and the names of the others; without any pass, the first finding.
 *
 * @param findings each with the name of its request
 * @param sentence what all replies have
 */
export function overRequests(
  findings: readonly (readonly [name: string, finding: Finding])[],
  sentence: string,
): Finding {
  const failed = findings.filter(([, { outcome }]) => outcome === 'fail')
  const [first] = failed
  if (first) {
    const messages = [...new Set(failed.map(([, { message }]) => message))]
    const named = messages.map((message) => `${message}: ${namesOf(failed, message)}`)
    // `expected` and `actual` name what these requests sent
    const alike = failed.filter(([, { expected }]) => expected === first[1].expected)
    const exchanges = alike.flatMap(([, finding]) => finding.exchanges ?? []).toReversed()
    return { ...first[1], message: named.join('; '), exchanges }
  }
  const passed = findings.filter(([, { outcome }]) => outcome === 'pass')
  if (passed.length === 0) return findings[0]![1]
  const others = findings.filter((finding) => !passed.includes(finding)).map(([name]) => name)
  const rest = others.length > 0 ? `; not exercised: ${others.join(', ')}` : ''
  const notes = [...new Set(passed.flatMap(([, finding]) => finding.notes ?? []))]
  return compared(passed.length, 'reply', sentence + rest, notes.length > 0 ? { notes } : {})
}

const namesOf = (findings: readonly (readonly [string, Finding])[], message: string): string =>
  findings
    .filter(([, finding]) => finding.message === message)
    .map(([name]) => name)
    .join(', ')
