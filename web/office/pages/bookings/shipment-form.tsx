import { IconPlus, IconX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import {
  containerTypes,
  freightModes,
  freightTypes,
  incoterms,
  loadTypes,
} from '../../../../src/contract/public/shipment.js'
import { useMessages } from '../../../portal/i18n/messages.js'
import { Button, IconButton } from '../../../ui/button.js'
import { Field, SelectField } from '../../../ui/field.js'
import { SearchableSelect } from '../../../ui/searchable-select.js'
import { Section } from '../../../ui/section.js'
import { locationsQuery } from '../../api/bookings.js'
import { accountsQuery } from '../../api/ops.js'
import { useOfficeMessages } from '../../i18n/messages.js'
import file from '../shipment/file.module.css'
import styles from './bookings.module.css'
import type { ShipmentDraft } from './shipment-draft.js'

type TextName = Exclude<
  keyof ShipmentDraft,
  | 'account'
  | 'status'
  | 'freight_mode'
  | 'load_type'
  | 'freight_type'
  | 'incoterm'
  | 'units'
  | 'like'
  | 'pickup'
  | 'delivery'
>
type Change = (changed: Partial<ShipmentDraft>) => void
type Props = { draft: ShipmentDraft; change: Change; faults: Record<string, string>; isAccountFixed: boolean }

const statuses = ['draft', 'booking_request', 'awaiting_booking', 'booked'] as const

/** The fields of a new shipment. */
export function ShipmentForm({ draft, change, faults, isAccountFixed }: Props) {
  const { bookings: m, file: texts } = useOfficeMessages()
  const { statuses: names } = useMessages()
  const { data: accounts = [] } = useQuery(accountsQuery())
  const { data: locations = [] } = useQuery({ ...locationsQuery(draft.account), enabled: draft.account !== '' })
  const none = { value: '' as const, label: m.notChosen }
  const places = [
    none,
    ...locations
      .filter(({ record }) => !record.retired)
      .map(({ id, record }) => ({ value: id, label: [record.name, record.city].filter(Boolean).join(', ') })),
  ]
  const text = (name: TextName, pointer: string) => ({
    value: draft[name],
    error: faults[pointer],
    onChange: (event: { currentTarget: { value: string } }) => change({ [name]: event.currentTarget.value }),
  })
  return (
    <>
      <Section title={m.shipment}>
        <div className={file.formRow}>
          {!isAccountFixed && (
            <SearchableSelect
              label={m.customer}
              value={draft.account}
              options={accounts.map(({ slug, name }) => ({ value: slug, label: name }))}
              onChange={(account) => change({ account, pickup: '', delivery: '' })}
            />
          )}
          <Field label={texts.name} maxLength={200} {...text('name', '/name')} />
          <SelectField
            label={m.mode}
            value={draft.freight_mode}
            options={freightModes.map((value) => ({ value, label: names.mode[value] }))}
            onChange={(freight_mode) => change({ freight_mode })}
          />
          <SelectField
            label={m.load}
            value={draft.load_type}
            options={[none, ...loadTypes.map((value) => ({ value, label: names.loadType[value] }))]}
            onChange={(load_type) => change({ load_type })}
          />
          <SelectField
            label={m.incoterm}
            value={draft.incoterm}
            options={[none, ...incoterms.map((value) => ({ value, label: names.incoterm[value] }))]}
            onChange={(incoterm) => change({ incoterm })}
          />
          <SelectField
            label={m.status}
            value={draft.status}
            options={statuses.map((value) => ({ value, label: names.shipment[value] }))}
            onChange={(status) => change({ status })}
          />
        </div>
      </Section>
      <Section title={m.route}>
        <div className={file.formRow}>
          <Field label={texts.origin} placeholder="CN/SHA" {...text('origin', '/route/origin_port_unlocode')} />
          <Field
            label={texts.destination}
            placeholder="NL/RTM"
            {...text('destination', '/route/destination_port_unlocode')}
          />
          <SelectField
            label={m.pickup}
            value={draft.pickup}
            options={places}
            onChange={(pickup) => change({ pickup })}
          />
          <SelectField
            label={m.delivery}
            value={draft.delivery}
            options={places}
            onChange={(delivery) => change({ delivery })}
          />
          <SelectField
            label={m.transport}
            value={draft.freight_type}
            options={[none, ...freightTypes.map((value) => ({ value, label: names.freightType[value] }))]}
            onChange={(freight_type) => change({ freight_type })}
          />
          <Field label={texts.ready} type="date" {...text('ready', '/cargo_ready_date')} />
          <Field label={texts.desired} type="date" {...text('desired', '/desired_delivery_date')} />
        </div>
      </Section>
      <Section title={texts.groups.booking}>
        <div className={file.formRow}>
          <Field label={texts.carrier} maxLength={200} {...text('carrier', '/booking_information/carrier')} />
          <Field label={texts.masterBill} maxLength={200} {...text('masterBill', '/booking_information/master_bill')} />
          <Field label={texts.houseBill} maxLength={200} {...text('houseBill', '/booking_information/house_bill')} />
          {draft.freight_mode === 'ocean' && (
            <Field
              label={texts.booking}
              maxLength={200}
              {...text('booking', '/booking_information/ocean_booking/booking_number')}
            />
          )}
          {draft.freight_mode === 'air' && (
            <Field
              label={texts.flight}
              maxLength={200}
              {...text('flight', '/booking_information/air_booking/flight_number')}
            />
          )}
        </div>
      </Section>
      <Section title={texts.units}>
        <Units {...{ draft, change, faults }} />
        <div className={file.formRow}>
          <Field label={m.goods} maxLength={1000} {...text('goods', '/transported_goods/goods_description')} />
          <Field label={texts.instructions} maxLength={1000} {...text('instructions', '/specific_instructions')} />
        </div>
      </Section>
    </>
  )
}

function Units({ draft, change, faults }: Omit<Props, 'isAccountFixed'>) {
  const { bookings: m, file: texts } = useOfficeMessages()
  const { statuses: names } = useMessages()
  const { units } = draft
  const set = (index: number, changed: Partial<ShipmentDraft['units'][number]>) =>
    change({ units: units.map((unit, at) => (at === index ? { ...unit, ...changed } : unit)) })
  return (
    <div className={styles.units}>
      {units.map((unit, index) => (
        // Units are identified by their order alone.
        // biome-ignore lint/suspicious/noArrayIndexKey: units have no other identity
        <div key={index} className={styles.unit} role="group" aria-label={m.unit(index + 1)}>
          <SelectField
            aria-label={`${texts.type}, ${m.unit(index + 1)}`}
            value={unit.type}
            options={[
              { value: '' as const, label: m.notChosen },
              ...containerTypes.map((value) => ({ value, label: names.containerType[value] })),
            ]}
            onChange={(type) => set(index, { type })}
          />
          <Field
            aria-label={`${texts.number}, ${m.unit(index + 1)}`}
            placeholder={m.numberLater}
            value={unit.number}
            error={faults[`/cargo/containers/${index}/container_number`]}
            onChange={(event) => set(index, { number: event.currentTarget.value.toUpperCase() })}
          />
          <IconButton
            aria-label={`${m.remove}: ${m.unit(index + 1)}`}
            onClick={() => change({ units: units.filter((_, at) => at !== index) })}
          >
            <IconX size={16} aria-hidden="true" />
          </IconButton>
        </div>
      ))}
      <Button
        size="xs"
        variant="default"
        leftSection={<IconPlus size={14} aria-hidden="true" />}
        onClick={() =>
          change({
            units: [
              ...units,
              units.at(-1)
                ? { type: units.at(-1)?.type ?? '', number: '' }
                : { type: 'forty_foot_highcube_standard', number: '' },
            ],
          })
        }
      >
        {m.addUnit}
      </Button>
    </div>
  )
}
