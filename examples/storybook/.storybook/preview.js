import { mock } from '../src/service.js'

export default {
  beforeEach({ msw }) {
    msw.use(...mock.handlers)
    return () => mock.reset()
  },
}
