import type { StorybookConfig } from '@storybook/react-vite'

export default {
  framework: '@storybook/react-vite',
  addons: ['msw-storybook-addon'],
  stories: ['../src/*.stories.tsx'],
  // the script of the service worker
  staticDirs: ['../public'],
  core: { disableTelemetry: true },
} satisfies StorybookConfig
