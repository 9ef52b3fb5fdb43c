import type { ExceptionRules, ExceptionSettings } from '../../contract/operator/exceptions.js'
import { effectiveRules } from '../../domain/exceptions/thresholds.js'
import { recordAudit } from '../../store/audit.js'
import { findExceptionRules, saveExceptionRules } from '../../store/exception-rules.js'
import type { OperatorHandler } from '../operator-context.js'

/** The settings of rules; the evaluator notices a change, and evaluates everything that it concerns again. */

export const getExceptionRules: OperatorHandler<'getExceptionRules'> = async ({ db }) => {
  const { forwarder } = await findExceptionRules(db)
  return settingsOf(forwarder)
}

export const setExceptionRules: OperatorHandler<'setExceptionRules'> = async ({ sql, actor, author }, { body }) => {
  await saveExceptionRules(sql, undefined, body, author)
  await recordAudit(sql, 0, actor, { ...changed, details: { setting: 'exception_rules', rules: body } })
  return settingsOf(body)
}

export const getAccountExceptionRules: OperatorHandler<'getAccountExceptionRules'> = async ({ db, account }) => {
  const { forwarder, account: own } = await findExceptionRules(db, account)
  return settingsOf(own, forwarder)
}

export const setAccountExceptionRules: OperatorHandler<'setAccountExceptionRules'> = async (
  { tx, account, actor },
  { body },
) => {
  await saveExceptionRules(tx.sql, account, body, tx.author)
  await recordAudit(tx.sql, account, actor, { ...changed, details: { setting: 'exception_rules', rules: body } })
  const { forwarder } = await findExceptionRules(tx.sql, account)
  return settingsOf(body, forwarder)
}

const changed = { kind: 'setting', action: 'setting_changed' } as const

function settingsOf(settings: ExceptionRules, ...before: ExceptionRules[]): ExceptionSettings {
  return { settings, in_force: effectiveRules(...before, settings) }
}
