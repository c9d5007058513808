import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { end } from './cli.ts'

/** Whether nginx is missing on this machine. In CI, a skipped test fails the run. */
export const lacksNginx = spawnSync('nginx', ['-v']).status !== 0
if (lacksNginx) console.warn('Skipping tests with a gateway: install nginx to run them.')

/**
 * Starts nginx in the foreground, and waits until it accepts connections.
 *
 * @param http what stands in its block `http`
 * @param port one of its ports
 * @returns a function that ends it
 */
export async function startNginx(http: string, port: number): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), 'bioprocess-sql-nginx-'))
  const file = join(folder, 'nginx.conf')
  const own = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${join(folder, name)};`,
  )
  writeFileSync(
    file,
    `daemon off; worker_processes 1; pid ${join(folder, 'pid')}; error_log stderr crit;
events {}
http { access_log off; ${own.join(' ')}
${http}
}`,
  )
  const child = spawn('nginx', ['-c', file, '-e', 'stderr'], { stdio: 'inherit' })
  while (!(await accepts(port))) {
    if (child.exitCode !== null) throw new Error(`nginx ended with exit code ${child.exitCode}.`)
    await sleep(20)
  }
  return async () => {
    await end(child)
    rmSync(folder, { recursive: true, force: true })
  }
}

const accepts = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => resolve(true))
    socket.once('error', () => resolve(false))
    socket.once('close', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
