import { createClient } from 'bioprocess-sql-contract/client'
import { createMock } from 'bioprocess-sql-contract/msw'

const service = { baseUrl: 'https://data.example.org', token: 'secret' }

export const client = createClient(service)
export const mock = createMock(service)
