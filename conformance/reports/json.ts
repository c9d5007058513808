import type { ConformanceReport } from '../../schemas/index.ts'

/** The whole report as one JSON document; its schema is schemas/report.schema.json. */
export const jsonReport = (report: ConformanceReport): string => `${JSON.stringify(report, null, 2)}\n`
