import { on } from 'bioprocess-sql-contract/msw'
import { runsTable } from './runs-table.js'
import { client } from './service.js'

export default {
  title: 'Runs table',
  render: () => runsTable(client),
}

export const LatestRuns = {}

export const TakesTooLong = {
  beforeEach({ msw }) {
    msw.use(on.timeout())
  },
}
