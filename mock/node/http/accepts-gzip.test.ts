import { expect, test } from 'vitest'
import { acceptsGzip } from './accepts-gzip.ts'

test.each([
  'gzip',
  'GZip',
  'deflate, gzip, br',
  'br;q=1.0, gzip;q=0.8, *;q=0.1',
  'gzip ; q=0.001',
  'x-gzip',
  '*',
  'gzip;q=0.5, identity;q=0.5',
  'identity;q=0, *;q=0.1',
])('Accept-Encoding %j allows gzip', (header) => {
  expect(acceptsGzip(header)).toBe(true)
})

test.each([
  undefined,
  '',
  'identity',
  'br, deflate',
  'gzip;q=0',
  'gzip;q=0.000, *',
  '*;q=0',
  'gzipped',
  'gzip;q=high',
  'identity, gzip;q=0.5',
])('Accept-Encoding %j does not allow gzip', (header) => {
  expect(acceptsGzip(header)).toBe(false)
})
