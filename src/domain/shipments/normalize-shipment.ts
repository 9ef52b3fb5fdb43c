import type { Warning } from '../../contract/operator/version.js'
import { readContainerNumber, readContainerType, readPortCode } from '../records/liberal-values.js'

/**
 * Brings codes of a shipment into the form in which they are stored, in place, and says so. The value may be anything: what
 * is not recognised is left for the validation to refuse.
 */
export function normalizeShipment(data: unknown): Warning[] {
  const warnings: Warning[] = []
  const { route, cargo } = fieldsOf(data)
  for (const name of ['origin_port_unlocode', 'destination_port_unlocode']) {
    normalizeField(fieldsOf(route), name, readPortCode, '/route', warnings)
  }
  const { containers } = fieldsOf(cargo)
  for (const [index, container] of (Array.isArray(containers) ? containers : []).entries()) {
    const pointer = `/cargo/containers/${index}`
    normalizeField(fieldsOf(container), 'container_number', readContainerNumber, pointer, warnings)
    normalizeField(fieldsOf(container), 'container_type', readContainerType, pointer, warnings)
  }
  return warnings
}

/** The same for the packed lines of an assignment. */
export function normalizeAssignment(data: unknown): Warning[] {
  const warnings: Warning[] = []
  const { shipped_order_lines: lines } = fieldsOf(data)
  for (const [index, line] of (Array.isArray(lines) ? lines : []).entries()) {
    const pointer = `/shipped_order_lines/${index}`
    normalizeField(fieldsOf(line), 'container_number', readContainerNumber, pointer, warnings)
  }
  return warnings
}

/** The same for a tracking event. */
export function normalizeEvent(data: unknown): Warning[] {
  const warnings: Warning[] = []
  normalizeField(fieldsOf(data), 'container_number', readContainerNumber, '', warnings)
  return warnings
}

function normalizeField(
  fields: Record<string, unknown>,
  name: string,
  read: (text: string) => string | undefined,
  pointer: string,
  warnings: Warning[],
): void {
  const given = fields[name]
  if (typeof given !== 'string') return
  const value = read(given)
  if (value === undefined || value === given) return
  fields[name] = value
  warnings.push({ pointer: `${pointer}/${name}`, detail: readAs(given, value) })
}

/** How a warning says that a value was normalised. */
export function readAs(given: string, value: unknown): string {
  return `${given} was read as ${String(value)}`
}

function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}
