// Starts a version of the service and judges it: node judge.mjs candidate
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { startServer } from 'bioprocess-sql-contract/mock'

const [version] = process.argv.slice(2)
const service = await startServer(JSON.parse(readFileSync(`service/${version}.json`)))

// with a shell, because Windows starts the commands of npm only so
const suite = spawn(`bioprocess-sql conformance --report json=reports/${version}.json`, {
  shell: true,
  stdio: 'inherit',
  env: { ...process.env, BIOPROCESS_SQL_BASE_URL: service.baseUrl, BIOPROCESS_SQL_TOKEN: service.token },
})
const [exitCode] = await once(suite, 'close')
await service.close()
process.exitCode = exitCode
