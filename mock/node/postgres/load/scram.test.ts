import { expect, test } from 'vitest'
import { scramVerifier } from './scram.ts'

test('makes the verifier of RFC 7677', () => {
  const salt = Buffer.from('W22ZaJ0SNY7soEsUEjb6gQ==', 'base64')
  expect(scramVerifier('pencil', salt)).toBe(
    'SCRAM-SHA-256$4096:W22ZaJ0SNY7soEsUEjb6gQ==$WG5d8oPm3OtcPnkdi4Uo7BkeZkBFzpcXkuLmtbsT4qY=:wfPLwcE6nTWhTAmQ7tl2KeoiWGPlZqQxSrmfPwDl2dU=',
  )
})

test.each(['', 'pässword', 'a\nb'])('refuses the password %j without repeating it', (password) => {
  expect(() => scramVerifier(password)).toThrow(/^BIOPROCESS_SQL_READER_PASSWORD is empty or has/)
})
