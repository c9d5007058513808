import { expect, test } from 'vitest'
import { createSettings } from '../open-points/settings.ts'
import { appOf, post } from './request.test-helper.ts'

const page = { headers: { 'x-mock-page': '1' } }

test('a statement of the page is answered as by default, and uses up nothing that is armed', async () => {
  const { fetch, sessions } = appOf(undefined, { settings: createSettings({ 'rows.shape': 'array' }) })
  const session = sessions.find(null)
  session.settings.once({ 'rows.case': 'upper' })
  session.faults.replace(['status:503,times=1'])
  session.stubs.replace([{ match: '*', error: 'exception' }])
  const answer = async (init = {}) => {
    const { status } = (await (await fetch(post(init))).json()) as { status: { message: string } }
    return [status.message, session.settings.upcoming.length]
  }
  expect(await (await fetch(post(page))).json()).toMatchObject({ data: [{ n: 1 }] })
  expect([await answer(page), await answer(), await answer()]).toEqual([
    ['Statement executed successfully', 1],
    [expect.stringContaining('as a fault of this server was asked'), 1],
    ['Error executing statement', 0],
  ])
})

test('a statement of the page is left out of the list of requests, but not out of the log', async () => {
  const { fetch, sessions, log } = appOf()
  await (await fetch(post(page))).text()
  await (await fetch(post())).text()
  expect(sessions.find(null).requests.entries()).toHaveLength(1)
  expect(log).toHaveLength(2)
})

test('a statement of the page needs a valid token', async () => {
  const refused = post({ headers: { ...page.headers, authorization: 'Bearer wrong' } })
  expect((await appOf().fetch(refused)).status).toBe(401)
})
