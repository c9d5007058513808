import { habits } from '../../client/conformance/habits/habit.ts'
import { checks } from '../../conformance/checks/index.ts'
import { openPoints } from '../../schemas/open-points.ts'
import { requirements } from '../../schemas/requirements.ts'
import { line } from './line.ts'

/** Ids that users write in flags, headers, baselines, claims and profiles. */
export const idLines = (): string[] => [
  ...checks.map(({ id }) => line(['id', 'check', id])),
  ...requirements.map(({ id, level, side }) => line(['id', 'requirement', id], `${level}, ${side}`)),
  ...habits.map(({ id }) => line(['id', 'habit', id])),
  ...openPoints.flatMap(({ id, number, formerId, variants }) => [
    line(['id', 'open point', id]),
    ...[number, formerId ?? []].flat().map((other) => line(['id', 'open point', id], `also ${other}`)),
    ...variants.map(({ slug }) => line(['id', 'open point', id], `variant ${slug}`)),
  ]),
]
