import { expect, test } from 'vitest'
import type { ImportLine } from '../../../src/contract/import-line.js'
import type { Database } from '../../../src/database/database.js'
import { listAccountsToEvaluate } from '../../../src/store/exception-watches.js'
import { evaluateAccount } from '../../../src/usecases/exceptions/run-exceptions.js'
import { importInto, newInstallationOnServer } from '../../support/installation.js'
import { startServing, until } from '../../support/program.js'

const dayFromToday = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

// More than one step evaluates.
const shipments = Array.from({ length: 250 }, (_, index) => `S-${index}`)

const linesOf = (account: string): ImportLine[] => [
  { kind: 'account', account, data: { name: account } },
  ...shipments.map(
    (svc_shipment_id): ImportLine => ({
      kind: 'shipment',
      account,
      data: {
        svc_shipment_id,
        status: 'in_progress',
        freight_mode: 'ocean',
        desired_delivery_date: dayFromToday(-10),
        cargo: { containers: [{ container_number: 'TGHU7599330' }] },
      },
    }),
  ),
]

async function exceptionsOf(db: Database, slug: string) {
  return db<{ kind: string; id: string; state: string; severity: string; reason: string }[]>`
    select kind, svc_shipment_id as id, state, severity, body::jsonb ->> 'reason' as reason
    from exceptions join accounts using (account_id)
    where slug = ${slug} order by svc_shipment_id, kind, reason`
}

test('a process that is killed while it evaluates leaves what is left to the next one, which raises nothing twice', async () => {
  const installation = await newInstallationOnServer()
  const { db } = installation
  await importInto(installation, linesOf('killed'))
  // Once the first step is committed, the next one waits in the middle of its transaction.
  await db`
    create function wait_in_mid_evaluation() returns trigger language plpgsql as $$
    begin
      if exists (select from exceptions where xmin::text <> pg_current_xact_id()::xid::text) then
        perform pg_advisory_xact_lock(4711);
      end if;
      return new;
    end $$`
  await db`
    create trigger wait_in_mid_evaluation before insert on exceptions
    for each row execute function wait_in_mid_evaluation()`
  const isWaiting = async () =>
    (await db`select from pg_locks where locktype = 'advisory' and objid = 4711 and not granted`).length > 0

  await db.begin(async (sql) => {
    await sql`select pg_advisory_xact_lock(4711)`
    const first = await startServing(installation)
    await until(isWaiting)
    first.kill('SIGKILL')
    await first.ended
  })
  const half = await exceptionsOf(db, 'killed')
  expect(half.length).toBeGreaterThan(0)
  await db`drop trigger wait_in_mid_evaluation on exceptions`

  const second = await startServing(installation)
  await until(async () => (await listAccountsToEvaluate(db, Date.now())).length === 0)
  second.kill('SIGTERM')
  await second.ended

  await importInto(installation, linesOf('fresh'))
  const [fresh] = await db<{ id: number }[]>`select account_id as id from accounts where slug = 'fresh'`
  await evaluateAccount(db, fresh?.id ?? 0)
  const expected = await exceptionsOf(db, 'fresh')
  expect(expected.length).toBeGreaterThan(half.length)
  expect(await exceptionsOf(db, 'killed')).toEqual(expected)
  expect(await db`select id from changes where kind = 'exception' group by account_id, id having count(*) > 1`).toEqual(
    [],
  )
})
