/** A defect in one line of the minimal vendor's SQL handling, and the expected findings of the suite. */
export interface PlantedDefect {
  defect: string
  /** Replaces `FOR ${statement}` in the vendor's select.mjs. */
  patch: string
  /** The checks that find it. */
  checks: string[]
  /** The reduced statement: one clause and nothing else. */
  smallest: RegExp
}

const replacing = (pattern: string, replacement: string): string =>
  `FOR \${statement.replace(${pattern}, ${replacement})}`

export const plantedDefects: PlantedDefect[] = [
  {
    defect: 'newer than is read as newer or equal, on timestamps only',
    patch: replacing('/(timestamp|_at) > /g', `'$1 >= '`),
    checks: ['seeded.fuzz:delta-by-newest fail'],
    smallest: /`SELECT \w+ FROM \w+ WHERE last_updated_at > \(SELECT MAX\(last_updated_at\) FROM \w+\)`/,
  },
  {
    defect: 'a left join drops the rows without a partner',
    patch: replacing('/LEFT JOIN/', `'JOIN'`),
    checks: ['seeded.fuzz:join fail'],
    smallest: /`SELECT [lr]\.\w+ FROM \w+ l LEFT JOIN \w+ r ON [lr]\.\w+ = [lr]\.\w+`/,
  },
  {
    defect: 'a large limit is one too low',
    patch: replacing('/LIMIT (\\d{3,})/', '(_, n) => `LIMIT ${n - 1}`'),
    checks: ['seeded.fuzz:limit fail'],
    smallest: /`SELECT \w+ FROM \w+ LIMIT 100`/,
  },
]
