import { createConfig, lintFromString } from '@redocly/openapi-core'
import { describe, expect, test } from 'vitest'
import { load } from './load.ts'
import { generateOpenapi } from './openapi.ts'

const sources = load(process.cwd())
const [file] = generateOpenapi(sources)
const document = JSON.parse(file!.text)
// The path of the contract ends in a slash.
const rules = { 'no-path-trailing-slash': 'off' } as const

describe('openapi.json', () => {
  test('passes the recommended rules of Redocly', async () => {
    expect(await lint(file!.text)).toEqual([])
  })

  test('fails the rules if a reference has no target', async () => {
    expect(await lint(file!.text.replace('schemas/Volume"', 'schemas/Amount"'))).toContainEqual(
      expect.stringContaining('no-unresolved-refs'),
    )
  })

  test('has the envelope as the response of every status', () => {
    const { responses } = document.paths['/external/v1/statements/'].post
    expect(Object.keys(responses)).toEqual(['200', '400', '401', '413', '415', '503', '504'])
    for (const { content } of Object.values<any>(responses)) {
      expect(JSON.stringify(content['application/json'].schema)).toContain(
        '#/components/schemas/StatementEnvelope',
      )
    }
  })

  test('has every example statement of the contract', () => {
    const { examples } =
      document.paths['/external/v1/statements/'].post.requestBody.content['application/json']
    const shown = Object.values<any>(examples).map(({ value }) => value.statement)
    expect(shown).toEqual(sources.statements.map(({ statement }) => statement))
  })

  test('contains the schemas of request, envelope and rows and all schemas that they refer to', () => {
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
