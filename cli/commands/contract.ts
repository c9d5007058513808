import { Argument, Command } from 'commander'
import { packageFile } from '../package.ts'

const FORMS = {
  openapi: () => packageFile('schemas/generated/openapi.json'),
  ddl: () => packageFile('schemas/generated/ddl.sql'),
  schemas: async () => {
    const { schemas } = await import('../../schemas/generated/schemas.ts')
    return `${JSON.stringify(schemas, null, 2)}\n`
  },
  rights: async () => (await import('../../mock/node/postgres/inspect/second-lock.ts')).secondLock,
  smoke: () => packageFile('schemas/generated/smoke.hurl'),
  reference: () => packageFile('docs/contract.md'),
}

export const contractCommand = () =>
  new Command('contract')
    .description(
      'Print the contract as OpenAPI 3.1, PostgreSQL DDL and rights, JSON Schemas, requests for Hurl or a Markdown reference.',
    )
    .addArgument(
      new Argument('<form>', 'output format').choices(Object.keys(FORMS) as (keyof typeof FORMS)[]),
    )
    .action(async (form) => {
      process.stdout.write(await FORMS[form]())
    })
