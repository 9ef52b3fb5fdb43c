import { expect, test } from 'vitest'
import type { Example } from '../../../src/contract/openapi.js'
import { operatorExamples } from '../../../src/contract/operator/examples.js'
import { operatorOperationNames, operatorOperations } from '../../../src/contract/operator/operations.js'
import { validatorOf } from '../../../src/contract/validation.js'
import { evaluateBefore } from '../../support/exceptions.js'
import { checkedOperatorResponse, newOperator } from '../../support/operator.js'
import { exampleNames, learnedFrom, sendExample, sentExamples } from '../../support/operator-examples.js'
import { startService } from '../../support/service.js'

const service = await startService()

test('every operation has an example', () => {
  expect(exampleNames.toSorted()).toEqual(operatorOperationNames.toSorted())
})

test('all examples succeed when they are sent in order to a new service', async () => {
  const { key } = await newOperator(service)
  let params: Record<string, string> = {}
  for (const name of sentExamples) {
    await evaluateBefore(service, name, 'nordlicht')
    const sent = await sendExample({ baseUrl: service.baseUrl, key }, name, params)
    params = { ...params, ...(await learnedFrom(name, sent)) }
    const response = await checkedOperatorResponse(name, sent)
    expect(response.status, `${name} ${response.text}`).toBe(operatorOperations[name].success.status)
  }
})

test('the responses of the examples match the operations', () => {
  for (const name of exampleNames) {
    const { response }: Example = operatorExamples[name]
    if (response !== undefined)
      expect(validatorOf(operatorOperations[name].success.body).faultsIn(response), name).toEqual([])
  }
})
