import { expect, test } from 'vitest'
import { openPoints } from './open-points.ts'
import { openPointAnchor, requirementAnchor, sentenceOf } from './reference.ts'
import { requirements } from './requirements.ts'

test('requirements and open points have unique anchors that need no escape in a URL', () => {
  const anchors = [
    ...requirements.map(({ id }) => requirementAnchor(id)),
    ...openPoints.map(({ id }) => openPointAnchor(id)),
  ]
  expect(new Set(anchors).size).toBe(requirements.length + openPoints.length)
  for (const anchor of anchors) expect(anchor).toMatch(/^[a-z0-9_]+(-[a-z0-9_]+)*$/)
  expect(anchors).toEqual(
    expect.arrayContaining(['req-sql-7', 'req-http-7-should', 'req-view-types-v_formulas', 'open-rows-case']),
  )
})

test('a requirement becomes a sentence about its side, and an observation is unchanged', () => {
  expect(sentenceOf({ level: 'must', side: 'client', text: 'MUST wait.' })).toBe('A client MUST wait.')
  expect(sentenceOf({ level: 'observe', side: 'server', text: 'It is open.' })).toBe('It is open.')
})
