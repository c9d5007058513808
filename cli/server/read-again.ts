import type { Server } from '../../mock/index.ts'
import { readDataFolder } from './data-folder.ts'
import { optionsAgain } from '../options/config.ts'
import { type ServeFlags, serveOptions } from './serve-options.ts'
import { variantsToServe } from './variants.ts'
import { say } from '../output/log.ts'
import { watchFile, watchFolder } from './watch-folder.ts'

/** Options that a running server takes from a changed `--config` file. */
const taken = ['variants', 'profile', 'fault', 'sql']

/**
 * Reads the folder of `--data` and the file of `--config` again when they change. A change takes effect as a whole; a
 * change with an error is reported and has no effect.
 *
 * @param command the parsed command
 * @returns stops watching
 */
export function readAgainOnChange(server: Server, command: ReturnType<typeof serveOptions>): () => void {
  const { data, config } = command.opts()
  const unwatchData =
    data === undefined ? undefined : watchFolder(data, () => readData(server, data, command.opts()))
  let options = command.opts()
  const unwatchConfig =
    config === undefined
      ? undefined
      : watchFile(config, async () => {
          try {
            const changed = optionsAgain(command, serveOptions())
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

async function readData(server: Server, data: string, options: ServeFlags): Promise<void> {
  try {
    await server.replaceData(await readDataFolder(data, options, say))
  } catch (error) {
    say(`${(error as Error).message} The rows read before are still served.`)
  }
}

async function configure(server: Server, options: ServeFlags): Promise<void> {
  const { sql, fault } = options
  server.configure({ ...(await variantsToServe(options)), sql, faults: fault })
}

function forTheNextStart(before: ServeFlags, after: ServeFlags): string {
  const entries = { ...before, ...after } as Record<string, unknown>
  const changed = Object.keys(entries).filter(
    (key) =>
      !taken.includes(key) && JSON.stringify(valueOf(before, key)) !== JSON.stringify(valueOf(after, key)),
  )
  return changed.length === 0 ? '' : ` ${changed.join(', ')}: the change takes effect at the next start.`
}

const valueOf = (options: object, key: string): unknown => (options as Record<string, unknown>)[key]
