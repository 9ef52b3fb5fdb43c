import type { AccountBilling, BillingSettings } from '../contract/billing.js'
import type { ChargeTemplate } from '../contract/operator/invoices.js'
import type { AccountId } from '../database/account-id.js'
import { businessNowInStatement } from '../database/business-now.js'
import type { Reader, TransactionSql } from '../database/database.js'

/** Settings of invoicing: those of the forwarder are stored under the account 0. */

const forwarder: AccountId = 0

export async function findBilling(
  db: Reader,
  account: AccountId = forwarder,
): Promise<{ forwarder: BillingSettings; account: AccountBilling }> {
  const rows = await db<{ account_id: AccountId; settings: string }[]>`
    select account_id, settings from billing_settings where account_id in (${forwarder}, ${account})`
  const of = (id: AccountId): unknown => JSON.parse(rows.find(({ account_id }) => account_id === id)?.settings ?? '{}')
  return {
    forwarder: of(forwarder) as BillingSettings,
    account: (account === forwarder ? {} : of(account)) as AccountBilling,
  }
}

export async function saveBilling(
  sql: TransactionSql,
  account: AccountId | undefined,
  settings: BillingSettings | AccountBilling,
  author: string,
): Promise<void> {
  await sql`
    insert into billing_settings (account_id, settings, changed_at, changed_by)
    values (${account ?? forwarder}, ${JSON.stringify(settings)}, ${businessNowInStatement(sql)}, ${author})
    on conflict (account_id) do update
    set settings = excluded.settings, changed_at = excluded.changed_at, changed_by = excluded.changed_by`
}

export async function listTemplates(db: Reader): Promise<ChargeTemplate[]> {
  const rows = await db<
    { template: string }[]
  >`select template from charge_templates where account_id = ${forwarder} order by name limit 500`
  return rows.map(({ template }) => JSON.parse(template) as ChargeTemplate)
}

export async function findTemplate(db: Reader, name: string): Promise<ChargeTemplate | undefined> {
  const [row] = await db<
    { template: string }[]
  >`select template from charge_templates where account_id = ${forwarder} and name = ${name}`
  return row && (JSON.parse(row.template) as ChargeTemplate)
}

export async function saveTemplate(sql: TransactionSql, template: ChargeTemplate, author: string): Promise<void> {
  await sql`
    insert into charge_templates (account_id, name, template, changed_at, changed_by)
    values (${forwarder}, ${template.name}, ${JSON.stringify(template)}, ${businessNowInStatement(sql)}, ${author})
    on conflict (account_id, name) do update
    set template = excluded.template, changed_at = excluded.changed_at, changed_by = excluded.changed_by`
}

export async function deleteTemplate(sql: TransactionSql, name: string): Promise<boolean> {
  const removed =
    await sql`delete from charge_templates where account_id = ${forwarder} and name = ${name} returning name`
  return removed.length > 0
}
