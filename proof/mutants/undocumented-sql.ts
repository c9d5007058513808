import { onStatement, type Mutant } from '../mutant.ts'

const rewriting = (pattern: RegExp, replacement: string): Mutant['wrap'] =>
  onStatement((sql) => sql.replace(pattern, replacement))

const mutant = (name: string, defect: string, wrap: Mutant['wrap']): Mutant => ({
  id: `beyond-${name}`,
  breaks: 'REQ-SQL-11',
  defect,
  wrap,
})

/** Defects of undocumented SQL: accepted with another result than SQL defines. */
export const undocumentedSqlMutants: Mutant[] = [
  mutant('order-by', 'ORDER BY sorts in descending order.', rewriting(/(\border\s+by\s+\w+)$/i, '$1 DESC')),
  mutant('count', 'COUNT returns one more.', rewriting(/^(select\s+)count\(\*\)/i, '$1COUNT(*) + 1')),
  mutant('group-by', 'GROUP BY returns only one group.', rewriting(/(\bgroup\s+by\s+\w+)$/i, '$1 LIMIT 1')),
  mutant('split', '<= works as >.', rewriting(/<=/, '>')),
  mutant(
    'shown-condition',
    'A selected condition is negated.',
    rewriting(/^select\s+(last_updated_at\s*>\s*\S+)(?=\s+from)/i, 'SELECT NOT $1'),
  ),
  mutant('three-ways', 'IS NULL returns no row.', rewriting(/where\s+\w+\s+is\s+null$/i, 'WHERE 1 = 0')),
  mutant('filter', 'A filter by id returns all other rows.', rewriting(/(\bwhere\s+id\s*)=/i, '$1<>')),
  mutant('minimum', 'MIN in a scalar subquery works as MAX.', rewriting(/(\(\s*select\s+)min\b/i, '$1MAX')),
  mutant(
    'with',
    'A common table expression has only one row.',
    rewriting(/^(with\s+\w+\s+as\s*\([^)]*)/i, '$1 LIMIT 1'),
  ),
  mutant('union', 'UNION works as UNION ALL.', rewriting(/\bunion\b/i, 'UNION ALL')),
  mutant(
    'semicolon',
    'A statement with a semicolon at the end returns one row.',
    rewriting(/;$/, ' LIMIT 1'),
  ),
  mutant('json', '->> reads another key.', rewriting(/->>'status'/i, "->>'failure_mode'")),
  mutant(
    'inner-join',
    'INNER JOIN pairs every row with every row.',
    rewriting(/(\binner\s+join\b.*?\bon\s+)\S+\s*=\s*\S+/i, '$11 = 1'),
  ),
  mutant(
    'joined-delta',
    'A filter over a join has no effect.',
    rewriting(/(\bleft\s+join\b.*?)\bwhere\s+\w+\.last_updated_at\s*>\s*\(.*?\)(?=\s+limit|$)(?:\))?/i, '$1'),
  ),
  mutant(
    'anti-join',
    'IS NULL over a join works as IS NOT NULL.',
    rewriting(/(\bjoin\b.*\bis\s+)null/i, '$1NOT NULL'),
  ),
]
