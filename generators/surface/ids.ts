import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { EXIT } from '../../cli/exit.ts'
import { configSchemas } from '../../cli/options/config-schema.ts'
import { habits } from '../../client/conformance/habits/habit.ts'
import { checks } from '../../conformance/checks/index.ts'
import { exitCodeOf } from '../../conformance/run/verdict.ts'
import { defaultPlant } from '../../fixtures/default-plant.ts'
import { createDataset } from '../../fixtures/index.ts'
import { createAdmin } from '../../mock/app/admin/admin.ts'
import { createProvider } from '../../mock/app/auth/provider.ts'
import report from '../../schemas/report.schema.json' with { type: 'json' }
import type { Verdict } from '../../schemas/index.ts'
import { openPoints } from '../../schemas/open-points.ts'
import { requirements } from '../../schemas/requirements.ts'
import { views } from '../../schemas/views.ts'

/** What users write in flags, headers, files and pipelines, and has no declaration: a kind and a name in each line. */
export function ids(root: string): string {
  const { inputs, outputs } = parse(readFileSync(join(root, 'action.yml'), 'utf8')) as Record<string, object>
  const lines = [
    ...checks.map(({ id }) => `check ${id}`),
    ...requirements.map(({ id, level, side }) => `requirement ${id} ${level} ${side}`),
    ...habits.map(({ id }) => `habit ${id}`),
    ...openPoints.flatMap(({ id, number, formerId, variants }) => [
      ...[id, number, formerId ?? []].flat().map((name) => `open-point ${name}`),
      ...variants.map(({ slug }) => `variant ${id}=${slug}`),
    ]),
    ...Object.entries(EXIT).map(([name, code]) => `exit ${name} ${code}`),
    ...(report.$defs.verdict.enum as Verdict[]).map(
      (verdict) => `exit conformance ${verdict} ${exitCodeOf(verdict, false)} ${exitCodeOf(verdict, true)}`,
    ),
    ...configSchemas().flatMap(([file, { properties }]) =>
      Object.keys(properties as object).map((key) => `config ${file} ${key}`),
    ),
    ...routes(),
    ...Object.keys(inputs!).map((name) => `action inputs ${name}`),
    ...Object.keys(outputs!).map((name) => `action outputs ${name}`),
    ...digests(),
  ]
  return `${lines.join('\n')}\n`
}

/** The routes of the server below `/_mock/`, but for `/_mock/ready`. */
function routes(): string[] {
  const admin = createAdmin({ access: {}, judge: {} } as Parameters<typeof createAdmin>[0])
  const provider = createProvider({} as Parameters<typeof createProvider>[0])
  return [admin, provider.routes]
    .flatMap((app) => app.routes)
    .filter(({ method }) => method !== 'ALL')
    .map(({ method, path }) => `route ${method} /_mock${path}`)
}

/** Digests of the rows of the smallest plant, which tests of users hold: they change with a major version only. */
function digests(): string[] {
  const dataset = createDataset({ ...defaultPlant, scale: 0.01 })
  return views.map(({ name }) => {
    const hash = createHash('sha256')
    for (const row of dataset.rows(name)) hash.update(JSON.stringify(row))
    return `rows ${name} ${hash.digest('hex').slice(0, 16)}`
  })
}
