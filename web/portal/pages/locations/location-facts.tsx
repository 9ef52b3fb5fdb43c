import {
  IconCalendarCheck,
  IconClock,
  IconInfoCircle,
  IconMail,
  IconPhone,
  IconTruckLoading,
} from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { Location } from '../../../../src/contract/public/location.js'
import { useFormat } from '../../i18n/format.js'
import { useMessages } from '../../i18n/messages.js'
import styles from './locations.module.css'
import { telephoneOf } from './telephone.js'

export function AddressText({ location }: { location: Location }) {
  const format = useFormat()
  const { address, zip_code, city, country } = location
  const place = [zip_code, city].filter((part) => part !== undefined).join(' ')
  const lines = [address, place, country && format.country(country.toUpperCase())].filter(Boolean)
  return (
    <address className={styles.address}>
      {lines.map((line) => (
        <span key={line}>{line}</span>
      ))}
    </address>
  )
}

/** Opening hours and access rules. */
export function Rules({ location }: { location: Location }) {
  const m = useMessages().locations
  const { opening_hours, requires_appointment, requires_tailgate_truck, additional_information } = location
  return (
    <ul className={styles.rules}>
      {opening_hours && (
        <Rule icon={<IconClock size={16} stroke={1.6} />} label={m.openingHours}>
          {opening_hours}
        </Rule>
      )}
      {requires_appointment && (
        <Rule icon={<IconCalendarCheck size={16} stroke={1.6} />} label={m.appointmentLabel}>
          {m.appointment}
        </Rule>
      )}
      {requires_tailgate_truck && (
        <Rule icon={<IconTruckLoading size={16} stroke={1.6} />} label={m.tailgateLabel}>
          {m.tailgate}
        </Rule>
      )}
      {additional_information && (
        <Rule icon={<IconInfoCircle size={16} stroke={1.6} />} label={m.notes}>
          {additional_information}
        </Rule>
      )}
    </ul>
  )
}

function Rule({ icon, label, children }: { icon: ReactNode; label: string; children: ReactNode }) {
  return (
    <li>
      <span aria-hidden="true" className={styles.icon}>
        {icon}
      </span>
      <span>
        <span className="visually-hidden">{label}: </span>
        {children}
      </span>
    </li>
  )
}

export function Contacts({ location }: { location: Location }) {
  const { contacts = [], country } = location
  return (
    <ul className={styles.contacts}>
      {contacts.map((contact, index) => (
        // No field of a contact is required or unique.
        <li key={index}>
          {contact.name && <span className="strong">{contact.name}</span>}
          {contact.email && (
            <a href={`mailto:${contact.email}`}>
              <IconMail size={16} stroke={1.6} aria-hidden="true" /> {contact.email}
            </a>
          )}
          {contact.phone !== undefined && <Phone phone={contact.phone} country={country} />}
        </li>
      ))}
    </ul>
  )
}

function Phone({ phone, country }: { phone: number; country: string | undefined }) {
  const { text, address } = telephoneOf(phone, country)
  return (
    <a href={address}>
      <IconPhone size={16} stroke={1.6} aria-hidden="true" /> {text}
    </a>
  )
}
