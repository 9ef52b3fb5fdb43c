import type { Branding } from '../../contract/operator/branding.js'
import { invalid } from '../../contract/refusals.js'
import type { TransactionSql } from '../../database/database.js'
import { leastContrast, lowestContrast } from '../../domain/branding/accent.js'
import { logoFault } from '../../domain/branding/logo.js'
import { type Actor, forwarderLog, recordAudit } from '../../store/audit.js'
import { findBranding, saveBranding } from '../../store/branding.js'
import type { OperatorHandler } from '../operator-context.js'

export const getBranding: OperatorHandler<'getBranding'> = async ({ db }) => findBranding(db)

export const setBranding: OperatorHandler<'setBranding'> = async ({ sql, actor }, { body }) =>
  setBrandingIn(sql, actor, body)

export async function setBrandingIn(sql: TransactionSql, actor: Actor, given: Branding): Promise<Branding> {
  const faults = [
    colorFault('/color', 'light', given.color),
    colorFault('/dark_color', 'dark', given.dark_color),
    given.dark_color !== undefined && given.color === undefined
      ? { pointer: '/color', detail: 'must be given with dark_color' }
      : undefined,
    given.logo === undefined ? undefined : logoFaultOf(given.logo),
  ].filter((fault) => fault !== undefined)
  if (faults.length > 0) throw invalid(faults)
  const branding = {
    ...given,
    ...(given.color !== undefined && { color: given.color.toLowerCase() }),
    ...(given.dark_color !== undefined && { dark_color: given.dark_color.toLowerCase() }),
  }
  await saveBranding(sql, branding)
  const { logo, ...colors } = branding
  await recordAudit(sql, forwarderLog, actor, {
    kind: 'operator',
    action: 'operator_acted',
    subject: 'branding',
    details: { operation: 'setBranding', ...colors, has_logo: logo !== undefined },
  })
  return branding
}

function colorFault(pointer: string, theme: 'light' | 'dark', color: string | undefined) {
  if (color === undefined) return undefined
  const found = lowestContrast(theme, color.toLowerCase())
  if (found >= leastContrast) return undefined
  const rounded = Math.floor(found * 10) / 10
  const remedy = theme === 'light' ? 'choose a darker one' : 'choose a lighter one'
  return {
    pointer,
    detail: `must be readable in the ${theme} theme: its contrast is ${rounded}, at least ${leastContrast} is needed; ${remedy}`,
  }
}

function logoFaultOf(logo: string) {
  const detail = /^[A-Za-z0-9+/]*={0,2}$/.test(logo)
    ? logoFault(Buffer.from(logo, 'base64'))
    : 'must be a PNG, base64-encoded'
  return detail === undefined ? undefined : { pointer: '/logo', detail }
}
