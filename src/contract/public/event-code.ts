import { explained } from '../schema.js'
import { eventCodes } from './event-codes.js'

/** The code of an event, with what it says about the container or the goods. */
export const EventCode = explained(eventCodes, 'What happened.', {
  EMPTY_OUT: 'The empty container left a depot, to be filled.',
  PICKED_UP: 'The goods, or the filled container, were collected from the shipper.',
  STUFFED: 'The goods were packed into the container.',
  GATE_IN: 'The container entered a terminal.',
  VGM: 'The verified gross mass of the container was declared.',
  CUSTOMS_CLEARED_EXPORT: 'Customs permitted the export.',
  LOADED: 'The container or the goods were loaded onto a vessel, aircraft, train or truck.',
  DEPARTED: 'The vessel, aircraft, train or truck left the place.',
  ARRIVED: 'The vessel, aircraft, train or truck reached the place.',
  BERTHED: 'The vessel moored at its berth.',
  DISCHARGED: 'The container or the goods were unloaded from a vessel, aircraft, train or truck.',
  CUSTOMS_HOLD: 'Customs stopped the container or the goods.',
  CUSTOMS_INSPECTION: 'Customs examine the container or the goods.',
  CUSTOMS_RELEASED: 'Customs released the container or the goods.',
  CARRIER_HOLD: 'The carrier does not hand the container over, for example because freight is unpaid.',
  CARRIER_RELEASED: 'The carrier permits that the container is collected.',
  AVAILABLE: 'The container can be collected from the terminal.',
  GATE_OUT: 'The container left a terminal.',
  APPOINTMENT: 'A time was agreed for collection or delivery.',
  OUT_FOR_DELIVERY: 'The goods are on the way to the consignee.',
  DELIVERY_FAILED: 'A delivery was attempted without success.',
  DELIVERED: 'The consignee has received the goods.',
  STRIPPED: 'The container was emptied.',
  EMPTY_IN: 'The empty container was returned.',
  ROLLED: 'The carrier moved the container to a later sailing.',
  OFFLOADED: 'The container was taken off the vessel before its destination.',
  DELAYED: 'A delay was reported.',
  OTHER: 'Anything else. It is shown and changes no date.',
})
