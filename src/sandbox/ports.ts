import { createRequire } from 'node:module'
import { portOverrides } from './port-overrides.js'

/** Where freight changes hands: a port, an airport, a rail terminal or a road hub. */
export type Place = {
  code: string
  city: string
  country: string
  coordinates: readonly [longitude: number, latitude: number]
  timeZone: string
}

type PortEntry = { coordinates?: [number, number]; timezone?: string }

// The container ports we use, by UN/LOCODE and the name people use. Coordinates and zones are those of sea-ports.
const cities: Record<string, string> = {
  'CN/SHA': 'Shanghai',
  'CN/NGB': 'Ningbo',
  'CN/YTN': 'Yantian',
  'CN/SHK': 'Shekou',
  'CN/TAO': 'Qingdao',
  'CN/TXG': 'Tianjin Xingang',
  'CN/XMG': 'Xiamen',
  'CN/DLC': 'Dalian',
  'CN/NSA': 'Nansha',
  'HK/HKG': 'Hong Kong',
  'TW/KHH': 'Kaohsiung',
  'TW/KEL': 'Keelung',
  'KR/PUS': 'Busan',
  'KR/INC': 'Incheon',
  'JP/YOK': 'Yokohama',
  'JP/TYO': 'Tokyo',
  'JP/UKB': 'Kobe',
  'JP/NGO': 'Nagoya',
  'SG/SIN': 'Singapore',
  'MY/PKG': 'Port Klang',
  'MY/PEN': 'Penang',
  'TH/LCH': 'Laem Chabang',
  'VN/CMT': 'Cai Mep',
  'VN/HPH': 'Haiphong',
  'ID/JKT': 'Jakarta',
  'ID/SUB': 'Surabaya',
  'PH/MNL': 'Manila',
  'BD/CGP': 'Chattogram',
  'IN/NSA': 'Nhava Sheva',
  'IN/MUN': 'Mundra',
  'IN/MAA': 'Chennai',
  'LK/CMB': 'Colombo',
  'PK/KHI': 'Karachi',
  'AE/JEA': 'Jebel Ali',
  'AE/KLF': 'Khor Fakkan',
  'OM/SLL': 'Salalah',
  'SA/DMM': 'Dammam',
  'SA/JED': 'Jeddah',
  'QA/HMD': 'Hamad',
  'BH/KBS': 'Khalifa Bin Salman',
  'KW/SWK': 'Shuwaikh',
  'EG/PSD': 'Port Said',
  'EG/DAM': 'Damietta',
  'TR/AMR': 'Ambarlı',
  'TR/MER': 'Mersin',
  'TR/IZM': 'İzmir',
  'GR/PIR': 'Piraeus',
  'IT/GOA': 'Genova',
  'IT/SPE': 'La Spezia',
  'IT/GIT': 'Gioia Tauro',
  'SI/KOP': 'Koper',
  'MT/MAR': 'Marsaxlokk',
  'ES/VLC': 'Valencia',
  'ES/BCN': 'Barcelona',
  'ES/ALG': 'Algeciras',
  'ES/BIO': 'Bilbao',
  'PT/SIE': 'Sines',
  'PT/LIS': 'Lisboa',
  'FR/FOS': 'Fos-sur-Mer',
  'FR/LEH': 'Le Havre',
  'NL/RTM': 'Rotterdam',
  'BE/ANR': 'Antwerpen',
  'DE/HAM': 'Hamburg',
  'DE/BRV': 'Bremerhaven',
  'GB/FXT': 'Felixstowe',
  'GB/SOU': 'Southampton',
  'GB/LGP': 'London Gateway',
  'DK/AAR': 'Aarhus',
  'SE/GOT': 'Göteborg',
  'NO/OSL': 'Oslo',
  'FI/HEL': 'Helsinki',
  'PL/GDN': 'Gdańsk',
  'MA/PTM': 'Tanger Med',
  'MA/CAS': 'Casablanca',
  'TN/RDS': 'Radès',
  'SN/DKR': 'Dakar',
  'CI/ABJ': 'Abidjan',
  'GH/TEM': 'Tema',
  'ZA/DUR': 'Durban',
  'ZA/CPT': 'Cape Town',
  'KE/MBA': 'Mombasa',
  'US/LAX': 'Los Angeles',
  'US/LGB': 'Long Beach',
  'US/OAK': 'Oakland',
  'US/SEA': 'Seattle',
  'US/NYC': 'New York',
  'US/SAV': 'Savannah',
  'US/CHS': 'Charleston',
  'US/ORF': 'Norfolk',
  'US/HOU': 'Houston',
  'US/MIA': 'Miami',
  'CA/VAN': 'Vancouver',
  'CA/HAL': 'Halifax',
  'MX/ZLO': 'Manzanillo',
  'MX/VER': 'Veracruz',
  'MX/LZC': 'Lázaro Cárdenas',
  'PA/BLB': 'Balboa',
  'PA/MIT': 'Manzanillo',
  'CO/CTG': 'Cartagena',
  'EC/GYE': 'Guayaquil',
  'PE/CLL': 'Callao',
  'CL/SAI': 'San Antonio',
  'AR/BUE': 'Buenos Aires',
  'UY/MVD': 'Montevideo',
  'BR/SSZ': 'Santos',
  'BR/RIG': 'Rio Grande',
  'BR/SUA': 'Suape',
  'AU/SYD': 'Sydney',
  'AU/MEL': 'Melbourne',
  'AU/BNE': 'Brisbane',
  'NZ/AKL': 'Auckland',
  'PF/PPT': 'Papeete',
  'NC/NOU': 'Nouméa',
}

const require = createRequire(import.meta.url)

function readPorts(): Map<string, Place> {
  const entries = require('sea-ports/lib/ports.json') as Record<string, PortEntry | undefined>
  return new Map(
    Object.entries(cities).map(([code, city]) => {
      const entry = entries[code.replace('/', '')]
      const override = portOverrides[code]
      const coordinates = override?.coordinates ?? entry?.coordinates
      const timeZone = override?.timeZone ?? entry?.timezone
      if (!coordinates || !timeZone) throw new Error(`sea-ports lacks ${code}: add it to port-overrides.ts`)
      return [code, { code, city, country: code.slice(0, 2), coordinates, timeZone }]
    }),
  )
}

export const seaPorts: ReadonlyMap<string, Place> = readPorts()

export function seaPort(code: string): Place {
  const port = seaPorts.get(code)
  if (!port) throw new Error(`There is no port ${code} in the sandbox`)
  return port
}
