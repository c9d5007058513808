import { createMock } from 'bioprocess-sql-contract/msw'

/** The service of the stories. */
export const service = { baseUrl: 'https://data.example.org', token: 'secret' }
export const mock = createMock(service)
