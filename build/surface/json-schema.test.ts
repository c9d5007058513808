import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { schemaLines } from './json-schema.ts'

const folder = mkdtempSync(join(tmpdir(), 'schema-'))
afterAll(() => rmSync(folder, { recursive: true }))

const write = (name: string, schema: object) => writeFileSync(join(folder, name), JSON.stringify(schema))

test('every member has lines for its type, its values, and whether it is required, behind references too', () => {
  write('other.json', { $defs: { verdict: { enum: ['yes', 'no'] } } })
  write('a.json', {
    type: 'object',
    required: ['checks'],
    additionalProperties: false,
    properties: {
      checks: { type: 'array', items: { $ref: '#/$defs/check' } },
      verdict: { description: 'A text.', $ref: 'other.json#/$defs/verdict' },
      notes: { type: 'object', additionalProperties: { type: 'string' } },
    },
    $defs: { check: { type: 'object', properties: { next: { $ref: '#/$defs/check' } } } },
  })
  expect(schemaLines(join(folder, 'a.json'), ['document', 'a']).toSorted()).toEqual([
    'document > a > checks: required',
    'document > a > checks: type "array"',
    'document > a > checks[] > next: optional',
    'document > a > checks[]: type "object"',
    'document > a > notes > *: type "string"',
    'document > a > notes: optional',
    'document > a > notes: type "object"',
    'document > a > verdict: "no"',
    'document > a > verdict: "yes"',
    'document > a > verdict: optional',
    'document > a: no other members',
    'document > a: type "object"',
  ])
})
