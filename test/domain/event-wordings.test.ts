import { expect, test } from 'vitest'
import type { EventCode } from '../../src/contract/public/event-codes.js'
import type { ShipmentRecord } from '../../src/contract/public/shipment.js'
import type { StepType } from '../../src/contract/public/tracking.js'
import { codeOfText, isByLand, isExpectation } from '../../src/domain/tracking/event-phrases.js'

/** Wordings of carriers, airlines, hauliers and terminals, by what they share: who, where, and whether it has happened. */

const of = (list: string) =>
  list
    .split('\n')
    .flatMap((line) => line.split('·'))
    .map((text) => text.trim())
    .filter((text) => text !== '')

test.each(
  of(`Delivery date · Delivery time · Delivery point · Delivery to port · Delivery to terminal · Livraison au terminal
    Date de livraison · Livraison · Delivery · Cash on delivery · On delivery · Delivery note received
    Delivery rescheduled to Monday · Livraison partielle · Partially delivered · Delivery vehicle departed
    Delivered to connecting carrier · Delivered to depot · Delivered to railroad · Delivered to broker · Delivered to agent
    Documents delivered to consignee · B/L delivered to consignee · Proof of delivery missing · Outbound delivery to consignee`),
)('"%s" delivers nothing', (text) => {
  expect(codeOfText(text)).toBe('OTHER')
  expect(codeOfText(text.toUpperCase())).toBe('OTHER')
})

test.each(
  of(`reversed · retracted · deleted · entered in error · corrected · invalid · duplicate · superseded · simulated · test · partial · incomplete
    imminent · shortly · later · tonight · probably · likely · provided it clears · subject to weather · assuming no strike · unverified · remainder tomorrow
    minus 1 container · preparations · formalities · manifest · annulé · supprimé · erroné · rectifié · fictif · éventuel · prochainement · sous réserve`),
)('"%s" behind what happened is no place: it has not happened, or not to all', (remark) => {
  for (const [event, step] of [
    ['Departed', 'origin_port'],
    ['Vessel sailed', 'origin_port'],
    ['Loaded on board', 'origin_port'],
    ['Navire parti', 'origin_port'],
    ['Arrived', 'destination_port'],
    ['Arrivé', 'destination_port'],
  ] as const)
    for (const text of [`${event} - ${remark}`, `${event} (${remark})`, `${event} (${remark})`.toUpperCase()])
      expect([text, codeOfText(text, step, 'ocean')]).toEqual([text, 'OTHER'])
})

test.each(
  of(`Has the vessel arrived · Did the container depart · Navire sur le départ · Dès le départ du navire · À l'arrivée du navire · Lors du départ
    Upon arrival · Upon departure of the vessel · Departed (0 pcs) · Arrived 0 pieces · Ramassage à planifier · Enlèvement à programmer`),
)('"%s" asks for it, or is about the time of it', (text) => {
  for (const step of ['pickup', 'origin_port', 'destination_port'] as const) {
    expect(codeOfText(text, step, 'ocean')).toBe('OTHER')
    expect(codeOfText(text.toUpperCase(), step, 'ocean')).toBe('OTHER')
  }
})

test.each(
  of(`Arrived at carrier facility · Departed sort facility · Arrived at unit load centre · Departed for repairs
    Arrived in destination state of readiness · Vessel departed as a precaution`),
)('"%s" names no place: in a text with capitals, names have some', (text) => {
  expect(codeOfText(text, 'origin_port', 'ocean')).toBe('OTHER')
})

test.each(
  of(`Arrived in Rotterdam · arrived rotterdam · Arrived Port Klang (West) · Arrived at Ras al-Khair · Arrivé à Fos-sur-Mer
    Arrivée à Saint-Denis de la Réunion · Vessel arrived Puerto de la Cruz · Arrived at transhipment hub Singapore · Arrived CDG`),
)('"%s" is an arrival at a named place', (text) => {
  expect(codeOfText(text, 'destination_port', 'ocean')).toBe('ARRIVED')
  expect(codeOfText(text.toUpperCase(), 'destination_port', 'ocean')).toBe('ARRIVED')
})

test.each(
  of(`Delivered to sorting centre · Delivered to parcel locker · Delivered to neighbour · Livré en point relais · Livré au centre de tri
    Delivered to distribution center · Delivered to post office`),
)('"%s" has not reached the consignee', (text) => {
  expect(codeOfText(text, 'delivery')).toBe('OTHER')
  expect(codeOfText(text.toUpperCase(), 'delivery')).toBe('OTHER')
})

test.each(
  of(
    `Delivered in good order and condition · Delivered in good condition · Livré contre signature · Delivered to consignee in Lyon`,
  ),
)('"%s" is a delivery', (text) => {
  expect(codeOfText(text, 'delivery')).toBe('DELIVERED')
  expect(codeOfText(text.toUpperCase(), 'delivery')).toBe('DELIVERED')
})

test.each(of(`Discharged onto truck · Discharged to rail · Discharged to a barge · Déchargé sur camion`))(
  '"%s" at the port of destination is a discharge from the vessel',
  (text) => {
    expect(codeOfText(text, 'destination_port', 'ocean')).toBe('DISCHARGED')
  },
)

test.each(
  of(`Delivered to port · Delivered to the origin terminal · Delivered to ocean carrier · Delivered to airline
    Delivered to CFS · Delivered to rail ramp · Livré au port · Livré au transporteur`),
)('"%s" is a hand-over to those who carry it on, no delivery', (text) => {
  expect(codeOfText(text)).toBe('GATE_IN')
})

test.each(
  of(`Out on delivery · In delivery · Being delivered · En livraison · Partie en livraison · Sorti pour livraison
    Loaded for delivery · In transit to consignee · En route to delivery location`),
)('"%s" is on its way, not delivered', (text) => {
  expect(codeOfText(text)).toBe('OUT_FOR_DELIVERY')
})

test.each(
  of(`Delivered to consignee · Delivered to customer warehouse · Delivered to place of delivery · Delivery completed
    Delivery made · Delivery to consignee completed · Delivered to consignee or agent · Received by customer · POD received
    Signed for by customer · Livraison réalisée · Livraison au client effectuée · Remis au destinataire · Livré au client
    Preuve de livraison reçue`),
)('"%s" is a delivery that has happened', (text) => {
  expect([codeOfText(text), isExpectation(text)]).toEqual(['DELIVERED', false])
  expect(codeOfText(text.toUpperCase())).toBe('DELIVERED')
})

test.each([
  ['Vessel arrived at rotterdam', 'ARRIVED'],
  ['Arrived at the port of rotterdam', 'ARRIVED'],
  ['Discharged at rotterdam', 'DISCHARGED'],
  ['Vessel departed from shanghai', 'DEPARTED'],
  ['Déchargé à marseille', 'DISCHARGED'],
  ['Navire parti de shanghai', 'DEPARTED'],
  ['Delivered to customer facility', 'DELIVERED'],
  ["Delivered to the consignee's plant", 'DELIVERED'],
])('"%s" names a place in small letters, and has happened there', (text, code) => {
  expect(codeOfText(text)).toBe(code)
})

test.each(of('Delivery · Final delivery · Livraison · Delivery to consignee · Livraison chez le client'))(
  'at the step of the delivery "%s" is its milestone, and only there',
  (text) => {
    expect(codeOfText(text, 'delivery')).toBe('DELIVERED')
    expect(codeOfText(`${text} date`, 'delivery')).toBe('OTHER')
  },
)

test.each<[string, EventCode]>([
  ['Estimated delivery date', 'DELIVERED'],
  ['New delivery date', 'DELIVERED'],
  ['Date de livraison prévue', 'DELIVERED'],
  ['Estimated arrival date', 'ARRIVED'],
  ["Date d'arrivée prévue", 'ARRIVED'],
  ['Estimated date of departure', 'DEPARTED'],
  ['Vessel ETB', 'BERTHED'],
  ['ETA changed to 14 May', 'ARRIVED'],
  ['Nouvelle ETA', 'ARRIVED'],
  ['ETA modifiée', 'ARRIVED'],
  ["Prévision d'arrivée", 'ARRIVED'],
])('"%s" says when %s is expected', (text, code) => {
  expect([codeOfText(text), isExpectation(text)]).toEqual([code, true])
})

test.each(
  of(`Arrived at shipper · Arrived at supplier · Arrived at factory · Arrived at pickup location · Arrived for loading
    Arrived to collect · Arrived at delivery location · Arrived at delivery address · Arrived at border · Arrived on site
    Vessel arrival at pilot station · Vessel arrived at sea buoy · Vessel arrived at waiting area · Arrived at anchorage
    Vessel arrived off port limits · Vessel arrived Suez Canal · Arrival date · Arrival time · Date d'arrivée
    Arrivée chez le chargeur · Arrivé chez le client · Arrivée sur rade · Arrivée à la frontière · Arrival survey done
    Surveyor arrived · Pilot arrived · Documents arrived · Arrivée décalée · Vessel arrived for bunkers
    Departure date · Heure de départ · Departed from consignee · Left customer premises · Départ de chez le client
    Departed depot for shipper · Vessel left berth for anchorage · Departure formalities completed · Départ reporté
    Driver at pickup · Driver arrived · Chauffeur arrivé · Container damaged on discharge · Vessel departed without container · Container left behind`),
)('"%s" is no arrival or departure of the goods', (text) => {
  expect(codeOfText(text)).toBe('OTHER')
  expect(codeOfText(text.toUpperCase())).toBe('OTHER')
})

const meanings: Partial<Record<EventCode, string>> = {
  DEPARTED: `Vessel departed from berth · Vessel left its berth · Vessel unberthed · Le navire a quitté le quai
    Vessel departed Shanghai · Departed Le Havre · Actual date of departure · Navire parti du Havre · Flight LH8400 departed
    Vol décollé · Wheels up · DEP · DEP - Departed · Départ effectif · Departed 14 May · Sailed on May 3rd
    Vessel departure (Maersk Hangzhou / 244W)`,
  ARRIVED: `Vessel arrived Rotterdam · Arrived Rotterdam · Navire arrivé Rotterdam · Actual arrival date · Vol atterri
    Arrived at destination · Arrival in Hamburg · ARR: Arrived · Arrivée effective`,
  BERTHED: 'Vessel at berth · Vessel arrived at berth · Arrivé à quai · Ship docked',
  EMPTY_IN: `Vide en dépôt · Vide au dépôt · Remise du vide au dépôt · Entrée du conteneur vide · Retour à vide
    Empty ingated · Empty return confirmed · Empty dropped at yard`,
  EMPTY_OUT: `Vide au chargeur · Vide chez l'expéditeur · Conteneur vide livré au chargeur · Retrait du vide
    Sortie du conteneur vide · Positionnement du vide chez le chargeur · Empty outgated · Delivered empty to shipper
    Empty container delivered to factory · Gate out empty for stuffing
    Empty container collected from depot · Sent empty to shipper · Empty dropped off at shipper`,
  GATE_IN: `Ingated · In-gated · Pieces received · Entrée du conteneur plein · Received from shipper or agent
    Consignment received ready for carriage · Cargo accepted · Export at rail yard · Prêt à être chargé
    RCS · RCS - Received from Shipper · Reçu de l'expéditeur · Réception au quai · Remise du plein au terminal
    Conteneur plein remis au terminal · Arrivée à l'entrepôt`,
  GATE_OUT: `Outgated · Out-gated full · Conteneur au destinataire · Sortie du conteneur plein
    Retrait du conteneur plein · Picked up from terminal by carrier haulage · Sortie du port
    Sent full to consignee · Conteneur retiré par le client · Import truck departure from port of discharge to customer
    Truck departed from terminal`,
  CUSTOMS_RELEASED: `Libéré par la douane · Libération douane · Libération douanière · Dédouanement effectué
    Mainlevée douanière obtenue · Bon à enlever · Released from customs
    BAE obtenu · Levée de blocage douane · Marchandises dédouanées · Released from customs hold · USDA hold released · CBP exam hold removed`,
  CUSTOMS_HOLD: 'FDA hold · USDA hold · CBP exam hold placed · Container on customs hold · Bloqué par la douane',
  CUSTOMS_CLEARED_EXPORT: 'Dédouanement export effectué',
  CUSTOMS_INSPECTION: 'Visite douanière · Contrôle de la douane · Under customs inspection',
  CARRIER_RELEASED: "Libéré par l'armateur",
  CARRIER_HOLD: "Bloqué par l'armateur · Demurrage hold",
  STUFFED: "Empotage effectué · Loaded at shipper · Chargé chez l'expéditeur",
  STRIPPED: 'Dépotage effectué · Unloaded at consignee · Déchargé chez le client · Destuffed · Devanning at CFS',
  PICKED_UP: `Enlèvement effectué · Pris en charge par le transporteur · Collected from supplier's warehouse
    Départ usine · Departed pickup location · Departed pickup`,
  LOADED: 'Chargement effectué · ULD loaded · Pallets loaded · Cargo uplifted · Stowed on board · On barge for export',
  DISCHARGED:
    'Déchargement terminé · Received from flight · ULD unloaded · RCF - Received from Flight · Container off vessel',
  OFFLOADED: 'Pieces offloaded',
  DELAYED: `Arrivée retardée · Livraison retardée · Retard dû à la météo · Vessel delayed due to weather
    Delayed by 2 days · Delayed arrival · Delay in departure · Retard à l'arrivée · Vessel delayed by strike · ETA delayed · Sailing delayed · Truck delayed at border`,
  DELIVERY_FAILED: `Livraison non effectuée · Livraison impossible · Unable to deliver · Livraison refusée par le client
    Consignee refused delivery · Delivery attempted, business closed · Client absent`,
  OTHER: `Dédouanement en cours · Dépotage non terminé · No delay · Libéré · Dédouanement non effectué
    Arrived, not unloaded · Loading cancelled · Manifested on flight · Consignee notified of arrival
    NFD - Consignee notified · Empty dropped at customer · Sent to customer
    Return empty by 12 May · Vessel shifted berth · Signed off vessel · Pre-arrival customs clearance`,
}

test.each(Object.entries(meanings).flatMap(([code, texts]) => of(texts).map((text) => [text, code] as const)))(
  '"%s" is recognised as %s',
  (text, code) => {
    expect([codeOfText(text), isExpectation(text)]).toEqual([code, false])
    expect(codeOfText(text.toUpperCase())).toBe(code)
  },
)

test('names of vessels need no capitals throughout, where a sentence tells them from other words', () => {
  expect(codeOfText('Ever Given departed from Shanghai')).toBe('DEPARTED')
  expect(codeOfText('Maersk Mc Kinney has arrived at Rotterdam')).toBe('ARRIVED')
  expect(codeOfText('Ship Agent arrived')).toBe('OTHER')
  expect(codeOfText('Marine Surveyor arrived')).toBe('OTHER')
})

type Mode = ShipmentRecord['freight_mode']

test.each<[string, StepType]>([
  ['Truck departed', 'origin_port'],
  ['Rail departed', 'origin_port'],
  ['Barge departed', 'origin_port'],
  ['Train parti', 'origin_port'],
  ['Loaded on rail', 'origin_port'],
  ['Truck arrived', 'destination_port'],
  ['Péniche arrivée', 'destination_port'],
  ['Camion arrivé', 'destination_port'],
  ['Discharged from barge', 'transshipment_port'],
])('"%s" at the step %s moves nothing on a journey by sea or air, and does by rail or road', (text, step) => {
  for (const mode of [undefined, 'ocean', 'air'] as Mode[]) expect(codeOfText(text, step, mode)).toBe('OTHER')
  for (const mode of ['rail', 'truck'] as Mode[]) expect(codeOfText(text, step, mode)).not.toBe('OTHER')
})

test('what is not on the main leg counts by land as well: gates, and inland places', () => {
  expect(codeOfText('Truck gate in', 'origin_port', 'ocean')).toBe('GATE_IN')
  expect(codeOfText('Import truck gate out from terminal', 'destination_port', 'ocean')).toBe('GATE_OUT')
  expect(codeOfText('Rail arrived', 'inland_terminal', 'ocean')).toBe('ARRIVED')
})

test('of several means of transport the first that is named moves', () => {
  expect(isByLand('Discharged from vessel to rail')).toBe(false)
  expect(isByLand('Loaded on truck for vessel')).toBe(true)
  expect(codeOfText('Discharged from vessel to rail', 'destination_port', 'ocean')).toBe('DISCHARGED')
})

test.each<[string, StepType]>([
  ['Arrived', 'pickup'],
  ['Driver arrived', 'pickup'],
  ['Unloaded', 'pickup'],
  ['Departed', 'delivery'],
])('"%s" at the step %s is about the truck at a door, and moves nothing', (text, step) => {
  expect(codeOfText(text, step, 'truck')).toBe('OTHER')
})
