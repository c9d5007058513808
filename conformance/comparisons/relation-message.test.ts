import { describe, expect, test } from 'vitest'
import { readRelationMessage } from './relation-message.ts'

const view = 'v_no_such_view'
const read = (message: string) => readRelationMessage(message, view).as

describe('the message for an unknown view', () => {
  test('a message equal to the text of the contract is exact', () => {
    expect(read('relation "v_no_such_view" does not exist')).toBe('exact')
  })

  test('a message with the backslashes that the contract prints is exact', () => {
    expect(read('relation \\"v_no_such_view\\" does not exist')).toBe('exact')
  })

  test.each([
    ['the database', 'ERROR: relation "v_no_such_view" does not exist'],
    ['a driver class', '(psycopg2.errors.UndefinedTable) relation "v_no_such_view" does not exist'],
    [
      'a driver and the database',
      'org.postgresql.util.PSQLException: ERROR: relation "v_no_such_view" does not exist',
    ],
    [
      'a line of the statement',
      'relation "v_no_such_view" does not exist\nLINE 1: SELECT id FROM v_no_such_view\n       ^',
    ],
    [
      'the same on one line',
      'relation "v_no_such_view" does not exist LINE 1: SELECT id FROM v_no_such_view',
    ],
    ['a position', 'relation "v_no_such_view" does not exist\n  Position: 16'],
    ['a character', 'relation "v_no_such_view" does not exist at character 16'],
    ['a state', 'ERROR: relation "v_no_such_view" does not exist (SQLSTATE 42P01)'],
    [
      'a link',
      'relation "v_no_such_view" does not exist (Background on this error at: https://example.org/)',
    ],
    ['a schema', 'relation "public.v_no_such_view" does not exist'],
    ['a quoted schema', 'relation "public"."v_no_such_view" does not exist'],
    ['another letter case', 'relation "V_NO_SUCH_VIEW" does not exist'],
    ['backslashes and a prefix', 'ERROR: relation \\"v_no_such_view\\" does not exist'],
    ['a full stop', 'relation "v_no_such_view" does not exist.'],
  ])('a message with %s around the text of the contract is a variant', (_, message) => {
    expect(readRelationMessage(message, view)).toMatchObject({
      as: 'variant',
      note: expect.stringMatching(/^The message has ./),
    })
  })

  test.each([
    ['single quotes', "relation 'v_no_such_view' does not exist"],
    ['no quotes', 'relation v_no_such_view does not exist'],
    ['mixed quotes', 'relation \\"v_no_such_view" does not exist'],
    ['no name', 'relation does not exist'],
    ['an empty name', 'relation "" does not exist'],
    ['the placeholder', 'relation "<view_name>" does not exist'],
    ['another name', 'relation "v_bioprocesses" does not exist'],
    ['more than the name', 'relation "v_no_such_view_2" does not exist'],
    ['another noun', 'table "v_no_such_view" does not exist'],
    ['another verb', 'relation "v_no_such_view" was not found'],
    ['text before the sentence', 'There is a problem, relation "v_no_such_view" does not exist'],
    ['text after the sentence', 'relation "v_no_such_view" does not exist in this tenant'],
    ['a generic message', 'Error executing statement'],
    ['an empty message', ''],
  ])('a message about an unknown view with %s is wrong', (_, message) => {
    expect(read(message)).toBe('wrong')
  })
})

test.each([
  ['has no quotes around the name', 'relation v_no_such_view does not exist'],
  ['has other quotes around the name', 'relation `v_no_such_view` does not exist'],
  ['has other words', 'no such table: v_no_such_view'],
  ['does not name the view', 'relation does not exist'],
])('the message %s: %s', (problem, message) => {
  expect(readRelationMessage(message, view)).toEqual({ as: 'wrong', problem })
})
