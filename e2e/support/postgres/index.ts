export { createFolder, missingPrograms, removeFolder } from './programs.ts'
export { superuser, TestServer } from './server.ts'
