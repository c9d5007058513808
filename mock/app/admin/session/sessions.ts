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
    .post('/reset', () => json({ reset: true, unanswered: sessions.common.reset() }))
    .put('/:id', ({ req }) => {
      const { id } = sessions.keep(sessions.find(req.param('id')))
      return json({ id })
    })
    .post('/:id/reset', ({ req }) => {
      const session = sessions.keep(sessions.find(req.param('id')))
      return json({ reset: true, unanswered: session.reset() })
    })
    .delete('/:id', ({ req }) => {
      const id = checkedId(req.param('id'))
      const unanswered = sessions.find(id).stubs.unanswered()
      if (!sessions.end(id)) throw new Refusal(404, `There is no session ${id}.`)
      return json({ ended: true, unanswered })
    })
}
