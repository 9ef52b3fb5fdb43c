import '@mantine/core/styles/ScrollArea.css'
import '@mantine/core/styles/Popover.css'
import '@mantine/core/styles/Combobox.css'
import { Select } from '@mantine/core'
import { useMemo } from 'react'
import { useMessages } from '../../i18n/messages.js'

type Props = { value: string; error?: string | undefined; onChange(zone: string): void }

/** Every zone that the browser knows, found by typing a part of its name. */
export function TimeZoneField({ value, error, onChange }: Props) {
  const m = useMessages().settings
  const zones = useMemo(() => zonesWith(value), [value])
  return (
    <Select
      label={m.timeZone}
      description={m.timeZoneText}
      data={zones}
      value={value}
      error={error}
      searchable
      selectFirstOptionOnChange
      allowDeselect={false}
      maxDropdownHeight={280}
      nothingFoundMessage={m.noZone}
      onChange={(zone) => zone !== null && onChange(zone)}
    />
  )
}

/** Browsers leave out the plainest of all, and may not know one that was chosen elsewhere. */
function zonesWith(chosen: string): { value: string; label: string }[] {
  const names = new Set([...Intl.supportedValuesOf('timeZone'), 'UTC', chosen])
  const now = new Date()
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
    // Chosen elsewhere, and not known to this browser: its name has to do.
    return zone
  }
}
