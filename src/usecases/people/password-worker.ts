import { parentPort } from 'node:worker_threads'
import { hashSync, verifySync } from '@node-rs/argon2'
import type { PasswordTask } from './passwords.js'

/** The worker thread that hashes passwords. An error ends the thread and rejects the pending request. */

// The parameters that OWASP recommends: 19 MiB, 2 passes.
const costs = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

parentPort?.on('message', ({ password, stored }: PasswordTask) => {
  parentPort?.postMessage(stored === undefined ? hashSync(password, costs) : verifySync(stored, password))
})
