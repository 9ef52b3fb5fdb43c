import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { fairQueue } from '../../src/jobs/fair-queue.js'

const limits = { concurrency: 1, jobsPerOwner: 3, jobs: 5 }

function recorder() {
  const order: string[] = []
  const job = (name: string) => async () => {
    await sleep(1)
    order.push(name)
  }
  return { order, job }
}

test('owners take turns, whoever queued more', async () => {
  const { run } = fairQueue(limits, 'busy')
  const { order, job } = recorder()
  await Promise.all([
    ...['a1', 'a2', 'a3'].map((name) => run('a', job(name))),
    ...['b1', 'b2'].map((name) => run('b', job(name))),
  ])
  expect(order).toEqual(['a1', 'a2', 'b1', 'a3', 'b2'])
})

test('jobs beyond the share of an owner or of all owners are refused', async () => {
  const { run } = fairQueue(limits, 'busy')
  const { order, job } = recorder()
  const owners = ['a', 'a', 'a', 'a', 'b', 'c', 'd']
  const outcomes = await Promise.allSettled(owners.map((owner) => run(owner, job(owner))))
  expect(outcomes.map(({ status }) => status === 'fulfilled')).toEqual([true, true, true, false, true, true, false])
  expect(outcomes[3]).toMatchObject({ reason: { code: 'service_unavailable', message: 'busy' } })
  expect(order).toEqual(['a', 'a', 'b', 'c', 'a'])
})

test('a failed job does not hold up the next one, and a job is dropped when its client leaves', async () => {
  const { run } = fairQueue(limits, 'busy')
  const { order, job } = recorder()
  const left = new AbortController()
  const outcomes = Promise.allSettled([
    run('a', () => Promise.reject(new Error('broken'))),
    run('b', job('b'), left.signal),
    run('c', job('c')),
  ])
  left.abort()
  expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled'])
  expect(order).toEqual(['c'])
})
