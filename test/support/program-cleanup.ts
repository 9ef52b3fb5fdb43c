import { afterAll } from 'vitest'
import { closeServices } from './open-services.js'
import { endPrograms } from './program.js'

// Vitest runs this setup file for every test file, even if they share a process and its modules.
afterAll(async () => {
  await closeServices()
  await endPrograms()
})
