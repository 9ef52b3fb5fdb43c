import { expect } from 'vitest'
import { type RefusalCode, refusals } from '../../src/contract/refusals.js'

declare module 'vitest' {
  interface Matchers<T> {
    toBeRefused(code: RefusalCode): T
  }
}

expect.extend({
  toBeRefused(response: { status: number; text: string }, code: RefusalCode) {
    const found = response.status >= 400 ? (JSON.parse(response.text) as { code: string }).code : undefined
    return {
      pass: found === code && response.status === refusals[code].status,
      message: () => `expected a refusal ${refusals[code].status} ${code}, got ${response.status} ${response.text}`,
    }
  },
})
