import { requirement } from '../../schemas/index.ts'

/** Where the contract states a requirement, as a reader finds it: section and lines. */
export function clauseText(requirementId: string): string {
  const { section, lines } = requirement(requirementId).clause
  return `${section} (${/[,-]/.test(lines) ? 'lines' : 'line'} ${lines})`
}
