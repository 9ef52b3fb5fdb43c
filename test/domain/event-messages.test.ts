import { expect, test } from 'vitest'
import type { EventCode } from '../../src/contract/public/event-codes.js'
import { codeOfText } from '../../src/domain/tracking/event-phrases.js'

/** What people and their systems write about containers, flights and trucks, each with what it means: most of it moves nothing. */

const meanings: Partial<Record<EventCode, string>> = {
  APPOINTMENT: `Delivery appointment confirmed for 3 May · Delivery appointment confirmed for 12 May
    Rendez-vous de livraison confirmé`,
  ARRIVED: `Vessel arrived 3 May · Truck arrived at terminal · Truck arrived at port · Container arrived at port
    Cargo arrived at port of loading · Arrived at origin port · Arrived at hub · Arrived in destination country
    Arrived at destination · Arrived at final destination · New ETA 14 June · ETA updated: 14 June · Revised ETA
    Planned arrival · Arrives 12 May · Arrived 12 May · Arrivée du navire · Arrivée effective · Arrivé à destination
    ETA modifiée au 14 juin · ARR - Arrived at FRA · Flight arrived · Aircraft landed · Train arrived at ramp
    ETA Hamburg 14 Jun · ATA Hamburg · Vessel arrived Rotterdam · Arrived at Rotterdam Maasvlakte
    Vessel expected to arrive Hamburg · Navire arrivé au Havre · Arrivée prévue au Havre · Arrivée du vol`,
  AVAILABLE: `Available for pickup at terminal · Ready for pick-up`,
  BERTHED: `Vessel alongside · Vessel at berth · Navire à quai`,
  CARRIER_HOLD: `Carrier hold · Terminal hold · Freight hold · Demurrage hold`,
  CARRIER_RELEASED: `Line release granted · Carrier hold removed · Freight released · Line release obtained`,
  CUSTOMS_CLEARED_EXPORT: `Export customs cleared`,
  CUSTOMS_HOLD: `Held for customs · USDA hold · Customs hold placed · Customs exam hold · Bloqué en douane`,
  CUSTOMS_INSPECTION: `Customs examination started · Selected for X-ray · Contrôle douanier`,
  CUSTOMS_RELEASED: `Released by the customs authority · Released by customs authorities · Cleared for import · Mainlevée accordée
    Import customs cleared · Customs hold removed · Customs hold released · USDA hold released · Mainlevée obtenue
    CCD - Customs cleared · Cleared customs · Dédouanement effectué · BAE obtenu`,
  DELAYED: `Loading delayed · ETA delayed · Vessel delayed due to weather · Departure delayed by 2 days · Départ retardé`,
  DELIVERED: `Delivery planned 12/05 · Delivered to door · Delivered to final consignee · Delivered - signed by Smith · Livré
    Livré au destinataire · 2 of 2 containers delivered · 10/10 cartons delivered · Delivered 12 of 12 pallets
    Delivered 12/05/2026 · DLV - Delivered to consignee · POD received · POD signed by J. Miller
    Signed for by consignee · Marchandise livrée · Livraison effectuée · Livraison prévue le 12 mai`,
  DELIVERY_FAILED: `Attempted delivery: customer closed · Client absent · Client absent lors de la livraison
    Consignee unavailable for delivery · Not delivered · Undelivered · Non livré · Delivery refused by consignee
    Attempted delivery - business closed · Delivery attempt unsuccessful`,
  DEPARTED: `Departured from Ningbo · ETD Busan 3 May · Left origin · MV Ever Given departed Shanghai
    Vessel sailed on 12 May 2026 · Vessel sailed on 12/05/2026 · Sailed from Busan on 2026-05-12
    ETD changed to 14 May · Estimated departure · Actual departure · Départ confirmé · Départ du navire
    Départ effectif · DEP - Departed on flight LH8400 · Flight departed · Train departed
    Vessel sailed from Shanghai · Vessel has sailed · Vessel left port · ETD Shanghai 12 May · ATD Shanghai
    Navire parti de Shanghai · Le navire a appareillé · Avion décollé`,
  DISCHARGED: `De-ramped · Tship discharged · Unloading completed · Discharge completed · Discharging · Déchargé du navire
    RCF - Received from flight LH8400 · Deramped from train · Conteneur déchargé · Déchargement terminé`,
  EMPTY_IN: `Empty container returned to depot · Gate in (empty) · Vide retourné au dépôt · Empty in · MTY returned
    Conteneur vide restitué · Restitution du vide`,
  EMPTY_OUT: `Departed Empty to Shipper · Discharged empty at the factory · Delivered empty to shipper · Gate out - empty · Empty out
    Mise à disposition du vide · Retrait du vide`,
  GATE_IN: `Arrived at regional distribution centre · Arrived at the logistics hub · Container arrived at depot
    Cargo arrived at warehouse · Arrived at warehouse · Delivered to port of loading
    Cargo received by consolidator · Gate in · Gate-in full · Conteneur entré au terminal · RCS
    Freight accepted at airport · Consignment received at warehouse · Truck arrived at warehouse · Rail ramp in-gate
    Full in · Ingate at terminal · Cargo delivered to CFS · Cargo received at CFS`,
  GATE_OUT: `Truck departure from inland location to consignee · Gate-out (full) · Truck gate out · Conteneur sorti du port
    Dispatched · Rail ramp out-gate · Full out · Gate out full for export · Outgate from terminal
    Sortie du terminal · Gate-Out Terminal`,
  LOADED: `Cargo on board MV NORDIC STAR · Loaded · Loading · Loading completed · Shipped on board · On board vessel
    Stowed on board · Cargo on board MV EVER GIVEN · Chargement effectué · Chargé dans le camion · Trailer loaded
    Truck loaded · Ramped on train · Conteneur chargé à bord · Chargé sur le navire MSC OSCAR`,
  OFFLOADED: `Offloaded from flight`,
  OTHER: `Left for Antwerp for vessel NORDIC STAR · Departed to Felixstowe for the feeder
    Attempted delivery, shop closed · Client absent de la réunion · Customer absent from the call
    Customer closed the ticket · Delivered by 3 May · Livré avant le 3 mai · Vessel departed without container
    Vessel departed without cargo · Container missed vessel · Container missed the vessel, departed without it
    Vessel departure cancelled · Vessel departure time changed · Vessel arrival time changed
    Vessel arrival in 3 days · Vessel arriving tomorrow · Vessel arriving · Vessel arriving at Hamburg
    Vessel approaching port of discharge · Vessel in port · Waiting for vessel arrival · Waiting for vessel
    Awaiting discharge · Awaiting departure · Awaiting pick-up · Awaiting delivery · Awaiting customs clearance
    Pending arrival · Arrival pending · Arrival confirmed by agent · Arrival of documents
    Arrival of originals at bank · Documents arrived · Documents sent to consignee · Pre-alert sent
    Booking confirmed · Booking received · Order received · Shipment information received
    Shipping instructions received · Payment received · Cargo ready · Goods ready at factory · Container assigned
    Container allocated to vessel · Truck assigned · Truck on the way to shipper · Truck waiting at terminal
    Arrived at customer · Arrived at consignee · Arrived at delivery location · Loading started
    Loading in progress · Loading commenced · Unloading started · Discharge commenced · Discharge ongoing
    50% discharged · Discharged in error · Discharged at wrong port · Overlanded · Restowed · Shifted
    Load plan received · Load confirmation pending · On board date 12.05.2026 · ETA revised due to congestion
    Vessel schedule changed · Vessel changed · Change of vessel · Transshipment · Transshipment port changed
    In transshipment · Transit · At sea · En route · On the water · In transit to destination
    Customs docs submitted · Customs entry filed · Customs duties paid · Customs declaration accepted
    Export declaration lodged · Not cleared by customs · Customs not cleared · On hold · Hold removed
    Released for pick up · Not available for pickup · Not yet available · Pickup number issued
    Pickup appointment missed · Delivery order issued · Delivery order received · Delivery scheduled for tomorrow
    Delivery in progress · Delivered to wrong address · Delivered? · To be delivered · Will be delivered on Monday
    Delivery expected Monday · Empty not returned · Empty return overdue · Empty container to be returned
    Return empty by 12 May · Delivered by 12 May · Arrival by 12 May · Shipment cancelled · Returned to shipper
    Damaged · Cargo damaged during discharge · Reefer temperature alarm · Container inspected · Seal broken
    Weighed · Fumigation completed · Storage started · Cargo handed over to carrier · Handed over to airline
    Navire non arrivé · Navire attendu le 14 mai · Navire en approche · Navire au mouillage · En attente du navire
    Départ annulé · Avis d'arrivée envoyé · Pas encore livré · Livré au dépôt · Livré 3 colis sur 5
    À livrer le 14 mai · Chargement en cours · Déchargement en cours · Vide à retourner · Douane en attente
    Documents envoyés en douane · Réservation confirmée · Marchandise prête · 8/10 colis livrés
    Vessel departed (1 of 2 containers on board) · Delivered 2 of the 4 pallets · Leg 1 of 3 departed
    1 of 2 containers delivered · 2 of 3 containers loaded · 3 out of 5 pallets delivered · Partially delivered
    Partial delivery · Part delivered, balance to follow · Delivered 10 of 12 pallets · Vessel arrival notice
    Arrival notice issued · Pre-arrival notice sent to customs · Vessel waiting at anchorage
    Vessel anchored off Long Beach · Vessel at anchorage · Vessel omitted port of Busan · Blank sailing
    MAN Manifested on flight LH8400 · NFD - Consignee notified · AWD - Documents delivered
    AWR - Arrival documents received · Documents delivered to consignee · Freight on hand · Booked on flight LH8400
    Cargo transferred to another airline · Agent notified · Driver arrived at pick up · Driver at delivery
    Driver departed delivery · En route to pick up · Arrived at border · Border crossed · Delivery rescheduled
    Grounded at ramp · Placed at ramp · Interchange received · Interchange delivered · Bad order
    Customs clearance in progress · Customs clearance pending · ISF filed · AMS hold · Telex release · B/L released
    Original B/L surrendered · Last free day 12 May · Vessel not yet arrived · Vessel has not departed
    Arrival cancelled · Departure cancelled · Departed? · Should arrive tomorrow · Vessel to arrive on 12 May
    Loading list sent · VGM missing · Vessel cut-off passed · Livraison partielle · En attente de dédouanement
    Despacho aduanero · En tránsito`,
  OUT_FOR_DELIVERY: `Out for local delivery · En cours de livraison · In transit to delivery`,
  PICKED_UP: `Left shipper · Left factory · Left warehouse · Enlèvement prévu le 12 mai · Truck departed from warehouse
    Goods picked up at shipper · Collected from supplier · Cargo picked up · Pick-up done · Enlèvement effectué
    Enlevé chez le fournisseur`,
  ROLLED: `Not loaded on the vessel · Non embarqué · Non chargée · Cargo rolled to next vessel · Short-shipped · Not loaded
    Not loaded on vessel · Conteneur reporté sur le prochain navire`,
  STRIPPED: `Discharged full at the customer · Strip at warehouse · Unloaded at consignee · Container devanned
    De-stuffing completed · Dépotage effectué`,
  STUFFED: `Loaded laden at factory · Loaded at shipper · Container stuffed at CFS · Cargo stuffed · Vanning completed
    Empotage terminé`,
  VGM: `VGM submitted to carrier`,
}

const texts = Object.entries(meanings).flatMap(([code, list]) =>
  list.split(/[·\n]/).map((text) => [text.trim(), code] as const),
)

test.each(texts)('"%s" means %s, in capitals as well', (text, code) => {
  expect(codeOfText(text)).toBe(code)
  expect(codeOfText(text.toUpperCase())).toBe(code)
})
