import { expect, test } from 'vitest'
import { newAccount } from '../../support/account.js'
import { textOf } from '../../support/pdf-text.js'
import { newPerson } from '../../support/person.js'
import { startService } from '../../support/service.js'

const service = await startService()

const price = (amount: number, currency: 'EUR' | 'USD' = 'EUR') => [
  { description: 'Freight', price: { amount, currency } },
]

async function start() {
  const account = await newAccount(service)
  const invoice = (reference: string, sent: string, more: object) => ({
    kind: 'invoice' as const,
    data: {
      reference,
      number: reference,
      type: 'invoice' as const,
      sent_date: `${sent}T10:00:00Z`,
      due_date: sent,
      status: 'due' as const,
      ...more,
    },
  })
  await account.forwarder.imports(
    invoice('A', '2026-01-10', { lines: price(100) }),
    invoice('B', '2026-03-10', { lines: price(50) }),
    invoice('=C', '2026-04-20', { lines: price(70, 'USD') }),
    invoice('N', '2026-03-12', { type: 'credit_note', credited_invoice: 'B', lines: price(20) }),
    { kind: 'payment', data: { payment_id: 'P', reference: 'A', amount: 40, currency: 'EUR', paid_on: '2026-03-11' } },
  )
  return { ...account, person: await newPerson(service, account, 'viewer') }
}

test('a statement has the balances of one currency, and what was invoiced, credited and paid between them', async () => {
  const { person } = await start()
  const address = `${service.baseUrl}/portal/v1/invoices/statement?currency=EUR&from=2026-03-01&to=2026-03-31`
  const response = await fetch(address, { headers: person.headers })
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/pdf'])
  const text = textOf(Buffer.from(await response.arrayBuffer())).replaceAll(/\s+/g, ' ')
  // 100 before; 50 invoiced, 40 paid, 20 credited.
  for (const figure of ['100.00', '150.00', '110.00', '90.00']) expect(text).toContain(figure)
  expect(text).not.toContain('70.00')
})

test('an export has exactly what the filter of the list finds, and no formulas', async () => {
  const { person } = await start()
  for (const query of ['', '&due_from=2026-03-01&due_to=2026-03-31', '&currency=USD']) {
    const listed = await fetch(`${service.baseUrl}/portal/v1/invoices?take=100${query}`, { headers: person.headers })
    const { invoices } = (await listed.json()) as { invoices: { reference: string }[] }
    const file = await fetch(`${service.baseUrl}/portal/v1/invoices/export?format=csv${query}`, {
      headers: person.headers,
    })
    const rows = (await file.text()).trim().split('\r\n').slice(1)
    expect(rows.map((row) => row.split(',')[1]?.replace(/^'/, ''))).toEqual(invoices.map(({ reference }) => reference))
    expect(rows.join('\n')).not.toMatch(/(?:^|,)=/m)
  }
})
