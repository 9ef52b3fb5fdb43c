import type { Place } from './ports.js'

/** The major cargo airports, by UN/LOCODE; positions are accurate to about a kilometre. */

type Row = [code: string, iata: string, city: string, longitude: number, latitude: number, timeZone: string]

const rows: Row[] = [
  ['HK/HKG', 'HKG', 'Hong Kong', 113.92, 22.31, 'Asia/Hong_Kong'],
  ['CN/PVG', 'PVG', 'Shanghai Pudong', 121.8, 31.14, 'Asia/Shanghai'],
  ['CN/CAN', 'CAN', 'Guangzhou', 113.3, 23.39, 'Asia/Shanghai'],
  ['CN/PEK', 'PEK', 'Beijing', 116.58, 40.08, 'Asia/Shanghai'],
  ['TW/TPE', 'TPE', 'Taipei Taoyuan', 121.23, 25.08, 'Asia/Taipei'],
  ['KR/ICN', 'ICN', 'Seoul Incheon', 126.44, 37.46, 'Asia/Seoul'],
  ['JP/NRT', 'NRT', 'Tokyo Narita', 140.39, 35.76, 'Asia/Tokyo'],
  ['SG/SIN', 'SIN', 'Singapore Changi', 103.99, 1.36, 'Asia/Singapore'],
  ['MY/KUL', 'KUL', 'Kuala Lumpur', 101.71, 2.75, 'Asia/Kuala_Lumpur'],
  ['TH/BKK', 'BKK', 'Bangkok', 100.75, 13.69, 'Asia/Bangkok'],
  ['VN/SGN', 'SGN', 'Ho Chi Minh City', 106.66, 10.82, 'Asia/Ho_Chi_Minh'],
  ['VN/HAN', 'HAN', 'Hanoi', 105.8, 21.22, 'Asia/Ho_Chi_Minh'],
  ['IN/BOM', 'BOM', 'Mumbai', 72.87, 19.09, 'Asia/Kolkata'],
  ['IN/MAA', 'MAA', 'Chennai', 80.17, 12.99, 'Asia/Kolkata'],
  ['BD/DAC', 'DAC', 'Dhaka', 90.4, 23.84, 'Asia/Dhaka'],
  ['AE/DXB', 'DXB', 'Dubai', 55.36, 25.25, 'Asia/Dubai'],
  ['QA/DOH', 'DOH', 'Doha', 51.61, 25.27, 'Asia/Qatar'],
  ['TR/IST', 'IST', 'Istanbul', 28.75, 41.26, 'Europe/Istanbul'],
  ['DE/FRA', 'FRA', 'Frankfurt am Main', 8.57, 50.03, 'Europe/Berlin'],
  ['FR/CDG', 'CDG', 'Paris Charles-de-Gaulle', 2.55, 49.01, 'Europe/Paris'],
  ['NL/AMS', 'AMS', 'Amsterdam Schiphol', 4.76, 52.31, 'Europe/Amsterdam'],
  ['BE/LGG', 'LGG', 'Liège', 5.44, 50.64, 'Europe/Brussels'],
  ['LU/LUX', 'LUX', 'Luxembourg', 6.21, 49.63, 'Europe/Luxembourg'],
  ['GB/LHR', 'LHR', 'London Heathrow', -0.45, 51.47, 'Europe/London'],
  ['IT/MXP', 'MXP', 'Milano Malpensa', 8.72, 45.63, 'Europe/Rome'],
  ['ES/MAD', 'MAD', 'Madrid', -3.56, 40.49, 'Europe/Madrid'],
  ['DK/CPH', 'CPH', 'København', 12.66, 55.62, 'Europe/Copenhagen'],
  ['PL/WAW', 'WAW', 'Warszawa', 20.97, 52.17, 'Europe/Warsaw'],
  ['US/JFK', 'JFK', 'New York JFK', -73.78, 40.64, 'America/New_York'],
  ['US/MIA', 'MIA', 'Miami', -80.29, 25.79, 'America/New_York'],
  ['US/ORD', 'ORD', 'Chicago O’Hare', -87.9, 41.98, 'America/Chicago'],
  ['US/LAX', 'LAX', 'Los Angeles', -118.41, 33.94, 'America/Los_Angeles'],
  ['CA/YYZ', 'YYZ', 'Toronto', -79.63, 43.68, 'America/Toronto'],
  ['MX/MEX', 'MEX', 'Ciudad de México', -99.07, 19.44, 'America/Mexico_City'],
  ['BR/GRU', 'GRU', 'São Paulo Guarulhos', -46.47, -23.43, 'America/Sao_Paulo'],
  ['CL/SCL', 'SCL', 'Santiago', -70.79, -33.39, 'America/Santiago'],
  ['ZA/JNB', 'JNB', 'Johannesburg', 28.24, -26.14, 'Africa/Johannesburg'],
  ['KE/NBO', 'NBO', 'Nairobi', 36.93, -1.32, 'Africa/Nairobi'],
  ['AU/SYD', 'SYD', 'Sydney', 151.18, -33.95, 'Australia/Sydney'],
  ['AU/MEL', 'MEL', 'Melbourne', 144.84, -37.67, 'Australia/Melbourne'],
  ['NZ/AKL', 'AKL', 'Auckland', 174.79, -37.01, 'Pacific/Auckland'],
]

export const airports: ReadonlyMap<string, Place> = new Map(
  rows.map(([code, iata, city, longitude, latitude, timeZone]) => [
    iata,
    { code, city, country: code.slice(0, 2), coordinates: [longitude, latitude], timeZone },
  ]),
)

export function airport(iata: string): Place {
  const place = airports.get(iata)
  if (!place) throw new Error(`There is no airport ${iata}`)
  return place
}
