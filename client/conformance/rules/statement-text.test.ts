import { expect, test } from 'vitest'
import { countStatements, plainStatement } from './statement-text.ts'

test.each([
  ['SELECT 1; SELECT 2', 2],
  ['SELECT 1 /* ; */;', 1],
  ['SELECT 1 /* ; SELECT 2', 1],
  ['SELECT $$;$$, $a$;$b$;$a$', 1],
  ['SELECT $a$;', 1],
  ['SELECT a$b$c; SELECT 2', 2],
  ['SELECT $1; SELECT $2', 2],
] as const)('counts the statements of %s', (text, count) => {
  expect(countStatements(text)).toBe(count)
})

test('compares statements without comments, spaces and semicolons', () => {
  expect(plainStatement("  SELECT  ' a '/* b */ ,1 ; ;-- c")).toBe("SELECT ' a ' ,1")
  expect(plainStatement('SELECT 1;; /* open')).toBe('SELECT 1')
})
