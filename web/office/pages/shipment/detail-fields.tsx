import { useQuery } from '@tanstack/react-query'
import { freightModes, freightTypes, incoterms, loadTypes } from '../../../../src/contract/public/shipment.js'
import { useMessages } from '../../../portal/i18n/messages.js'
import { Checkbox } from '../../../ui/choices.js'
import { Field, SelectField } from '../../../ui/field.js'
import { locationsQuery } from '../../api/bookings.js'
import { useOfficeMessages } from '../../i18n/messages.js'
import { checked, type FieldKind } from './field-values.js'
import styles from './file.module.css'
import { type FieldGroup, faultOf, type ShipmentField, type Values } from './shipment-fields.js'

type Options = (value: string) => { value: string; label: string }[]

/** The choices of a field, and the name of a value. */
export function useFieldOptions(account: string): Partial<Record<FieldKind, Options>> {
  const { statuses } = useMessages()
  const { bookings } = useOfficeMessages()
  const { data: locations = [] } = useQuery(locationsQuery(account))
  const none = { value: '', label: bookings.notChosen }
  const named = <Value extends string>(values: readonly Value[], names: Record<Value, string>) => [
    none,
    ...values.map((value) => ({ value: value as string, label: names[value] })),
  ]
  const places = locations.map(({ id, record }) => ({
    value: id,
    label: [record.name, record.company_name, record.city].filter(Boolean).join(', ') || id,
    isRetired: record.retired === true,
  }))
  return {
    mode: () => named(freightModes, statuses.mode),
    load: () => named(loadTypes, statuses.loadType),
    incoterm: () => named(incoterms, statuses.incoterm),
    transport: () => named(freightTypes, statuses.freightType),
    // A retired location stays where it is used.
    location: (value) => [none, ...places.filter((place) => !place.isRetired || place.value === value)],
  }
}

const groups: FieldGroup[] = ['shipment', 'parties', 'booking', 'cargo']

type Props = {
  account: string
  fields: ShipmentField[]
  values: Values
  faults: Record<string, string>
  onChange: (changed: Partial<Values>) => void
}

export function DetailFields({ account, fields, values, faults, onChange }: Props) {
  const { file: m } = useOfficeMessages()
  const optionsOf = useFieldOptions(account)
  const hints: Partial<Record<FieldKind, string>> = { weight: 'kg', volume: 'cbm', price: 'EUR' }
  return groups.map((group) => (
    <fieldset key={group} className={styles.group}>
      <legend>{m.groups[group]}</legend>
      <div className={styles.formRow}>
        {fields
          .filter((field) => field.group === group)
          .map((field) => {
            const { text, type, kind } = field
            const label = m[text]
            const options = kind && optionsOf[kind]
            const error = faultOf(field, faults)
            if (options) {
              return (
                <SelectField
                  key={text}
                  label={label}
                  value={values[text]}
                  options={options(values[text])}
                  error={error}
                  onChange={(value) => onChange({ [text]: value })}
                />
              )
            }
            if (kind === 'flag') {
              return (
                <div key={text} className={styles.flag}>
                  <Checkbox
                    label={label}
                    checked={values[text] === checked}
                    onChange={(event) => onChange({ [text]: event.currentTarget.checked ? checked : '' })}
                  />
                </div>
              )
            }
            return (
              <Field
                key={text}
                label={label}
                type={type ?? 'text'}
                value={values[text]}
                error={error}
                placeholder={kind && hints[kind]}
                maxLength={type ? undefined : 1000}
                onChange={(event) => onChange({ [text]: event.currentTarget.value })}
              />
            )
          })}
      </div>
    </fieldset>
  ))
}
