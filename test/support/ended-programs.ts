import { afterAll } from 'vitest'
import { endPrograms } from './program.js'

// Vitest runs this for every file of tests, also where they share a process and its modules.
afterAll(endPrograms)
