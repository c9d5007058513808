import { createConfig, lintFromString } from '@redocly/openapi-core'
import { describe, expect, test } from 'vitest'
import { load } from './load.ts'
import { generateOpenapi } from './openapi.ts'

const sources = load(process.cwd())
const [file] = generateOpenapi(sources)
const document = JSON.parse(file!.text)
// the path of the contract ends with a slash
const rules = { 'no-path-trailing-slash': 'off' } as const

describe('openapi.json', () => {
  test('passes the recommended lint rules', async () => {
    expect(await lint(file!.text)).toEqual([])
  })

  test('fails the lint rules with an unresolved reference', async () => {
    expect(await lint(file!.text.replace('schemas/Volume"', 'schemas/Amount"'))).toContainEqual(
      expect.stringContaining('no-unresolved-refs'),
    )
  })

  test('describes an envelope for every status', () => {
    const { responses } = document.paths['/external/v1/statements/'].post
    expect(Object.keys(responses)).toEqual(['200', '400', '401', '413', '415', '503', '504'])
    for (const { content } of Object.values<any>(responses)) {
      expect(JSON.stringify(content['application/json'].schema)).toContain(
        '#/components/schemas/StatementEnvelope',
      )
    }
  })

  test('has every example statement', () => {
    const { examples } =
      document.paths['/external/v1/statements/'].post.requestBody.content['application/json']
    const shown = Object.values<any>(examples).map(({ value }) => value.statement)
    expect(shown).toEqual(sources.statements.map(({ statement }) => statement))
  })

  test('says of every object whose keys are not documented that it has others', () => {
    const objects: object[] = []
    JSON.stringify(document.components.schemas, (_, value) => {
      if ([value?.type].flat().includes('object') && !value.properties) objects.push(value)
      return value
    })
    expect(objects.length).toBeGreaterThan(5)
    for (const object of objects) expect(object).toMatchObject({ additionalProperties: true })
  })

  test('embeds the schemas of requests, envelopes and rows', () => {
    const titles = Object.keys(document.components.schemas)
    expect(titles).toEqual(
      expect.arrayContaining(['StatementRequest', 'Bioprocess', 'Experiment', 'Statistics']),
    )
    expect(titles).toEqual(
      expect.arrayContaining(['DbAdditionEvent', 'Volume', 'FormulaSeries', 'QualityControl']),
    )
    expect(titles).not.toContain('ConformanceReport')
    expect(file!.text).not.toContain('.schema.json')
  })
})

async function lint(source: string): Promise<string[]> {
  const config = await createConfig({ extends: ['recommended'], rules })
  const problems = await lintFromString({ source, config })
  return problems.map(({ ruleId, message }) => `${ruleId}: ${message}`)
}
