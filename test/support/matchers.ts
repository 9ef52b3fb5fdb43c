import { expect } from 'vitest'
import { type RefusalCode, refusals } from '../../src/contract/refusals.js'

declare module 'vitest' {
  interface Matchers<T> {
    toBeRefused(code: RefusalCode): T
  }
}

expect.extend({
  toBeRefused(answer: { status: number; text: string }, code: RefusalCode) {
    const found = answer.status >= 400 ? (JSON.parse(answer.text) as { code: string }).code : undefined
    return {
      pass: found === code && answer.status === refusals[code].status,
      message: () => `expected a refusal ${refusals[code].status} ${code}, got ${answer.status} ${answer.text}`,
    }
  },
})
