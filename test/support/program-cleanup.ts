import { afterAll } from 'vitest'
import { endPrograms } from './program.js'

// Vitest runs this setup file for every test file, even if they share a process and its modules.
afterAll(endPrograms)
