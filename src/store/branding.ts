import type { Branding } from '../contract/operator/branding.js'
import type { Reader, TransactionSql } from '../database/database.js'

export async function findBranding(db: Reader): Promise<Branding> {
  const [row] = await db<{ branding: string | null }[]>`select branding from service`
  return row?.branding ? (JSON.parse(row.branding) as Branding) : {}
}

export async function saveBranding(sql: TransactionSql, branding: Branding): Promise<void> {
  await sql`update service set branding = ${JSON.stringify(branding)}`
}
