import type { Preview } from '@storybook/react-vite'
import { mock } from '../src/story-mock'

export default {
  beforeEach({ msw }) {
    msw.use(...mock.handlers)
    return () => mock.reset()
  },
} satisfies Preview
