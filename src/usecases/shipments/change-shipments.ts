import type { ShipmentChange, ShipmentOutcome } from '../../contract/operator/shipment-changes.js'
import { ShipmentPatch } from '../../contract/operator/shipments.js'
import type { Warning } from '../../contract/operator/version.js'
import type { ShipmentRecord } from '../../contract/public/shipment.js'
import { invalid, Refusal } from '../../contract/refusals.js'
import { validatorOf } from '../../contract/validation.js'
import type { AccountId } from '../../database/account-id.js'
import type { Reader } from '../../database/database.js'
import { isUnchanged } from '../../domain/records/record-changes.js'
import { normalizeShipment } from '../../domain/shipments/normalize-shipment.js'
import { withComputedTotals } from '../../domain/shipments/shipment-cargo.js'
import { shipmentWarnings } from '../../domain/shipments/shipment-warnings.js'
import { mapInSlices } from '../../jobs/in-slices.js'
import { commitWithin } from '../../ledger/commit.js'
import { findVersions, type PresentVersion } from '../../ledger/history.js'
import type { Put } from '../../ledger/transaction.js'
import { recordAudit } from '../../store/audit.js'
import { findNamedAccounts } from '../accounts/named-accounts.js'
import type { OperatorHandler } from '../operator-context.js'
import { isKnownPlace } from './known-place.js'
import { patchedShipment } from './patched-shipment.js'
import { refuseRevision } from './shipment-revision.js'

const patchValidator = validatorOf(ShipmentPatch)

type Examined = { outcome: ShipmentOutcome; put?: Put<'shipment'> }

/** Each account in a write of its own within one transaction; what is refused keeps nothing else from being stored. */
export const changeShipments: OperatorHandler<'changeShipments'> = async (
  { sql, actor, author, operator },
  { query: { check }, body: { changes, reason } },
) => {
  refuseRepeated(changes)
  const outcomes = new Map<ShipmentChange, ShipmentOutcome>()
  for (const { account_id, slug } of await findNamedAccounts(
    sql,
    operator.accounts,
    changes.map(({ account }) => account),
  )) {
    const own = changes.filter(({ account }) => account === slug)
    const keep = (examined: Examined[]) => {
      for (const [index, { outcome }] of examined.entries()) outcomes.set(own[index] as ShipmentChange, outcome)
    }
    if (check === 'true') {
      keep(await examine(sql, account_id, own))
      continue
    }
    await commitWithin(sql, account_id, author, async (tx) => {
      const examined = await examine(tx.sql, account_id, own)
      for (const { outcome } of examined) if (outcome.outcome === 'changed') outcome.revision = tx.revision
      tx.put(
        'shipment',
        examined.flatMap(({ put }) => (put ? { ...put, reason } : [])),
      )
      keep(examined)
    })
    const changed = own.filter((change) => outcomes.get(change)?.outcome === 'changed')
    const details = { operation: 'changeShipments', shipments: changed.map(({ svc_shipment_id }) => svc_shipment_id) }
    if (changed.length > 0) {
      await recordAudit(sql, account_id, actor, { kind: 'operator', action: 'operator_acted', details })
    }
  }
  return {
    outcomes: changes.map((change) => outcomes.get(change) ?? refused(change, new Refusal('account_not_found'))),
  }
}

function refuseRepeated(changes: ShipmentChange[]): void {
  const seen = new Set<string>()
  for (const [index, { account, svc_shipment_id }] of changes.entries()) {
    const key = JSON.stringify([account, svc_shipment_id])
    if (seen.has(key)) throw invalid([{ pointer: `/changes/${index}`, detail: 'the shipment is named twice' }])
    seen.add(key)
  }
}

async function examine(db: Reader, account: AccountId, changes: ShipmentChange[]): Promise<Examined[]> {
  const ids = changes.map(({ svc_shipment_id }) => svc_shipment_id)
  const versions = await findVersions(db, account, 'shipment', ids)
  // Finding the faults of a hundred patches takes a second.
  const validated = await mapInSlices(changes, (change) => validate(change, versions.get(change.svc_shipment_id)))
  return Promise.all(validated.map(async (each) => ('outcome' in each ? each : compare(db, account, each))))
}

type Validated = {
  change: ShipmentChange
  revision: number
  before: ShipmentRecord
  record: ShipmentRecord
  normalized: Warning[]
}

function validate(change: ShipmentChange, version: PresentVersion | undefined): Validated | Examined {
  try {
    if (!version) throw new Refusal('shipment_not_found')
    const { revision } = version
    const before = JSON.parse(version.record) as ShipmentRecord
    const normalized = normalizeShipment(change.patch)
    const faults = patchValidator.faultsIn(change.patch)
    if (faults.length > 0) throw invalid(faults)
    const record = withComputedTotals(patchedShipment(before, change.patch))
    // Before the revision is compared, so that a repeated request does no harm.
    if (isUnchanged(before, record)) return { outcome: { ...nameOf(change), outcome: 'unchanged', revision } }
    if (revision !== change.revision) {
      const conflict = new Refusal('shipment_changed', `Its revision is ${revision}.`)
      return { outcome: { ...refused(change, conflict), revision, record: before } }
    }
    return { change, revision, before, record, normalized }
  } catch (error) {
    return outcomeOf(change, error)
  }
}

async function compare(
  db: Reader,
  account: AccountId,
  { change, revision, before, record, normalized }: Validated,
): Promise<Examined> {
  try {
    await refuseRevision(db, account, before, record)
    const warnings = [...normalized, ...shipmentWarnings(record, isKnownPlace)]
    return {
      outcome: { ...nameOf(change), outcome: 'changed', revision, ...(warnings.length > 0 && { warnings }) },
      put: { record, before },
    }
  } catch (error) {
    return outcomeOf(change, error)
  }
}

function outcomeOf(change: ShipmentChange, error: unknown): Examined {
  if (!(error instanceof Refusal)) throw error
  return { outcome: refused(change, error) }
}

function nameOf({ account, svc_shipment_id }: ShipmentChange) {
  return { account, svc_shipment_id }
}

function refused(change: ShipmentChange, { code, message, faults }: Refusal): ShipmentOutcome {
  return { ...nameOf(change), outcome: 'refused', code, detail: message, ...(faults && { errors: faults }) }
}
