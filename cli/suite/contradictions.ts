import type { ConformanceReport } from '../../schemas/index.ts'

/** Why a report says nothing about a service, or contradicts itself. The suite writes no such report of a service. */
export function contradictionsOf({ target, verdict, checks }: ConformanceReport): string[] {
  const failed = checks.find(({ outcome }) => outcome === 'fail' || outcome === 'error')
  const isConformant = verdict.startsWith('conformant')
  return [
    ...(target.isReference ? ['the report judges the reference server of --self, not a service'] : []),
    ...(isConformant && failed ? [`the report is ${verdict}, but ${failed.id} fails`] : []),
    ...(isConformant && !checks.some(({ outcome }) => outcome === 'pass')
      ? [`the report is ${verdict}, but no check passes`]
      : []),
  ]
}
