import type { TrackingState } from '../../contract/operator/tracking.js'

type Step = TrackingState['steps'][number]

/** The steps with the time zones of their places: people enter times by the clock of the place. */
export async function withZones(state: TrackingState): Promise<TrackingState> {
  // Loaded on first use: the city and port data is large.
  const [{ findPlace }, { findCity }] = await Promise.all([
    import('../../geography/places.js'),
    import('../../geography/cities.js'),
  ])
  const zoneOf = ({ port, location }: Step): string | undefined => {
    if (port?.unlocode !== undefined) return findPlace(port.unlocode, 'sea')?.timeZone
    const { city, country } = location ?? {}
    return city === undefined || country === undefined ? undefined : findCity(country.toUpperCase(), city)?.timeZone
  }
  const zones = state.steps.map(zoneOf)
  const steps = state.steps.map((step, index) => {
    // A door whose city is not known has the clock of the next port.
    const nearby = step.type === 'delivery' ? zones.slice(0, index).findLast(Boolean) : zones.slice(index).find(Boolean)
    const isDoor = step.type === 'pickup' || step.type === 'delivery'
    const time_zone = zones[index] ?? (isDoor ? nearby : undefined)
    return { ...step, ...(time_zone !== undefined && { time_zone }) }
  })
  return { ...state, steps }
}
