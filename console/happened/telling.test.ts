import { expect, test } from 'vitest'
import { tellingOf } from './telling.ts'

test.each([
  ['Contamination', 'OUR at 185mM/h, not ours. smells sour. - BC', 'OUR'],
  ['DO crash', 'pO2 alarm since 04:17, at 0%, motor off - CB', 'DO'],
  [
    'Feed pump failure',
    'according to the log: feed pump failure 02:55 until 04:25, ok again (DS)',
    'Feed rate',
  ],
  ['Feed pump failure', 'kein Feed seit 194.6 h, Pumpenkopf blockiert', 'Feed rate'],
  ['Foam-out', 'foamed out! level 100 %, exhaust filter wet mk', 'Foam level'],
  ['Overfeeding', 'Feed bis 267ml/h, viel zu hoch. Waage und Pumpe passen nicht. - BC', 'Feed rate'],
  ['Power outage', 'In der Nacht: power outage 0036 bis 0254 (BO)', 'Agitation'],
  ['Probe failure', 'DO-Sonde hängt seit 07h31, Kabel geprüft /UK', 'DO'],
  ['Probe failure', 'pH sensor dead since ca. 06h44, rely on offline uk', 'pH'],
  ['', 'AF added automatically, foam now 19 DS', 'Foam level'],
])('of a run with %j, %j is the note, and %s shows it', (failure, text, quantity) => {
  const other = { at: 1, text: 'S6 taken, 5 ml' }
  const notes =
    failure === ''
      ? [other, { at: 2, text }]
      : [other, { at: 2, text }, { at: 3, text: 'harvest done 00:38' }]
  const { note, quantities } = tellingOf({ failure, notes })
  expect([note?.text, quantities[0]]).toEqual([text, quantity])
})

test('a run without a note has the quantities of its failure', () => {
  expect(tellingOf({ failure: 'Foam-out', notes: [] })).toMatchObject({
    note: undefined,
    quantities: ['Foam level', 'Vessel weight', 'VCD', 'OUR', 'OD600', 'DO'],
  })
})
