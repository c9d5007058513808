import { expect, test } from 'vitest'
import { parseBaseUrl } from './base-url.ts'

test.each([
  ['http://127.0.0.1:4010', 'http://127.0.0.1:4010'],
  ['https://data.example.org/', 'https://data.example.org'],
  ['https://gateway.example.org/tenant/7/', 'https://gateway.example.org/tenant/7'],
])('parseBaseUrl accepts %s', (text, expected) => {
  expect(parseBaseUrl(text)).toBe(expected)
})

test.each([
  ['data.example.org', /scheme/],
  ['localhost:4010', /scheme/],
  ['ftp://data.example.org', /scheme/],
  ['', /scheme/],
  ['https://data.example.org/external/v1/statements/', /Remove .*: https:\/\/data\.example\.org$/],
  ['https://data.example.org/a/external/v1/statements', /Remove .*: https:\/\/data\.example\.org\/a$/],
  ['https://me:secret@data.example.org', /--token/],
  ['https://data.example.org?x=1', /has a query or a fragment/],
])('parseBaseUrl rejects "%s" and names the remedy', (text, message) => {
  expect(() => parseBaseUrl(text)).toThrow(message)
})
