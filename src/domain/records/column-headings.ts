import { type HeadingWords, orderHeadings } from '../purchase-orders/order-headings.js'

/** Headings of tables in people's words, English and French. The first of each language is the label of the column. */

const shipments: Record<string, HeadingWords> = {
  svc_shipment_id: {
    en: ['Shipment', 'Shipment ID', 'Shipment number', 'File', 'File number'],
    fr: ['Expédition', 'N° d’expédition', 'Numéro d’expédition', 'Dossier', 'N° de dossier'],
  },
  name: { en: ['Name', 'Shipment name'], fr: ['Nom', 'Libellé'] },
  status: { en: ['Status'], fr: ['Statut', 'État'] },
  created_at: { en: ['Created', 'Created on'], fr: ['Créé le', 'Date de création'] },
  incoterm: { en: ['Incoterm', 'Incoterms'], fr: ['Incoterm'] },
  freight_mode: { en: ['Mode', 'Transport mode', 'Freight mode'], fr: ['Mode de transport'] },
  load_type: { en: ['Load type'], fr: ['Type de chargement'] },
  freight_type: { en: ['Service', 'Freight type'], fr: ['Type de service'] },
  'route.pickup_location_id': { en: ['Pick-up location', 'Pickup'], fr: ['Lieu d’enlèvement', 'Enlèvement'] },
  'route.origin_port_unlocode': {
    en: ['Origin port', 'Port of loading', 'POL', 'Origin', 'From'],
    fr: ['Port de départ', 'Port de chargement', 'Origine', 'Départ'],
  },
  'route.destination_port_unlocode': {
    en: ['Destination port', 'Port of discharge', 'POD', 'Destination', 'To'],
    fr: ['Port d’arrivée', 'Port de déchargement', 'Port de destination', 'Arrivée'],
  },
  'route.delivery_location_id': { en: ['Delivery location'], fr: ['Lieu de livraison'] },
  cargo_ready_date: {
    en: ['Cargo ready', 'Cargo ready date', 'CRD', 'Ready date'],
    fr: ['Marchandise prête le', 'Date de mise à disposition'],
  },
  desired_delivery_date: {
    en: ['Desired delivery', 'Requested delivery date', 'Delivery date'],
    fr: ['Livraison souhaitée', 'Date de livraison souhaitée'],
  },
  specific_instructions: { en: ['Instructions', 'Remarks'], fr: ['Consignes', 'Remarques'] },
  'cargo.total_weight.value': {
    en: ['Weight', 'Total weight', 'Gross weight'],
    fr: ['Poids', 'Poids total', 'Poids brut'],
  },
  'cargo.total_weight.unit': { en: ['Weight unit'], fr: ['Unité de poids'] },
  'cargo.total_volume.value': { en: ['Volume', 'Total volume', 'CBM', 'm³'], fr: ['Volume', 'Volume total'] },
  'cargo.total_volume.unit': { en: ['Volume unit'], fr: ['Unité de volume'] },
  'cargo.total_teus': { en: ['TEU', 'TEUs'], fr: ['EVP'] },
  'containers.container_type': {
    en: ['Container type', 'Equipment', 'Equipment type', 'Size type'],
    fr: ['Type de conteneur', 'Équipement'],
  },
  'containers.container_number': {
    en: ['Container', 'Container number', 'Container no', 'CNTR'],
    fr: ['Conteneur', 'N° de conteneur', 'Numéro de conteneur'],
  },
  'containers.seal_number': { en: ['Seal', 'Seal number', 'Seal no'], fr: ['Plomb', 'N° de plomb', 'Scellé'] },
  'containers.purchase_order_references': {
    en: ['Orders in container', 'Purchase orders', 'POs'],
    fr: ['Commandes du conteneur', 'Commandes'],
  },
  'loads.count': { en: ['Packages', 'Number of packages', 'Pieces', 'Colli'], fr: ['Colis', 'Nombre de colis'] },
  'loads.type': { en: ['Package type', 'Packaging'], fr: ['Type de colis', 'Emballage'] },
  'loads.weight.value': { en: ['Weight per package'], fr: ['Poids par colis'] },
  'loads.weight.unit': { en: ['Package weight unit'], fr: ['Unité du poids par colis'] },
  'loads.length.value': { en: ['Length'], fr: ['Longueur'] },
  'loads.length.unit': { en: ['Length unit'], fr: ['Unité de longueur'] },
  'loads.width.value': { en: ['Width'], fr: ['Largeur'] },
  'loads.width.unit': { en: ['Width unit'], fr: ['Unité de largeur'] },
  'loads.height.value': { en: ['Height'], fr: ['Hauteur'] },
  'loads.height.unit': { en: ['Height unit'], fr: ['Unité de hauteur'] },
  'transported_goods.goods_description': {
    en: ['Goods', 'Goods description', 'Description of goods', 'Commodity'],
    fr: ['Marchandise', 'Description des marchandises'],
  },
  'transported_goods.is_stackable': { en: ['Stackable'], fr: ['Gerbable'] },
  'transported_goods.is_hazardous': {
    en: ['Dangerous goods', 'Hazardous', 'DG'],
    fr: ['Marchandises dangereuses', 'Dangereux'],
  },
  'transported_goods.hazardous_description': {
    en: ['Hazard class', 'UN number'],
    fr: ['Classe de danger', 'Numéro ONU'],
  },
  'commercial_value.amount': { en: ['Value', 'Commercial value', 'Goods value'], fr: ['Valeur', 'Valeur commerciale'] },
  'commercial_value.currency': { en: ['Currency', 'Value currency'], fr: ['Devise'] },
  needs_ad_valorem_insurance: { en: ['Insurance'], fr: ['Assurance'] },
  'booking_information.carrier': {
    en: ['Carrier', 'Shipping line', 'Airline'],
    fr: ['Transporteur', 'Compagnie', 'Armateur'],
  },
  'booking_information.master_bill': {
    en: ['Master bill', 'MBL', 'MAWB', 'Bill of lading', 'B/L', 'Air waybill', 'AWB'],
    fr: ['Connaissement principal', 'Connaissement', 'LTA'],
  },
  'booking_information.house_bill': {
    en: ['House bill', 'HBL', 'HAWB'],
    fr: ['Connaissement maison', 'Connaissement house'],
  },
  'booking_information.ocean_booking.booking_number': {
    en: ['Booking', 'Booking number', 'Booking no', 'Booking ref'],
    fr: ['Réservation', 'N° de réservation', 'Numéro de booking'],
  },
  'booking_information.ocean_booking.voyage': { en: ['Voyage', 'Voyage number'], fr: ['Voyage', 'N° de voyage'] },
  'booking_information.ocean_booking.vessel': { en: ['Vessel', 'Ship', 'Vessel name'], fr: ['Navire'] },
  'booking_information.air_booking.flight_number': { en: ['Flight', 'Flight number'], fr: ['Vol', 'N° de vol'] },
  'booking_information.air_booking.chargeable_weight.value': { en: ['Chargeable weight'], fr: ['Poids taxable'] },
  'booking_information.air_booking.chargeable_weight.unit': {
    en: ['Chargeable weight unit'],
    fr: ['Unité du poids taxable'],
  },
}

const locations: Record<string, HeadingWords> = {
  id: { en: ['Location', 'Location ID', 'Number'], fr: ['Lieu', 'N° de lieu', 'Identifiant'] },
  company_name: { en: ['Company', 'Company name'], fr: ['Société', 'Entreprise'] },
  name: { en: ['Name', 'Location name'], fr: ['Nom', 'Nom du lieu'] },
  address: { en: ['Address', 'Street'], fr: ['Adresse', 'Rue'] },
  city: { en: ['City', 'Town'], fr: ['Ville'] },
  zip_code: { en: ['Postal code', 'ZIP', 'ZIP code', 'Postcode'], fr: ['Code postal', 'CP'] },
  country: { en: ['Country', 'Country code'], fr: ['Pays'] },
  'contacts.name': { en: ['Contact', 'Contact name'], fr: ['Contact', 'Nom du contact'] },
  'contacts.email': { en: ['E-mail', 'Email', 'E-mail address'], fr: ['E-mail', 'Courriel', 'Adresse e-mail'] },
  'contacts.phone': { en: ['Phone', 'Telephone', 'Phone number'], fr: ['Téléphone', 'Tél'] },
  opening_hours: { en: ['Opening hours'], fr: ['Horaires', 'Horaires d’ouverture'] },
  requires_appointment: { en: ['Appointment', 'Appointment required'], fr: ['Rendez-vous', 'Sur rendez-vous'] },
  requires_tailgate_truck: { en: ['Tail lift', 'Liftgate'], fr: ['Hayon'] },
  additional_information: {
    en: ['Additional information', 'Remarks'],
    fr: ['Informations complémentaires', 'Remarques'],
  },
}

const invoices: Record<string, HeadingWords> = {
  reference: { en: ['Reference', 'Invoice reference'], fr: ['Référence', 'Référence de facture'] },
  number: { en: ['Invoice number', 'Invoice', 'Invoice no'], fr: ['N° de facture', 'Numéro de facture', 'Facture'] },
  svc_shipment_id: { en: ['Shipment', 'Shipment ID', 'File'], fr: ['Expédition', 'N° d’expédition', 'Dossier'] },
  type: { en: ['Type', 'Document type'], fr: ['Type de document'] },
  status: { en: ['Status'], fr: ['Statut', 'État'] },
  sent_date: { en: ['Sent', 'Sent on', 'Invoice date'], fr: ['Envoyée le', 'Date de facture'] },
  due_date: { en: ['Due', 'Due date', 'Due on'], fr: ['Échéance', 'Date d’échéance'] },
  'lines.category': { en: ['Category'], fr: ['Catégorie'] },
  'lines.description': { en: ['Description'], fr: ['Libellé', 'Désignation'] },
  'lines.price.amount': { en: ['Amount', 'Net amount', 'Price'], fr: ['Montant', 'Montant HT', 'Prix'] },
  'lines.price.currency': { en: ['Currency'], fr: ['Devise'] },
  'lines.quantity.value': { en: ['Quantity', 'Qty'], fr: ['Quantité', 'Qté'] },
  'lines.quantity.unit': { en: ['Unit'], fr: ['Unité'] },
  'lines.unit_rate.amount': { en: ['Unit price', 'Rate'], fr: ['Prix unitaire'] },
  'lines.unit_rate.currency': { en: ['Unit price currency'], fr: ['Devise du prix unitaire'] },
  'lines.vatRate': { en: ['VAT', 'VAT rate', 'Tax rate'], fr: ['TVA', 'Taux de TVA'] },
  usd_to_eur_rate: { en: ['USD to EUR', 'Exchange rate'], fr: ['Taux USD-EUR', 'Taux de change'] },
}

const words = { shipments, locations, invoices, purchase_orders: orderHeadings }
type HeadedTable = keyof typeof words

// Longer headings are none of ours.
const longest = 200

/** In lower case, without accents and punctuation: `N° de commande` and `no. de commande` are the same. */
export function plainHeading(text: string): string {
  return text
    .slice(0, longest)
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{M}+/gu, '')
    .replaceAll(/\bn[º°o]?\b[.°]?/g, ' no ')
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

/** The columns of a table by the plain forms of their headings. */
export function columnsByHeading(table: HeadedTable): Map<string, string> {
  const found = new Map<string, string>()
  for (const [name, { en, fr }] of Object.entries(words[table])) {
    for (const heading of [...en, ...fr]) {
      const plain = plainHeading(heading)
      const other = found.get(plain)
      if (other !== undefined && other !== name) throw new Error(`${heading} is the heading of ${other} and of ${name}`)
      found.set(plain, name)
    }
  }
  return found
}
