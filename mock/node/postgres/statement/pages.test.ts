import { expect, test } from 'vitest'
import { backend, type MessageHandler } from '../../../engine/result/wire.ts'
import { defaultSettings } from '../../../open-points/settings.ts'
import { readStatements } from '../../../syntax/reading.ts'
import type { Connection } from '../connect/connection.ts'
import { pagesOf } from './pages.ts'

const options = { timeLimitMs: 1000, readerLimitMs: 1000, schema: 'lab', beginsWithinMs: undefined }

/** A database that reports an error at the first `IS JSON` of a text, as PostgreSQL 15 does, which does not know it. */
const older = {
  exchange: async (sent: Uint8Array, handle: MessageHandler) => {
    const text = new TextDecoder()
      .decode(sent)
      .split('\0')
      .find((part) => part.includes('CURSOR FOR'))
    if (text === undefined) return 0
    const position = Array.from(text.slice(0, text.indexOf('JSON'))).length + 1
    const error = `C42601\0Fgram.y\0Msyntax error at or near "JSON"\0HCast it.\0P${position}\0\0`
    const bytes = new TextEncoder().encode(error)
    handle(backend.error, bytes, 0, bytes.length)
    return 0
  },
} as unknown as Connection

test('an error that only the database reports has its place in the statement as it was sent', async () => {
  const [statement] = await readStatements("\n; SELECT '😀' IS JSON", defaultSettings)
  const failed = pagesOf(older, statement!, defaultSettings, options).next()
  await expect(failed).rejects.toMatchObject({ kind: 'syntax', position: 18, hint: 'Cast it.' })
})
