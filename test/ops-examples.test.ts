import { expect, test } from 'vitest'
import type { Example } from '../src/contract/openapi.js'
import { operatorExamples } from '../src/contract/ops/examples.js'
import { operatorOperationNames, operatorOperations } from '../src/contract/ops/operations.js'
import { validatorOf } from '../src/contract/validation.js'
import { checkedOperatorAnswer, newOperator } from './support/operator.js'
import { exampleNames, sendExample } from './support/operator-examples.js'
import { startService } from './support/service.js'

const service = await startService()

test('every operation has an example', () => {
  expect(exampleNames.toSorted()).toEqual(operatorOperationNames.toSorted())
})

test('the examples, sent in their order to a new service, all succeed', async () => {
  const { key } = await newOperator(service)
  let params: Record<string, string> = {}
  for (const name of exampleNames) {
    const answer = await checkedOperatorAnswer(name, await sendExample({ baseUrl: service.baseUrl, key }, name, params))
    expect(answer.status, `${name} ${answer.text}`).toBe(operatorOperations[name].success.status)
    if (name === 'createKey') params = { key_id: (answer.body as { key_id: string }).key_id }
  }
})

test('the answers of the examples are what the operations answer with', () => {
  for (const name of exampleNames) {
    const { answer }: Example = operatorExamples[name]
    if (answer !== undefined)
      expect(validatorOf(operatorOperations[name].success.body).faultsIn(answer), name).toEqual([])
  }
})
