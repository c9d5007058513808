/** A fault of one line in how the minimal vendor reads SQL, and what the suite has to make of it. */
export interface PlantedBug {
  fault: string
  /** What takes the place of `FOR ${statement}` in the vendor's select.mjs. */
  patch: string
  /** The checks that find it, `fail` where a documented statement does; the one with the smallest statement first. */
  checks: string[]
  /** The smallest statement: one clause, and nothing else. */
  smallest: RegExp
}

const replacing = (pattern: string, replacement: string): string =>
  `FOR \${statement.replace(${pattern}, ${replacement})}`

export const plantedBugs: PlantedBug[] = [
  {
    fault: 'newer than is read as newer or equal, on timestamps only',
    patch: replacing('/(timestamp|_at) > /g', `'$1 >= '`),
    checks: ['seeded.fuzz:delta-by-newest fail', 'seeded.fuzz:undocumented observed'],
    smallest: /`SELECT \w+ FROM \w+ WHERE last_updated_at > \(SELECT MAX\(last_updated_at\) FROM \w+\)`/,
  },
  {
    fault: 'a left join drops the rows without a partner',
    patch: replacing('/LEFT JOIN/', `'JOIN'`),
    checks: ['seeded.fuzz:join fail'],
    smallest: /`SELECT l\.\w+ FROM \w+ l LEFT JOIN \w+ r ON l\.\w+ = r\.\w+`/,
  },
  {
    fault: 'null is compared as a value',
    patch: replacing('/IS NULL/g', `'= NULL'`),
    checks: ['seeded.fuzz:undocumented observed'],
    smallest: /`SELECT \w+ FROM \w+ WHERE \w+ IS NULL`/,
  },
  {
    fault: 'a large limit is one too low',
    patch: replacing('/LIMIT (\\d{3,})/', '(_, n) => `LIMIT ${n - 1}`'),
    checks: ['seeded.fuzz:limit fail'],
    smallest: /`SELECT \w+ FROM \w+ LIMIT 100`/,
  },
  {
    fault: 'the first OR is read as AND',
    patch: replacing('/ OR /', `' AND '`),
    checks: ['seeded.fuzz:undocumented observed'],
    smallest: /`SELECT \w+ FROM \w+ WHERE [^`]* OR [^`]*`/,
  },
  {
    fault: 'texts are equal in any case',
    patch: replacing(`/(\\b\\w*(?:name|unit|state|status)) = ('[^']*')/g`, `'lower($1) = lower($2)'`),
    checks: ['seeded.fuzz:undocumented observed'],
    smallest: /`SELECT \w+ FROM \w+ WHERE \w+ = '[^']*'`/,
  },
]
