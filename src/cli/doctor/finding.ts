import { explanationOf } from '../explanation.js'

/** What was found where: a line for whoever asked, and how to mend it if it is not as it should be. */
export type Finding = { subject: string; state: State; what: string; mend?: string }

/** A warning is something that works, but may not be meant. */
export type State = 'ok' | 'skipped' | 'warning' | 'wrong'

export function ok(subject: string, what: string): Finding {
  return { subject, state: 'ok', what }
}

export function skipped(subject: string, what: string): Finding {
  return { subject, state: 'skipped', what }
}

export function warning(subject: string, what: string, mend: string): Finding {
  return { subject, state: 'warning', what, mend }
}

export function wrong(subject: string, what: string, mend: string): Finding {
  return { subject, state: 'wrong', what, mend }
}

/** What has failed is a finding as well, and no reason not to look at the rest. */
export async function looking(subject: string, mend: string, look: () => Promise<Finding[]>): Promise<Finding[]> {
  try {
    return await look()
  } catch (error) {
    return [wrong(subject, reasonOf(error), mend)]
  }
}

/** In one line. */
export function reasonOf(error: unknown): string {
  // Where several addresses were tried in vain there is a list of errors, and no message.
  const [first = error] = error instanceof AggregateError ? error.errors : []
  const { text = '' } = explanationOf(first)
  return text.replace(/^waybill: /, '').split('\n', 1)[0] ?? ''
}
