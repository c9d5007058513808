import type { Command } from 'commander'
import type { Server } from '../mock/index.ts'
import { readDataFolder } from './data-folder.ts'
import { optionsAgain } from './options/config.ts'
import { type VariantOptions, variantsToServe } from './options/variants.ts'
import { say } from './output/say.ts'
import { watchFile, watchFolder } from './watch-folder.ts'

/** The options of `serve` that are used here. */
interface ServeOptions extends VariantOptions {
  readonly data?: string
  readonly config?: string
  readonly skipInvalid?: boolean
  readonly sql: 'any' | 'documented'
  readonly fault?: string[]
}

/** Options that a running server takes from a changed `--config` file. */
const taken = ['variants', 'profile', 'fault', 'sql']

/**
 * Reads the folder of `--data` and the file of `--config` again when they change. A change takes effect as a whole; a
 * change with an error is reported and has no effect.
 *
 * @param command the parsed command
 * @param fresh makes the same command, not yet parsed
 * @returns stops watching
 */
export function readAgainOnChange(server: Server, command: Command, fresh: () => Command): () => void {
  const { data, config } = command.opts<ServeOptions>()
  const unwatchData =
    data === undefined ? undefined : watchFolder(data, () => readData(server, data, command.opts()))
  let options = command.opts<ServeOptions>()
  const unwatchConfig =
    config === undefined
      ? undefined
      : watchFile(config, async () => {
          try {
            const changed = optionsAgain<ServeOptions>(command, fresh())
            await configure(server, changed)
            say(`Read ${config} again.${forTheNextStart(options, changed)}`)
            options = changed
          } catch (error) {
            say(`${(error as Error).message} The settings read before still apply.`)
          }
        })
  return () => {
    unwatchData?.()
    unwatchConfig?.()
  }
}

async function readData(server: Server, data: string, options: ServeOptions): Promise<void> {
  try {
    await server.replaceData(await readDataFolder(data, options, say))
  } catch (error) {
    say(`${(error as Error).message} The rows read before are still served.`)
  }
}

async function configure(server: Server, options: ServeOptions): Promise<void> {
  const { sql, fault } = options
  server.configure({ ...(await variantsToServe(options)), sql, ...(fault && { faults: fault }) })
}

function forTheNextStart(before: ServeOptions, after: ServeOptions): string {
  const entries = { ...before, ...after } as Record<string, unknown>
  const changed = Object.keys(entries).filter(
    (key) =>
      !taken.includes(key) && JSON.stringify(valueOf(before, key)) !== JSON.stringify(valueOf(after, key)),
  )
  return changed.length === 0 ? '' : ` ${changed.join(', ')}: the change takes effect at the next start.`
}

const valueOf = (options: object, key: string): unknown => (options as Record<string, unknown>)[key]
