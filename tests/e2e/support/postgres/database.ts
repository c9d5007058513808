import { loadPlant } from '../../../../mock/node/postgres/load/load-plant.ts'
import { createFolder, type Installation, removeFolder } from './programs.ts'
import { TestServer, testPassword } from './server.ts'

/** The plant in the databases of tests. */
export const testPlant = { seed: 1, scale: 0.01, asOf: '2026-01-01T00:00:00Z' }

/** A throwaway primary and what else a test starts beside it. */
export class TestDatabase {
  readonly folder: string
  readonly primary: TestServer
  readonly #others: TestServer[] = []

  private constructor(folder: string, primary: TestServer) {
    this.folder = folder
    this.primary = primary
  }

  /** An empty primary with the role `loader`, who owns the database `plant`. @param settings of the server */
  static async start(settings: readonly string[] = [], installation?: Installation): Promise<TestDatabase> {
    const folder = createFolder()
    const primary = await TestServer.primary(folder, settings, installation)
    await primary.sql(`CREATE ROLE loader LOGIN CREATEROLE PASSWORD '${testPassword}'`)
    await primary.sql('CREATE DATABASE plant OWNER loader')
    return new TestDatabase(folder, primary)
  }

  /** Loads the plant of the tests. */
  async load(): Promise<void> {
    await loadPlant(testPlant, { url: this.ownerUrl, readerPassword: testPassword })
  }

  async standby(name: string, settings: readonly string[] = []): Promise<TestServer> {
    const server = await TestServer.standby(this.folder, name, this.primary, settings)
    this.#others.unshift(server)
    return server
  }

  async pooler(poolSize: number): Promise<TestServer> {
    const server = await TestServer.pooler(this.folder, this.primary, poolSize)
    this.#others.unshift(server)
    return server
  }

  get ownerUrl(): string {
    return this.primary.url('loader', 'plant')
  }

  /** The URL of the role that reads. @param servers in their order */
  readerUrl(...servers: readonly { readonly port: number }[]): string {
    const named = servers.length > 0 ? servers : [this.primary]
    const hosts = named.map(({ port }) => `127.0.0.1:${port}`).join(',')
    return this.primary.url('bioprocess_reader', 'plant').replace(/@[^/]*/, `@${hosts}`)
  }

  async stop(): Promise<void> {
    for (const server of [...this.#others, this.primary]) await server.kill()
    removeFolder(this.folder)
  }
}
