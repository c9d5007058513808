export default {
  framework: '@storybook/html-vite',
  addons: ['msw-storybook-addon'],
  stories: ['../src/*.stories.js'],
  // the script of the service worker
  staticDirs: ['../public'],
  core: { disableTelemetry: true },
}
