/** Headings of a table of orders in people's words. The first of each language is the label of the column. */
export type HeadingWords = { en: string[]; fr: string[] }

export const orderHeadings: Record<string, HeadingWords> = {
  reference: {
    en: ['Order', 'Order number', 'PO', 'PO number', 'Purchase order', 'Order no', 'Reference'],
    fr: ['Commande', 'N° de commande', 'Numéro de commande', 'Bon de commande', 'Référence'],
  },
  supplier_id: { en: ['Supplier', 'Vendor', 'Supplier name'], fr: ['Fournisseur', 'Nom du fournisseur'] },
  'product_lines.reference': {
    en: ['Line', 'Line number', 'Item', 'Position', 'Line no'],
    fr: ['Ligne', 'N° de ligne', 'Poste'],
  },
  'product_lines.ordered_quantity': {
    en: ['Quantity', 'Qty', 'Ordered', 'Order quantity'],
    fr: ['Quantité', 'Qté', 'Quantité commandée'],
  },
  'product_lines.product.sku': {
    en: ['SKU', 'Article', 'Article number', 'Item number', 'Product code', 'Part number'],
    fr: ['Article', 'Référence article', 'Code article', 'Code produit'],
  },
  'product_lines.product.name': { en: ['Product', 'Product name', 'Article name'], fr: ['Produit', 'Nom du produit'] },
  'product_lines.product.hs_code': {
    en: ['HS code', 'Tariff code', 'Customs code'],
    fr: ['Code SH', 'Code douanier', 'Nomenclature'],
  },
  'product_lines.product.description': {
    en: ['Description', 'Product description'],
    fr: ['Description', 'Désignation'],
  },
  'product_lines.product.is_hazardous': {
    en: ['Dangerous goods', 'Hazardous', 'DG'],
    fr: ['Marchandises dangereuses', 'Dangereux'],
  },
  'product_lines.product.hazardous_description': {
    en: ['Hazard class', 'UN number', 'Hazard class or UN number'],
    fr: ['Classe de danger', 'Numéro ONU', 'Classe de danger ou n° ONU'],
  },
  'product_lines.unit_price.amount': { en: ['Unit price', 'Price'], fr: ['Prix unitaire', 'Prix'] },
  'product_lines.unit_price.currency': { en: ['Currency'], fr: ['Devise'] },
  'product_lines.volume': { en: ['Volume', 'CBM'], fr: ['Volume'] },
  'product_lines.volume_unit': { en: ['Volume unit'], fr: ['Unité de volume'] },
  'custom_parameters.name': { en: ['Parameter'], fr: ['Paramètre'] },
  'custom_parameters.value': { en: ['Parameter value'], fr: ['Valeur du paramètre'] },
  desired_delivery_date: {
    en: ['Delivery date', 'Requested delivery date', 'Desired delivery', 'Due date', 'Wanted by'],
    fr: ['Date de livraison', 'Livraison souhaitée'],
  },
  desired_ex_factory_date: {
    en: ['Ex-factory date', 'Ready date', 'Ex works date', 'Desired ex factory'],
    fr: ['Date de sortie d’usine', 'Date de mise à disposition', 'Ex-usine souhaitée'],
  },
}
