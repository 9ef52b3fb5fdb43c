import { randomBytes } from 'node:crypto'
import { parentPort } from 'node:worker_threads'
import type { PasswordTask } from './passwords.js'

/** The worker thread that hashes passwords. An error ends the thread and rejects the pending request. */

// The parameters that OWASP recommends: 19 MiB, 2 passes.
const costs = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

type Hashing = {
  hash(password: string): Promise<string>
  verify(stored: string, password: string): Promise<boolean>
}

const { hash, verify } = await native().catch(() => portable())

async function native(): Promise<Hashing> {
  const argon2 = await import('@node-rs/argon2')
  return {
    hash: async (password) => argon2.hashSync(password, costs),
    verify: async (stored, password) => argon2.verifySync(stored, password),
  }
}

/** The same in WebAssembly, where the binary for this system is not installed: it is an optional package. */
async function portable(): Promise<Hashing> {
  const { argon2id, argon2Verify } = await import('hash-wasm')
  return {
    hash: (password) =>
      argon2id({
        password,
        salt: randomBytes(16),
        memorySize: costs.memoryCost,
        iterations: costs.timeCost,
        parallelism: costs.parallelism,
        hashLength: 32,
        outputType: 'encoded',
      }),
    verify: (stored, password) => argon2Verify({ password, hash: stored }),
  }
}

parentPort?.on('message', ({ password, stored }: PasswordTask) => {
  const result = stored === undefined ? hash(password) : verify(stored, password)
  void result.then((value) => parentPort?.postMessage(value))
})
