import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { InboundLine } from '../../../src/contract/public/inbound.js'
import { newAccount, type TestAccount } from '../../support/account.js'
import { expectWholeInbound, inbound } from '../../support/inbound.js'
import { newOperator } from '../../support/operator.js'
import { actionSequences } from '../../support/random-actions.js'
import { startService } from '../../support/service.js'

const service = await startService()

test('for random actions, what arrives adds up to what is ordered, agrees with the arrivals of each order, and shows what has moved', async () => {
  await fc.assert(
    fc.asyncProperty(actionSequences, async (actions) => {
      const [account, operator] = [await newAccount(service), await newOperator(service)]
      const then: { at: string; lines: InboundLine[] }[] = []
      for (const [index, action] of actions.entries()) {
        await action.run({ account, operator })
        if (index % 12 === 0) then.push({ at: await timeOf(account), lines: await inbound(account) })
      }
      const lines = await inbound(account)
      await expectWholeInbound(account, lines)
      for (const { at, lines: before } of then) {
        const moved = await inbound(account, { since: at })
        expect(moved.map(movementOf).toSorted(), at).toEqual(movementsBetween(before, lines).toSorted())
      }
    }),
    { numRuns: 5 },
  )
}, 240_000)

async function timeOf({ id }: TestAccount): Promise<string> {
  const [row] = await service.db<{ at: string }[]>`
    select to_char(changed_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at
    from accounts where account_id = ${id}`
  return row?.at as string
}

function movementsBetween(before: InboundLine[], now: InboundLine[]): string[] {
  const assigned = (lines: InboundLine[]) =>
    new Map(lines.flatMap((each) => (each.svc_shipment_id === undefined ? [] : [[keyOf(each), each]])))
  const [earlier, later] = [assigned(before), assigned(now)]
  return [...new Set([...earlier.keys(), ...later.keys()])].flatMap((key) => {
    const [was, is] = [earlier.get(key), later.get(key)]
    const isSame = was && is && was.quantity === is.quantity && was.expected_date === is.expected_date
    return isSame ? [] : [`${key} ${partOf(was)} ${is ? partOf(is) : partOf({ quantity: 0 })}`]
  })
}

function movementOf(line: InboundLine): string {
  return `${keyOf(line)} ${partOf(line.was)} ${partOf(line)}`
}

const keyOf = ({ reference, line, svc_shipment_id }: InboundLine) => JSON.stringify([reference, line, svc_shipment_id])
const partOf = (part: Pick<InboundLine, 'quantity' | 'expected_date'> | undefined) =>
  part ? `${part.quantity} ${part.expected_date}` : '-'
