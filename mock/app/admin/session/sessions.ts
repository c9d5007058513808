import { Hono } from 'hono'
import { Refusal } from '../../answer/refusal.ts'
import { checkedId, type Sessions } from '../../sessions/sessions.ts'
import { json } from '../routes.ts'

/**
 * `/_mock/sessions`: GET lists the sessions, PUT `/<id>` begins one, POST `/<id>/reset` returns it to its beginning and
 * DELETE `/<id>` ends it. POST `/reset` resets the common session.
 */
export function sessionRoutes(sessions: Sessions): Hono {
  const list = () => json({ sessions: sessions.list() })
  return new Hono()
    .get('/', list)
    .post('/reset', () => {
      sessions.common.reset()
      return json({ reset: true })
    })
    .put('/:id', ({ req }) => {
      const { id } = sessions.keep(sessions.find(req.param('id')))
      return json({ id })
    })
    .post('/:id/reset', ({ req }) => {
      sessions.keep(sessions.find(req.param('id'))).reset()
      return json({ reset: true })
    })
    .delete('/:id', ({ req }) => {
      const id = checkedId(req.param('id'))
      if (!sessions.end(id)) throw new Refusal(404, `There is no session ${id}.`)
      return json({ ended: true })
    })
}
