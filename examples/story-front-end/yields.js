/** The service did not return rows. */
export class ServiceError extends Error {
  name = 'ServiceError'
}

/** The code under test: the last titers of completed runs, highest first. */
export async function bestTiters({ baseUrl, token, count = 3 }) {
  const response = await fetch(`${baseUrl}/external/v1/statements/`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      statement: `
        SELECT b.name, s.unit, (s.statistics->>'last')::float AS titer
        FROM v_bioprocesses b
        JOIN v_timeseries s ON s.bioprocess_id = b.id
        JOIN v_quantities q ON q.id = s.quantity_id
        WHERE b.status = 'Completed' AND q.name ILIKE '%titer%'
        ORDER BY titer DESC NULLS LAST LIMIT ${count}`,
    }),
  })
  if (response.status === 401) throw new ServiceError('The token is not valid. Log in again.')
  const { data, status } = await response.json()
  if (status.state !== 'success') throw new ServiceError(status.message)
  return data
}
