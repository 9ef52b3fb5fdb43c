import type { Preferences } from '../../../../src/contract/portal/people.js'
import { TextButton } from '../../../ui/button.js'
import { RadioGroup } from '../../../ui/choices.js'
import { ErrorNotice } from '../../../ui/notice.js'
import { Section } from '../../../ui/section.js'
import { useSession } from '../../api/session.js'
import { useFormat } from '../../i18n/format.js'
import { useMessages } from '../../i18n/messages.js'
import { languageNames, languages, themes } from '../../layout/preferences.js'
import { Saved, useSaving } from './saving.js'
import styles from './settings.module.css'
import { TimeZoneField } from './time-zone-field.js'

const units: Preferences['weight_unit'][] = ['kg', 'lbs']

/** Language, time zone, units and theme. Each change is saved at once. */
export function DisplaySection() {
  const { settings: m, nav } = useMessages()
  const f = useFormat()
  const { preferences } = useSession()
  const { save, error, faults, savedAt } = useSaving()
  const here = Intl.DateTimeFormat().resolvedOptions().timeZone
  // Browsers and the service may prefer different names of one zone: Asia/Kolkata, Asia/Calcutta.
  const chosen = Intl.DateTimeFormat(undefined, { timeZone: preferences.time_zone }).resolvedOptions().timeZone
  return (
    <Section title={m.display} aside={<Saved at={savedAt} />}>
      <div className={styles.form}>
        <p className="soft">{m.displayText}</p>
        <RadioGroup
          label={m.language}
          value={preferences.language}
          options={languages.map((value) => ({ value, label: languageNames[value], lang: value }))}
          onChange={(language) => save({ language })}
        />
        <div>
          <TimeZoneField
            value={preferences.time_zone}
            error={faults['/time_zone']}
            onChange={(time_zone) => save({ time_zone })}
          />
          {here !== chosen && (
            <TextButton className="small" onClick={() => save({ time_zone: here })}>
              {m.useThisZone(here)}
            </TextButton>
          )}
        </div>
        <RadioGroup
          label={m.units}
          description={
            preferences.weight_unit === 'kg'
              ? m.unitsText
              : `${m.example(f.weight({ value: 1000, unit: 'kg' }))} ${m.unitsText}`
          }
          value={preferences.weight_unit}
          options={units.map((value) => ({ value, label: m.unitNames[value] }))}
          onChange={(weight_unit) => save({ weight_unit })}
        />
        <RadioGroup
          label={m.theme}
          value={preferences.theme}
          options={themes.map((value) => ({ value, label: nav.themes[value] }))}
          onChange={(theme) => save({ theme })}
        />
        {error !== null && Object.keys(faults).length === 0 && <ErrorNotice error={error} />}
      </div>
    </Section>
  )
}
