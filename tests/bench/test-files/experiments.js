import { createElement as h, useEffect, useState } from 'react'

export const baseUrl = 'https://data.example.org'

/** Lists experiments, or says why it cannot. */
export function Experiments() {
  const [answer, setAnswer] = useState()
  useEffect(() => {
    fetch(`${baseUrl}/external/v1/statements/`, {
      method: 'POST',
      headers: { authorization: 'Bearer secret', 'content-type': 'application/json' },
      body: JSON.stringify({ statement: 'SELECT id, external_id FROM v_experiments ORDER BY id' }),
    })
      .then((response) => response.json())
      .then(setAnswer)
  }, [])
  if (!answer) return h('p', null, 'Reading ...')
  if (answer.status.state !== 'success') return h('p', { role: 'alert' }, answer.status.message)
  return h(
    'ul',
    null,
    answer.data.map(({ id, external_id }) => h('li', { key: id }, external_id)),
  )
}
