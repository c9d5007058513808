import { test as base, expect } from '@playwright/test'
import { type PlaywrightSession, sessionFixture } from 'bioprocess-sql-contract/playwright'

const server = { baseUrl: 'http://127.0.0.1:4199', token: 'secret' }
const test = base.extend<object, { mock: PlaywrightSession }>({ mock: sessionFixture(server) })
test.afterEach(({ mock }) => mock.reset())

const address = ({ baseUrl, token }: PlaywrightSession) =>
  `/?api=${encodeURIComponent(baseUrl)}&token=${token}`

test('shows a run that a test puts', async ({ page, mock }) => {
  await mock.rows.put({ v_bioprocesses: [{ id: 'run-1', name: `Run of ${mock.id}` }] })
  await page.goto(address(mock))
  await expect(page.getByText(`Run of ${mock.id}`)).toBeVisible()
  await mock.waitForRequest({ statement: 'v_bioprocesses' })
})

test('reads runs from rows as arrays, but not all columns of one', async ({ page, mock }) => {
  await mock.use({ 'rows.shape': 'array' })
  await page.goto(address(mock))
  await expect(page.getByRole('heading')).toHaveText(/^\d+ runs$/)
  await page.getByRole('checkbox').first().check()
  await expect(page.getByRole('alert')).toContainText('an unexpected form of answer')
})

test('shows its error state when the service is busy', async ({ page, mock }) => {
  await mock.stub({ match: 'v_bioprocesses', status: 503 })
  await page.goto(address(mock))
  await expect(page.getByRole('alert')).toContainText('The service is busy.')
})
