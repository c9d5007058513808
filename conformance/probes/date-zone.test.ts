import { expect, test } from 'vitest'
import { observeAll } from '../open-points/probe.ts'
import { deltaProbes } from './delta.ts'
import { laterThan, utc, zoned } from './examples/deltas.test-helper.ts'
import { handmade, refuse, type Handmade } from './handmade.test-helper.ts'

const seen = async (service: Handmade) => {
  const probes = deltaProbes.filter(({ silence }) => silence === 'NS-52')
  const { observations } = await observeAll(probes, handmade(service), (text) => text)
  return observations['NS-52']?.variant
}

const spaced = (hour: number) => utc(hour).replace('T', ' ')

const asTexts = (text: string, date: string) => text > date

test('texts that all have one zone are told from times by what stands between date and time', async () => {
  expect(await seen(zoned(asTexts))).toBe('text-comparison')
  expect(await seen(zoned(asTexts, spaced))).toBe('text-comparison')
  expect(await seen(zoned(laterThan('Z'), spaced))).toBe('utc')
})

test('a service that refuses such a time is taken at its dates', async () => {
  const refused = /> '\d{4}-\d\d-\d\d[T ]12:00:00'/
  const { answer, ...service } = zoned(asTexts)
  const own: Handmade = {
    ...service,
    answer: (asked) => (refused.test(asked.sql) ? refuse(200) : answer?.(asked)),
  }
  expect(await seen(own)).toBe('utc')
})

test('a zone far from UTC is a zone, however many fit', async () => {
  expect(await seen(zoned(laterThan('-05:00')))).toBe('session-zone')
  expect(await seen(zoned(laterThan('+09:00')))).toBe('session-zone')
})
