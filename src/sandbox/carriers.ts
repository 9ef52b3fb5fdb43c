/** Carriers, and the formats of their document numbers. */

type OceanCarrier = { name: string; scac: string; owners: readonly string[]; vessels: readonly string[] }

// Vessel names are invented in the style of each line.
export const oceanCarriers: readonly OceanCarrier[] = [
  {
    name: 'Maersk',
    scac: 'MAEU',
    owners: ['MSKU', 'MRKU'],
    vessels: ['Maersk Helsingør', 'Maersk Cabrera', 'Maersk Tarifa'],
  },
  {
    name: 'MSC',
    scac: 'MSCU',
    owners: ['MSCU', 'MEDU'],
    vessels: ['MSC Aurelia', 'MSC Benedetta IV', 'MSC Corallina'],
  },
  {
    name: 'CMA CGM',
    scac: 'CMDU',
    owners: ['CMAU', 'ECMU'],
    vessels: ['CMA CGM Belle-Île', 'CMA CGM Verdon', 'CMA CGM Altaïr'],
  },
  {
    name: 'Hapag-Lloyd',
    scac: 'HLCU',
    owners: ['HLXU', 'HLBU'],
    vessels: ['Lüneburg Express', 'Tampico Express', 'Al Marjan'],
  },
  {
    name: 'Ocean Network Express',
    scac: 'ONEY',
    owners: ['ONEU', 'TCLU'],
    vessels: ['ONE Camellia', 'ONE Sandpiper', 'ONE Matsushima'],
  },
  {
    name: 'Evergreen',
    scac: 'EGLV',
    owners: ['EGHU', 'EITU'],
    vessels: ['Ever Lantern', 'Ever Prudent', 'Ever Meadow'],
  },
  {
    name: 'COSCO Shipping',
    scac: 'COSU',
    owners: ['CSNU', 'CBHU'],
    vessels: ['COSCO Shipping Magnolia', 'Xin Hang Zhou Wan'],
  },
  { name: 'HMM', scac: 'HDMU', owners: ['HMMU', 'HDMU'], vessels: ['HMM Hanbit', 'HMM Sorak'] },
  { name: 'Yang Ming', scac: 'YMLU', owners: ['YMLU', 'YMMU'], vessels: ['YM Tranquil', 'YM Whisper'] },
  { name: 'ZIM', scac: 'ZIMU', owners: ['ZIMU', 'ZCSU'], vessels: ['ZIM Carmel', 'ZIM Almog'] },
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
