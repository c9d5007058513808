import { type Client, createClient } from 'bioprocess-sql-contract/client'
import { createContext, useContext } from 'react'

/** The service that the components read. */
export const Service = createContext<Client | undefined>(undefined)

export function useService(): Client {
  const client = useContext(Service)
  if (!client) throw new Error('There is no service. Wrap the dashboard in <Service value={client}>.')
  return client
}

export const serviceAt = (baseUrl: string, token: string): Client => createClient({ baseUrl, token })
