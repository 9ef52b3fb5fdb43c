import type { Shipment } from '../../../../src/contract/public/shipment.js'
import { Copyable } from '../../../ui/copyable.js'
import { Section } from '../../../ui/section.js'
import { useFormat } from '../../i18n/format.js'
import { useMessages } from '../../i18n/messages.js'
import { type Fact, Facts, isNothingKnown } from './facts.js'
import styles from './shipment.module.css'

/** Carrier, vessel or flight, and transport documents. */
export function BookingSection({ shipment }: { shipment: Shipment }) {
  const { shipment: messages, statuses } = useMessages()
  const m = messages.booking
  const f = useFormat()
  const { booking_information: booking = {}, load_type, accepted_quote: quote } = shipment
  const { ocean_booking: ocean = {}, air_booking: air = {} } = booking
  const number = (text: string | undefined) => text && <Copyable text={text} />
  const booked: Fact[] = [
    [m.carrier, booking.carrier],
    [m.vessel, ocean.vessel],
    [m.voyage, number(ocean.voyage)],
    [m.flight, number(air.flight_number)],
    [m.bookingNumber, number(ocean.booking_number)],
    [m.masterBill, number(booking.master_bill)],
    [m.houseBill, number(booking.house_bill)],
    [m.chargeableWeight, air.chargeable_weight && f.weight(air.chargeable_weight)],
  ]
  const agreed: Fact[] = [
    [m.loadType, load_type && statuses.loadType[load_type]],
    [m.quote, number(quote?.id)],
    [m.quoteAccepted, quote?.accepted_date && f.day(quote.accepted_date)],
  ]
  return (
    <Section title={m.title} anchor="booking">
      {isNothingKnown(booked) && <p className={`soft ${styles.text}`}>{m.none}</p>}
      <Facts facts={[...booked, ...agreed]} />
    </Section>
  )
}
