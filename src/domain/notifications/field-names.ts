import type { Language } from '../../contract/portal/people.js'

/** Top-level fields of shipments, tracking and orders, as people call them. Identifiers, which do not change, have none. */
const names: Record<Language, Record<string, string>> = {
  en: {
    name: 'name',
    status: 'status',
    incoterm: 'Incoterm',
    freight_mode: 'mode',
    load_type: 'load',
    freight_type: 'service',
    route: 'route',
    cargo_ready_date: 'cargo ready date',
    desired_delivery_date: 'desired delivery date',
    specific_instructions: 'instructions',
    cargo: 'cargo',
    transported_goods: 'goods',
    commercial_value: 'value of the goods',
    needs_ad_valorem_insurance: 'insurance',
    purchase_order_references: 'orders',
    main_tracking_dates: 'dates',
    booking_information: 'booking',
    invoice_status: 'invoice status',
    invoice_references: 'invoices',
    accepted_quote: 'quote',
    tracking_steps: 'tracking',
    initial_dates: 'first planned dates',
    ocean_coordinates: 'position',
    purchase_order_lines: 'order lines',
    supplier_name: 'supplier',
    desired_ex_factory_date: 'desired ex-factory date',
    custom_parameters: 'own fields',
    cancellation: 'cancellation',
  },
  fr: {
    name: 'nom',
    status: 'statut',
    incoterm: 'Incoterm',
    freight_mode: 'mode',
    load_type: 'chargement',
    freight_type: 'prestation',
    route: 'itinéraire',
    cargo_ready_date: 'date de disponibilité',
    desired_delivery_date: 'date de livraison souhaitée',
    specific_instructions: 'instructions',
    cargo: 'fret',
    transported_goods: 'marchandises',
    commercial_value: 'valeur des marchandises',
    needs_ad_valorem_insurance: 'assurance',
    purchase_order_references: 'commandes',
    main_tracking_dates: 'dates',
    booking_information: 'réservation',
    invoice_status: 'statut de facturation',
    invoice_references: 'factures',
    accepted_quote: 'devis',
    tracking_steps: 'suivi',
    initial_dates: 'dates prévues initialement',
    ocean_coordinates: 'position',
    purchase_order_lines: 'lignes de commande',
    supplier_name: 'fournisseur',
    desired_ex_factory_date: 'date de sortie d’usine souhaitée',
    custom_parameters: 'champs propres',
    cancellation: 'annulation',
  },
}

/** In one sentence; undefined if none of the fields has a name. */
export function changedText(fields: string[], language: Language): string | undefined {
  const known = fields.flatMap((field) => names[language][field] ?? [])
  if (known.length === 0) return undefined
  return language === 'fr' ? `Modifié : ${known.join(', ')}.` : `Changed: ${known.join(', ')}.`
}
