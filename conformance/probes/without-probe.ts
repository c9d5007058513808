/** Silences that no probe looks into, and why: nothing that a polite client sends would tell. */
export const withoutProbe: Readonly<Record<string, string>> = {
  'NS-10': 'The service is read-only: no statement moves a bioprocess.',
  'NS-11': 'The service is read-only: no statement moves a formula.',
  'NS-20': 'The token is handed to the suite, which does not see how it was obtained.',
  'NS-23': 'What a service sends of its own accord does not come through its endpoint.',
  'NS-33': 'A token that has expired has to come from the identity provider; the suite has none.',
  'NS-37': 'It would take statements of up to 1 MiB, and some services break the connection off.',
  'NS-62': 'No view shows how the letters of a formula are bound.',
}
