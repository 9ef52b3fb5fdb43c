import type { TrackingState } from '../../../../src/contract/operator/tracking.js'
import type { Messages } from '../../../portal/i18n/messages.js'

export type Step = TrackingState['steps'][number]
export type StatedEvent = Step['events'][number]

/** The place of a step and its part in the journey. */
export function placeOf({ id, type, port, location }: Step, names: Messages['statuses']['step']): string {
  const place = port?.city ?? port?.unlocode ?? location?.name ?? id
  return type === undefined ? place : `${place} (${names[type]})`
}
