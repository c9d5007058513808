import { expect, test } from 'vitest'
import { runConformance } from '../run/conformance.ts'
import { reportFormats } from './formats.ts'
import { terminalReport } from './terminal.ts'

const unreachable = runConformance({
  baseUrl: 'http://vendor.example',
  token: 't',
  fetch: () => Promise.reject(new TypeError('fetch failed')),
  retries: 0,
})
const refusing = runConformance({
  baseUrl: 'http://vendor.example',
  token: 't',
  fetch: async () => new Response('{"data":[],"status":{"state":"error","message":"no"}}', { status: 403 }),
})

const formats = Object.entries({ ...reportFormats, terminal: terminalReport })

test.each(formats)(
  'the %s report of a run without optional settings has no undefined and no null',
  async (_, format) => {
    for (const report of [await unreachable, await refusing])
      expect(format(report)).not.toMatch(/\b(undefined|null|NaN|\[object Object\])\b/)
  },
)
