import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { type AnswerFile, type Loan, openAnswerFile, type Place } from '../src/http/answer-file.js'
import { AnswerMemory, type RememberedAnswer } from '../src/http/answer-memory.js'

const answerOf = (text: string) => ({ etag: `W/"${text.slice(0, 8)}"`, body: Buffer.from(text) })
const textOf = (name: number | string, length: number) => `${name} `.padEnd(length, String(name))

function inMemory(memory: AnswerMemory, url: string): RememberedAnswer | undefined {
  const found = memory.find('shelf', url)
  if (found && 'recall' in found) throw new Error(`${url} is in the file`)
  return found
}

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
    const answer = inMemory(memory, url)
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
    expect(inMemory(memory, '/hot')?.body.toString()).toBe(textOf('hot', 1000))
  }
  expect(memory.find('shelf', '/never-asked-for')).toBeUndefined()
  const left = Array.from({ length: 1000 }, (_, number) => memory.find('shelf', `/${number}`)).filter(Boolean)
  expect(left.length).toBeGreaterThan(30)
  expect(left.length).toBeLessThan(100)
})

test('bytes that are on their way to a client stay as they are, whatever is kept meanwhile', () => {
  const memory = new AnswerMemory(50_000)
  memory.keep('shelf', '/sent', { ...answerOf(textOf('sent', 2000)), gzipped: Buffer.from('compressed') })
  const sent = inMemory(memory, '/sent')
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

async function newFile(mostBytes: number): Promise<{ file: AnswerFile; folder: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'waybill-answers-'))
  const file = await openAnswerFile(folder, mostBytes)
  onTestFinished(async () => {
    await file.close()
    await rm(folder, { recursive: true })
  })
  return { file, folder }
}

const long = 20_000
const often = 16

/** Asks until nothing is being written any more: what is to leave the memory leaves it beside the requests. */
async function settled(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 10))
}

test('long answers that there is no more room for are recalled from a file without a name', async () => {
  const { file, folder } = await newFile(100 * long)
  expect(await readdir(folder)).toEqual([])
  const memory = new AnswerMemory(20 * long, file)
  const gzipped = Buffer.from('compressed')
  for (let number = 0; number < 60; number += 1) {
    memory.keep('shelf', `/${number}`, { ...answerOf(textOf(number, long)), ...(number % 2 === 0 && { gzipped }) })
    await settled()
  }
  let recalled = 0
  for (let number = 0; number < 60; number += 1) {
    const found = memory.find('shelf', `/${number}`)
    expect(found?.etag).toBe(answerOf(textOf(number, long)).etag)
    if (found && 'recall' in found) recalled += 1
    const answer = found && 'recall' in found ? await found.recall() : found
    expect(answer?.body.toString()).toBe(textOf(number, long))
    expect(answer?.gzipped?.toString()).toBe(number % 2 === 0 ? 'compressed' : undefined)
  }
  expect(recalled).toBeGreaterThan(35)
})

test('the newest are written over the oldest, which are found no more; nobody is given the bytes of another', async () => {
  const { file } = await newFile(30 * long)
  const memory = new AnswerMemory(12 * long, file)
  const pending: Promise<void>[] = []
  let gone = 0
  for (let number = 0; number < 300; number += 1) {
    memory.keep('shelf', `/${number}`, answerOf(textOf(number, long)))
    if (number % 3 === 0) await settled()
    // Fetched while others are written over it.
    const asked = number - (number % 40)
    const found = memory.find('shelf', `/${asked}`)
    if (!found || !('recall' in found)) continue
    const check = async () => {
      const answer = await found.recall()
      if (!answer) gone += 1
      else expect(answer.body.toString()).toBe(textOf(asked, long))
    }
    pending.push(check())
  }
  await Promise.all(pending)
  expect(pending.length - gone).toBeGreaterThan(10)
  expect(memory.find('shelf', '/1')).toBeUndefined()
  const found = Array.from({ length: 300 }, (_, number) => memory.find('shelf', `/${number}`)).filter(Boolean)
  expect(found.length).toBeLessThan(45)
})

test('a file that cannot be written to is told once, and missed by nobody', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'waybill-answers-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const file = await openAnswerFile(folder, 100 * long)
  await file.close()
  const faults: unknown[] = []
  const memory = new AnswerMemory(20 * long, file, (fault) => faults.push(fault))
  for (let number = 0; number < 60; number += 1) {
    memory.keep('shelf', `/${number}`, answerOf(textOf(number, long)))
    await settled()
  }
  expect(faults).toHaveLength(1)
  expect(memory.find('shelf', '/0')).toBeUndefined()
  expect(inMemory(memory, '/59')?.body.toString()).toBe(textOf(59, long))
})

test('what is recalled again and again comes back into the memory, and leaves it again without being written once more', async () => {
  const { file } = await newFile(100 * long)
  const memory = new AnswerMemory(20 * long, file)
  const write = vi.spyOn(file, 'write')
  const read = vi.spyOn(file, 'read')
  const keep = async (from: number, to: number) => {
    for (let number = from; number < to; number += 1) {
      memory.keep('shelf', `/${number}`, answerOf(textOf(number, long)))
      await settled()
    }
  }
  await keep(0, 40)
  for (let turn = 0; turn < often; turn += 1) {
    const found = memory.find('shelf', '/0')
    if (!found || !('recall' in found)) throw new Error('it is in memory')
    expect((await found.recall())?.body.toString()).toBe(textOf(0, long))
  }
  expect(read).toHaveBeenCalledTimes(often)
  expect(inMemory(memory, '/0')?.body.toString()).toBe(textOf(0, long))

  const isWritten = () =>
    write.mock.calls.flatMap(([things]) => things.flat()).some((part) => part.toString() === textOf(0, long))
  expect(isWritten()).toBe(true)
  write.mockClear()
  await keep(40, 80)
  const found = memory.find('shelf', '/0')
  if (!found || !('recall' in found)) throw new Error('it has not left the memory')
  expect((await found.recall())?.body.toString()).toBe(textOf(0, long))
  expect(write).toHaveBeenCalled()
  expect(isWritten()).toBe(false)
})

const veryLong = 600_000

test('what takes long to read is read once for all who ask meanwhile', async () => {
  const { file } = await newFile(20 * veryLong)
  const memory = new AnswerMemory(20 * veryLong, file)
  const read = vi.spyOn(file, 'read')
  for (let number = 0; number < 30; number += 1) {
    memory.keep('shelf', `/${number}`, answerOf(textOf(number, veryLong)))
    await settled()
  }
  const found = memory.find('shelf', '/5')
  if (!found || !('recall' in found)) throw new Error('it is in memory')
  const [one, other] = await Promise.all([found.recall(), found.recall()])
  expect(one?.body.toString()).toBe(textOf(5, veryLong))
  expect(other).toBe(one)
  expect(read).toHaveBeenCalledOnce()
})

/** Time passes only as the test says: how long something takes decides how it is done. */
function stopTime(): { pass(milliseconds: number): void; eachLook(milliseconds: number): void } {
  let now = 1_000_000
  let step = 0
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => (now += step))
  onTestFinished(() => clock.mockRestore())
  return {
    pass: (milliseconds) => {
      now += milliseconds
    },
    eachLook: (milliseconds) => {
      step = milliseconds
    },
  }
}

test('the memory of what was read is used again once it was given back, and not before', async () => {
  stopTime()
  const { file } = await newFile(100 * long)
  const texts = Array.from({ length: 40 }, (_, number) => textOf(number, long))
  const places = await file.write(
    texts.map((text) => [Buffer.from(text)]),
    () => {},
  )
  const lend = async (number: number) => (await file.read(places?.[number] as Place)) as Loan
  const kept = await Promise.all(texts.map((_, number) => lend(number)))
  for (const [number, { bytes }] of kept.entries()) expect(bytes.toString()).toBe(texts[number])
  const [first, ...others] = kept as [Loan, ...Loan[]]
  first.giveBack()
  first.giveBack()
  const [again, another] = [await lend(5), await lend(6)]
  expect(again.bytes.buffer).toBe(first.bytes.buffer)
  expect(another.bytes.buffer).not.toBe(first.bytes.buffer)
  for (const [number, { bytes }] of others.entries()) expect(bytes.toString()).toBe(texts[number + 1])
})

test('a disk that was waited for is read from elsewhere for a while: nobody else waits with it', async () => {
  const { file } = await newFile(100 * long)
  const [place] = (await file.write([[Buffer.from('waited for')]], () => {})) ?? []
  const time = stopTime()
  const isReadHere = async () => {
    const read = file.read(place as Place)
    expect((await read)?.bytes.toString()).toBe('waited for')
    return !(read instanceof Promise)
  }
  expect(await isReadHere()).toBe(true)
  time.eachLook(11)
  expect(await isReadHere()).toBe(true)
  time.eachLook(0)
  expect(await isReadHere()).toBe(false)
  time.pass(6000)
  expect(await isReadHere()).toBe(true)
})

test('what has come back into the memory stays there when its place in the file is taken', async () => {
  const { file } = await newFile(40 * long)
  const memory = new AnswerMemory(64 * long, file)
  const keep = async (number: number) => {
    memory.keep('shelf', `/${number}`, answerOf(textOf(number, long)))
    await settled()
  }
  for (let number = 0; number < 80; number += 1) await keep(number)
  for (let turn = 0; turn < often; turn += 1) {
    const found = memory.find('shelf', '/0')
    if (!found || !('recall' in found)) throw new Error('it is in memory')
    await found.recall()
  }
  for (let number = 80; number < 220; number += 1) {
    expect(inMemory(memory, '/0')?.body.toString()).toBe(textOf(0, long))
    await keep(number)
  }
})
