import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { end, root } from './cli.ts'

/** Whether HAProxy is missing on this machine. In CI, a skipped test fails the run. */
export const lacksHaproxy = spawnSync('haproxy', ['-v']).status !== 0
if (lacksHaproxy) console.warn('Skipping tests with a balancer: install haproxy to run them.')

/** The configuration that a page shows, with other addresses. @param addresses those of the page, and what replaces each */
export function haproxyConfig(page: string, addresses: Readonly<Record<string, string>>): string {
  const text = readFileSync(join(root, 'docs', page), 'utf8')
  let config = /^```haproxy\n(.*?)^```$/ms.exec(text)?.[1]
  if (config === undefined) throw new Error(`docs/${page} shows no configuration of HAProxy.`)
  for (const [shown, used] of Object.entries(addresses)) {
    if (!config.includes(` ${shown}\n`)) throw new Error(`docs/${page} does not name ${shown}.`)
    config = config.replace(` ${shown}\n`, ` ${used}\n`)
  }
  return config
}

/** Starts HAProxy. @returns a function that ends it */
export function startHaproxy(config: string): () => Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'bioprocess-sql-haproxy-'))
  const file = join(folder, 'haproxy.cfg')
  writeFileSync(file, config)
  const child = spawn('haproxy', ['-db', '-f', file], { stdio: 'inherit' })
  return async () => {
    await end(child)
    rmSync(folder, { recursive: true, force: true })
  }
}
