import { expect, test } from 'vitest'
import { load } from './load.ts'
import { generateOpenPoints } from './open-points.ts'

test('the type of a setting tells its question, its default and what each variant means, the default first', () => {
  const sources = load(process.cwd())
  const openPoints = sources.openPoints.filter(({ id }) => id === 'rows.nulls')
  const { text } = generateOpenPoints({ ...sources, openPoints })[0]!
  expect(text.slice(text.indexOf('export interface Settings'))).toMatchInlineSnapshot(`
    "export interface Settings {
      /**
       * How is a column without a value written? Default: \`null\`.
       *
       * - \`null\`: As null.
       * - \`omitted\`: Not at all: the key is left out.
       * - \`empty-string\`: As an empty string.
       */
      readonly 'rows.nulls': 'null' | 'omitted' | 'empty-string'
    }
    "
  `)
})
