import { expect, test } from 'vitest'
import { AnswerMemory } from '../src/http/answer-memory.js'

const answerOf = (text: string) => ({ etag: `W/"${text.slice(0, 8)}"`, body: Buffer.from(text) })
const textOf = (name: number | string, length: number) => `${name} `.padEnd(length, String(name))

test('what is found is what was kept last under that name, in all that comes and goes', () => {
  const memory = new AnswerMemory(100_000)
  const latest = new Map<string, string>()
  let found = 0
  for (let step = 0; step < 20_000; step += 1) {
    const url = `/${(step * 7919) % 101}`
    if (step % 3 === 0) {
      const text = textOf(step, 20 + ((step * 31) % 3000))
      latest.set(url, text)
      memory.keep('shelf', url, answerOf(text))
      continue
    }
    const answer = memory.find('shelf', url)
    if (!answer) continue
    found += 1
    expect(answer.body.toString()).toBe(latest.get(url))
  }
  expect(found).toBeGreaterThan(500)
})

test('what is asked for again and again stays; what is not makes room', () => {
  const memory = new AnswerMemory(100_000)
  memory.keep('shelf', '/hot', answerOf(textOf('hot', 1000)))
  memory.keep('shelf', '/never-asked-for', answerOf(textOf('cold', 1000)))
  for (let number = 0; number < 1000; number += 1) {
    memory.keep('shelf', `/${number}`, answerOf(textOf(number, 1000)))
    expect(memory.find('shelf', '/hot')?.body.toString()).toBe(textOf('hot', 1000))
  }
  expect(memory.find('shelf', '/never-asked-for')).toBeUndefined()
  const left = Array.from({ length: 1000 }, (_, number) => memory.find('shelf', `/${number}`)).filter(Boolean)
  expect(left.length).toBeGreaterThan(30)
  expect(left.length).toBeLessThan(100)
})

test('bytes that are on their way to a client stay as they are, whatever is kept meanwhile', () => {
  const memory = new AnswerMemory(50_000)
  memory.keep('shelf', '/sent', { ...answerOf(textOf('sent', 2000)), gzipped: Buffer.from('compressed') })
  const sent = memory.find('shelf', '/sent')
  for (let number = 0; number < 500; number += 1) memory.keep('shelf', `/${number}`, answerOf(textOf(number, 2000)))
  expect(memory.find('shelf', '/sent')).toBeUndefined()
  expect(sent?.body.toString()).toBe(textOf('sent', 2000))
  expect(sent?.gzipped?.toString()).toBe('compressed')
})

test('one that takes more than a tenth of the memory is not kept, nor is anything without any', () => {
  const memory = new AnswerMemory(50_000)
  memory.keep('shelf', '/large', answerOf(textOf('large', 5000)))
  memory.keep('shelf', '/fits', answerOf(textOf('fits', 4000)))
  expect(memory.find('shelf', '/large')).toBeUndefined()
  expect(memory.find('shelf', '/fits')).toBeDefined()
  const none = new AnswerMemory(0)
  none.keep('shelf', '/', answerOf('x'))
  expect(none.find('shelf', '/')).toBeUndefined()
})
