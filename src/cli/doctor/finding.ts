import { errorReport, findReason } from '../error-report.js'

/** The result of one check, with a suggested fix if there is a problem. */
export type Finding = { subject: string; state: State; what: string; fix?: string }

/** `warning`: it works, but is probably not intended. */
export type State = 'ok' | 'skipped' | 'warning' | 'wrong'

export function ok(subject: string, what: string): Finding {
  return { subject, state: 'ok', what }
}

export function skipped(subject: string, what: string): Finding {
  return { subject, state: 'skipped', what }
}

export function warning(subject: string, what: string, fix: string): Finding {
  return { subject, state: 'warning', what, fix }
}

export function wrong(subject: string, what: string, fix: string): Finding {
  return { subject, state: 'wrong', what, fix }
}

/** Turns an error of a check into a finding, so that the other checks still run. */
export async function catchFindings(subject: string, fix: string, check: () => Promise<Finding[]>): Promise<Finding[]> {
  try {
    return await check()
  } catch (error) {
    return [wrong(subject, reasonOf(error), findReason(error)?.advice ?? fix)]
  }
}

/** The message of an error in one line. */
export function reasonOf(error: unknown): string {
  const { text = '' } = errorReport(error)
  return findReason(error)?.what ?? text.split('\n', 1)[0] ?? ''
}
