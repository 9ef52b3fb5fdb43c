import fc from 'fast-check'
import { expect, test } from 'vitest'
import { newAccount } from '../../support/account.js'
import { evaluate } from '../../support/exceptions.js'
import { listed } from '../../support/listed.js'
import { newOperator } from '../../support/operator.js'
import { actionSequences } from '../../support/random-actions.js'
import { startService } from '../../support/service.js'

const service = await startService()
const operator = await newOperator(service)

test('after any actions, the feed from its beginning comes to what the lists show', async () => {
  await fc.assert(
    fc.asyncProperty(actionSequences, fc.constantFrom(1, 3, 50), async (actions, limit) => {
      const account = await newAccount(service)
      const copy: Record<string, Record<string, unknown>> = {}
      let after: string | undefined

      /** The states of now; the last event of each resource counts, as later ones show the same or a later state. */
      async function follow(): Promise<void> {
        for (;;) {
          const query = { limit, include: 'object' as const, ...(after !== undefined && { after }) }
          const { body } = await account.call('listEvents', { query })
          for (const { object, what, state } of body.events) {
            const ofKind = (copy[object.kind] ??= {})
            if (what === 'removed' || state === undefined) delete ofKind[object.id]
            else {
              const { link: _link, ...rest } = state as Record<string, unknown>
              ofKind[object.id] = rest
            }
          }
          after = body.cursor
          if (!body.has_more) return
        }
      }

      for (const [index, action] of actions.entries()) {
        await action.run({ account, operator })
        if (index % 5 === 0) await follow()
      }
      await evaluate(service, account.id)
      await follow()
      const shown = Object.entries(await listed(account)).filter(([, bodies]) => Object.keys(bodies).length > 0)
      const copied = Object.entries(copy).filter(([, bodies]) => Object.keys(bodies).length > 0)
      expect(Object.fromEntries(copied)).toEqual(Object.fromEntries(shown))
    }),
    { numRuns: 5 },
  )
}, 240_000)
