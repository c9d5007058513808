/** The runs that changed since a date, newest first. Works with one service, and with how many others? */
export async function changedRuns({ baseUrl, token }, since) {
  const response = await fetch(`${baseUrl}/external/v1/statements/`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ statement: `SELECT * FROM v_bioprocesses WHERE last_updated_at > '${since}'` }),
  })
  if (response.status !== 200) throw new Error(`HTTP ${response.status}`)
  const { data, status } = await response.json()
  if (status.state !== 'success') throw new Error(status.message)
  return data
    .map(({ id, name, parent_id, last_updated_at }) => ({
      id,
      name,
      isChild: parent_id !== null,
      changed: new Date(last_updated_at),
    }))
    .sort((a, b) => b.changed - a.changed)
}
