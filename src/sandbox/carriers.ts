/** Carriers, and the formats of their document numbers. */

export type OceanCarrier = {
  name: string
  scac: string
  owners: readonly string[]
  /** What the names of its ships begin and end with. */
  ships: readonly [before: string, after: string]
}

export const oceanCarriers: readonly OceanCarrier[] = [
  {
    name: 'Maersk',
    scac: 'MAEU',
    owners: ['MSKU', 'MRKU'],
    ships: ['Maersk ', ''],
  },
  {
    name: 'MSC',
    scac: 'MSCU',
    owners: ['MSCU', 'MEDU'],
    ships: ['MSC ', ''],
  },
  {
    name: 'CMA CGM',
    scac: 'CMDU',
    owners: ['CMAU', 'ECMU'],
    ships: ['CMA CGM ', ''],
  },
  {
    name: 'Hapag-Lloyd',
    scac: 'HLCU',
    owners: ['HLXU', 'HLBU'],
    ships: ['', ' Express'],
  },
  {
    name: 'Ocean Network Express',
    scac: 'ONEY',
    owners: ['ONEU', 'TCLU'],
    ships: ['ONE ', ''],
  },
  {
    name: 'Evergreen',
    scac: 'EGLV',
    owners: ['EGHU', 'EITU'],
    ships: ['Ever ', ''],
  },
  {
    name: 'COSCO Shipping',
    scac: 'COSU',
    owners: ['CSNU', 'CBHU'],
    ships: ['COSCO Shipping ', ''],
  },
  { name: 'HMM', scac: 'HDMU', owners: ['HMMU', 'HDMU'], ships: ['HMM ', ''] },
  { name: 'Yang Ming', scac: 'YMLU', owners: ['YMLU', 'YMMU'], ships: ['YM ', ''] },
  { name: 'ZIM', scac: 'ZIMU', owners: ['ZIMU', 'ZCSU'], ships: ['ZIM ', ''] },
]

export const leasedOwners = ['TGHU', 'TRHU', 'CAIU', 'BMOU', 'TEMU', 'FCIU'] as const

export type AirCarrier = { name: string; code: string; prefix: string; hub: string }

export const airCarriers: readonly AirCarrier[] = [
  { name: 'Lufthansa Cargo', code: 'LH', prefix: '020', hub: 'FRA' },
  { name: 'Air France Cargo', code: 'AF', prefix: '057', hub: 'CDG' },
  { name: 'Cathay Cargo', code: 'CX', prefix: '160', hub: 'HKG' },
  { name: 'Emirates SkyCargo', code: 'EK', prefix: '176', hub: 'DXB' },
  { name: 'Qatar Airways Cargo', code: 'QR', prefix: '157', hub: 'DOH' },
  { name: 'Cargolux', code: 'CV', prefix: '172', hub: 'LUX' },
  { name: 'Korean Air Cargo', code: 'KE', prefix: '180', hub: 'ICN' },
  { name: 'Singapore Airlines Cargo', code: 'SQ', prefix: '618', hub: 'SIN' },
  { name: 'Turkish Cargo', code: 'TK', prefix: '235', hub: 'IST' },
  { name: 'China Airlines Cargo', code: 'CI', prefix: '297', hub: 'TPE' },
  { name: 'ANA Cargo', code: 'NH', prefix: '205', hub: 'NRT' },
  { name: 'IAG Cargo', code: 'BA', prefix: '125', hub: 'LHR' },
  { name: 'Qantas Freight', code: 'QF', prefix: '081', hub: 'SYD' },
  { name: 'LATAM Cargo', code: 'LA', prefix: '045', hub: 'SCL' },
  { name: 'Air Canada Cargo', code: 'AC', prefix: '014', hub: 'YYZ' },
]

export const railCarriers = {
  asia: ['DB Cargo Eurasia', 'UTLC ERA', 'RTSB', 'Far East Land Bridge'],
  europe: ['DB Cargo', 'Hupac', 'Kombiverkehr'],
  north_america: ['BNSF Railway', 'CPKC', 'Union Pacific'],
} as const

export const truckCarriers = {
  europe: ['Dachser', 'DSV Road', 'Girteka', 'Waberer’s', 'Raben Group', 'Ekol Logistics'],
  north_america: ['J.B. Hunt', 'Schneider', 'XPO', 'Old Dominion', 'TFI International'],
} as const
