import { useMemo } from 'react'
import { presentDate } from '../../../ui/clock.js'
import { SearchableSelect } from '../../../ui/searchable-select.js'
import { useMessages } from '../../i18n/messages.js'

type Props = { value: string; error?: string | undefined; onChange(zone: string): void }

export function TimeZoneField({ value, error, onChange }: Props) {
  const m = useMessages().settings
  const zones = useMemo(() => zonesWith(value), [value])
  return (
    <SearchableSelect
      label={m.timeZone}
      description={m.timeZoneText}
      options={zones}
      value={value}
      error={error}
      onChange={onChange}
    />
  )
}

/** Browsers do not list UTC, and may not know the current zone. */
function zonesWith(chosen: string): { value: string; label: string }[] {
  const names = new Set([...Intl.supportedValuesOf('timeZone'), 'UTC', chosen])
  const now = presentDate()
  return [...names]
    .toSorted((one, other) => one.localeCompare(other))
    .map((value) => ({ value, label: [...new Set([value.replaceAll('_', ' '), offsetOf(value, now)])].join(' · ') }))
}

function offsetOf(zone: string, at: Date): string {
  try {
    const format = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'shortOffset' })
    const offset = format.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value
    return offset?.replace('GMT', 'UTC').replace('-', '−') ?? zone
  } catch {
    // Unknown to this browser: show its name only.
    return zone
  }
}
