const baseUrl = 'https://data.example.org'

/** The rows of one statement, from any service that follows the contract. */
export async function query(statement) {
  const response = await fetch(`${baseUrl}/external/v1/statements/`, {
    method: 'POST',
    headers: { authorization: 'Bearer secret', 'content-type': 'application/json' },
    body: JSON.stringify({ statement }),
  })
  const { data, status } = await response.json()
  if (response.status !== 200 || status.state !== 'success') throw new Error(status.message)
  return data
}
