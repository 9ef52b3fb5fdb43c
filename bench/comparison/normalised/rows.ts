import type {
  ProductLine,
  PurchaseOrder,
  PurchaseOrderLine,
  ShippedLine,
} from '../../../src/contract/public/purchase-order.js'
import type { Container, Load, Shipment } from '../../../src/contract/public/shipment.js'

/** The rows of Waybill's responses. */

export function shipmentRow(id: number, account_id: number, listed_at: string, shipment: Shipment) {
  const { route, cargo, transported_goods: goods, booking_information: booking, main_tracking_dates: dates } = shipment
  const { ocean_booking, air_booking } = booking ?? {}
  return {
    id,
    account_id,
    svc_shipment_id: shipment.svc_shipment_id,
    listed_at,
    name: shipment.name,
    status: shipment.status,
    created_at: shipment.created_at,
    incoterm: shipment.incoterm,
    freight_mode: shipment.freight_mode,
    load_type: shipment.load_type,
    freight_type: shipment.freight_type,
    pickup_location_id: route?.pickup_location_id,
    origin_port_unlocode: route?.origin_port_unlocode,
    destination_port_unlocode: route?.destination_port_unlocode,
    delivery_location_id: route?.delivery_location_id,
    cargo_ready_date: shipment.cargo_ready_date,
    desired_delivery_date: shipment.desired_delivery_date,
    specific_instructions: shipment.specific_instructions,
    total_weight: cargo?.total_weight?.value,
    total_weight_unit: cargo?.total_weight?.unit,
    total_volume: cargo?.total_volume?.value,
    total_volume_unit: cargo?.total_volume?.unit,
    total_teus: cargo?.total_teus,
    goods_description: goods?.goods_description,
    is_stackable: goods?.is_stackable,
    is_hazardous: goods?.is_hazardous,
    hazardous_description: goods?.hazardous_description,
    contains_lithium: goods?.contains_lithium,
    lithium_packaging_type: goods?.lithium_packaging_type,
    contains_magnets: goods?.contains_magnets,
    needs_controlled_temperature: goods?.needs_controlled_temperature,
    temperature_range_description: goods?.temperature_range_description,
    commercial_value: shipment.commercial_value?.amount,
    commercial_value_currency: shipment.commercial_value?.currency,
    needs_ad_valorem_insurance: shipment.needs_ad_valorem_insurance,
    purchase_order_references: shipment.purchase_order_references,
    pickup_date: dates?.pickup_date?.date,
    pickup_date_status: dates?.pickup_date?.status,
    departure_date: dates?.departure_date?.date,
    departure_date_status: dates?.departure_date?.status,
    arrival_date: dates?.arrival_date?.date,
    arrival_date_status: dates?.arrival_date?.status,
    delivery_date: dates?.delivery_date?.date,
    delivery_date_status: dates?.delivery_date?.status,
    carrier: booking?.carrier,
    master_bill: booking?.master_bill,
    house_bill: booking?.house_bill,
    ocean_booking_number: ocean_booking?.booking_number,
    ocean_voyage: ocean_booking?.voyage,
    ocean_vessel: ocean_booking?.vessel,
    air_flight_number: air_booking?.flight_number,
    air_chargeable_weight: air_booking?.chargeable_weight?.value,
    air_chargeable_weight_unit: air_booking?.chargeable_weight?.unit,
    invoice_status: shipment.invoice_status,
    invoice_references: shipment.invoice_references,
    quote_id: shipment.accepted_quote?.id,
    quote_request_date: shipment.accepted_quote?.request_date,
    quote_accepted_date: shipment.accepted_quote?.accepted_date,
  }
}

export function containerRow(id: number, shipment_id: number, position: number, container: Container) {
  const { container_type, container_number, seal_number, purchase_order_references } = container
  return { id, shipment_id, position, container_type, container_number, seal_number, purchase_order_references }
}

export function loadRow(id: number, shipment_id: number, position: number, load: Load) {
  const { count, type, weight, volume_unit, length, width, height } = load
  return {
    id,
    shipment_id,
    position,
    count,
    type,
    weight: weight?.value,
    weight_unit: weight?.unit,
    volume_unit,
    length: length?.value,
    length_unit: length?.unit,
    width: width?.value,
    width_unit: width?.unit,
    height: height?.value,
    height_unit: height?.unit,
  }
}

export function orderRow(id: number, account_id: number, listed_at: string, order: PurchaseOrder) {
  return {
    id,
    account_id,
    reference: order.po_number,
    listed_at,
    supplier_id: order.supplier_name,
    desired_ex_factory_date: order.desired_ex_factory_date,
    desired_delivery_date: order.desired_delivery_date,
    custom_parameters: asJson(order.custom_parameters),
  }
}

/** `sent` is the line of the request, which has the volume. */
export function lineRow(
  id: number,
  purchase_order_id: number,
  position: number,
  line: PurchaseOrderLine,
  sent: Pick<ProductLine, 'volume' | 'volume_unit'> | undefined,
) {
  const { reference, ordered_quantity, unit_price, product } = line
  return {
    id,
    purchase_order_id,
    position,
    reference,
    ordered_quantity,
    unit_price: unit_price?.amount,
    unit_price_currency: unit_price?.currency,
    volume: sent?.volume,
    volume_unit: sent?.volume_unit,
    product_sku: product.sku,
    product_name: product.name,
    product_hs_code: product.hs_code,
    product_description: product.description,
    product_is_hazardous: product.is_hazardous,
    product_hazardous_description: product.hazardous_description,
    product_custom_parameters: asJson(product.custom_parameters),
  }
}

export function assignedRow(
  id: number,
  order_line_id: number,
  position: number,
  assigned: { shipment_id: number; assigned_quantity: number },
) {
  return { id, order_line_id, position, ...assigned }
}

export function shippedRow(id: number, assigned_line_id: number, position: number, line: ShippedLine) {
  return {
    id,
    assigned_line_id,
    position,
    container_number: line.container_number,
    shipped_quantity: line.shipped_quantity,
    packaging_total_volume: line.packaging_total_volume,
    number_of_packages: line.number_of_packages,
    packaging_type: line.packaging_type,
    net_weight: line.net_weight,
    gross_weight: line.gross_weight,
    volume_unit: line.volume_unit,
    weight_unit: line.weight_unit,
  }
}

function asJson(value: unknown): string | undefined {
  return value === undefined ? undefined : JSON.stringify(value)
}
