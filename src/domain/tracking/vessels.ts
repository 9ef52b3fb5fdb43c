import type { TrackingEventRecord } from '../../contract/public/tracking.js'

export type Vessel = NonNullable<TrackingEventRecord['vessel']>

/** The name as it is compared: sources write it with and without punctuation. */
export function plainName(name = ''): string {
  return name.toUpperCase().replaceAll(/[^A-Z0-9]+/g, '')
}
