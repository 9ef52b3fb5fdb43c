import { Refusal } from '../contract/refusals.js'
import { Failure } from './failure.js'

/** Reports the first fault of invalid input with the flag that it came from; returns other errors unchanged. */
export function flagFault(error: unknown, flags: Record<string, string> = {}): unknown {
  const [fault] = error instanceof Refusal && error.code === 'invalid_request' ? (error.faults ?? []) : []
  if (!fault) return error
  const [, name = ''] = fault.pointer.split('/')
  return new Failure(`${flags[name] ?? `--${name.replaceAll('_', '-')}`}: ${fault.detail}`, 2)
}
