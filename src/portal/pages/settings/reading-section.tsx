import '@mantine/core/styles/InlineInput.css'
import '@mantine/core/styles/Radio.css'
import { Radio } from '@mantine/core'
import type { Language, Preferences, Theme } from '../../../contract/portal/people.js'
import { useSession } from '../../api/session.js'
import { useFormat } from '../../i18n/format.js'
import { useMessages } from '../../i18n/messages.js'
import { Button } from '../../parts/button.js'
import { DialogError } from '../../parts/dialog.js'
import { Section } from '../../parts/section.js'
import { languageNames, languages, themes } from '../../shell/preferences.js'
import { Saved, useSaving } from './saving.js'
import styles from './settings.module.css'
import { TimeZoneField } from './time-zone-field.js'

const units: Preferences['weight_unit'][] = ['kg', 'lbs']

/** How somebody reads: each choice is saved as it is made. */
export function ReadingSection() {
  const { settings: m, nav } = useMessages()
  const f = useFormat()
  const { preferences } = useSession()
  const { save, error, faults, savedAt } = useSaving()
  const here = Intl.DateTimeFormat().resolvedOptions().timeZone
  return (
    <Section title={m.reading} aside={<Saved at={savedAt} />}>
      <div className={styles.form}>
        <p className="soft">{m.readingText}</p>
        <Choice
          label={m.language}
          value={preferences.language}
          options={languages.map((value) => ({ value, label: languageNames[value], lang: value }))}
          onChange={(language) => save({ language: language as Language })}
        />
        <div>
          <TimeZoneField
            value={preferences.time_zone}
            error={faults['/time_zone']}
            onChange={(time_zone) => save({ time_zone })}
          />
          {here !== preferences.time_zone && (
            <Button variant="subtle" size="xs" onClick={() => save({ time_zone: here })}>
              {m.useThisZone(here)}
            </Button>
          )}
        </div>
        <Choice
          label={m.units}
          description={`${m.example(f.weight({ value: 1000, unit: 'kg' }))} ${m.unitsText}`}
          value={preferences.weight_unit}
          options={units.map((value) => ({ value, label: m.unitNames[value] }))}
          onChange={(unit) => save({ weight_unit: unit as Preferences['weight_unit'] })}
        />
        <Choice
          label={m.theme}
          value={preferences.theme}
          options={themes.map((value) => ({ value, label: nav.themes[value] }))}
          onChange={(theme) => save({ theme: theme as Theme })}
        />
        {error !== null && Object.keys(faults).length === 0 && <DialogError error={error} />}
      </div>
    </Section>
  )
}

type ChoiceProps = {
  label: string
  description?: string
  value: string
  options: { value: string; label: string; lang?: string }[]
  onChange(value: string): void
}

function Choice({ label, description, value, options, onChange }: ChoiceProps) {
  return (
    <Radio.Group label={label} description={description} value={value} onChange={onChange}>
      <div className={styles.choices}>
        {options.map((option) => (
          <Radio key={option.value} {...option} />
        ))}
      </div>
    </Radio.Group>
  )
}
