import lookUpTimeZone from '@photostructure/tz-lookup'
import type { Place } from './ports.js'

/** Inland rail terminals, and road hubs. */

// The time zone is looked up by coordinates, which is coarse: close to a border it is given explicitly.
type Row = [code: string, city: string, longitude: number, latitude: number, timeZone?: string]

const rails: Row[] = [
  ['CN/CKG', 'Chongqing', 106.34, 29.64],
  ['CN/XIY', 'Xi’an', 109.06, 34.4],
  ['CN/CGO', 'Zhengzhou', 113.77, 34.72],
  ['CN/CTU', 'Chengdu', 104.23, 30.83],
  ['CN/WUH', 'Wuhan', 114.17, 30.68],
  ['CN/YIW', 'Yiwu', 120.03, 29.34],
  ['DE/DUI', 'Duisburg', 6.74, 51.43],
  ['DE/HAM', 'Hamburg', 9.96, 53.52],
  ['PL/LOD', 'Łódź', 19.37, 51.77],
  ['PL/MLW', 'Małaszewicze', 23.53, 52.03, 'Europe/Warsaw'],
  ['NL/TLB', 'Tilburg', 5.04, 51.58],
  ['HU/BUD', 'Budapest', 19.12, 47.42],
  ['ES/MAD', 'Madrid', -3.66, 40.37],
  ['FR/LIO', 'Lyon', 4.86, 45.69],
  ['DE/MUC', 'München', 11.69, 48.16],
  ['US/CHI', 'Chicago', -87.66, 41.84],
  ['US/DAL', 'Dallas', -96.82, 32.7],
  ['US/MEM', 'Memphis', -89.95, 35.06],
  ['CA/TOR', 'Toronto', -79.64, 43.83],
  ['MX/MEX', 'Ciudad de México', -99.18, 19.52],
]

const roads: Row[] = [
  ['DE/MUC', 'München', 11.58, 48.14],
  ['DE/BER', 'Berlin', 13.4, 52.52],
  ['DE/DUI', 'Duisburg', 6.76, 51.43],
  ['DE/HAM', 'Hamburg', 9.99, 53.55],
  ['DE/BRE', 'Bremen', 8.8, 53.08],
  ['FR/PAR', 'Paris', 2.35, 48.86],
  ['FR/LIO', 'Lyon', 4.84, 45.76],
  ['ES/MAD', 'Madrid', -3.7, 40.42],
  ['ES/BCN', 'Barcelona', 2.17, 41.39],
  ['ES/VLC', 'Valencia', -0.38, 39.47],
  ['IT/MIL', 'Milano', 9.19, 45.46],
  ['PL/WAW', 'Warszawa', 21.01, 52.23],
  ['TR/IST', 'Istanbul', 28.98, 41.04],
  ['NL/RTM', 'Rotterdam', 4.48, 51.92],
  ['BE/ANR', 'Antwerpen', 4.4, 51.22],
  ['GB/LON', 'London', -0.13, 51.51],
  ['SE/GOT', 'Göteborg', 11.97, 57.71],
  ['DK/CPH', 'København', 12.57, 55.68],
  ['SI/LJU', 'Ljubljana', 14.51, 46.05],
  ['PT/LIS', 'Lisboa', -9.14, 38.72],
  ['US/CHI', 'Chicago', -87.63, 41.88],
  ['US/DAL', 'Dallas', -96.8, 32.78],
  ['US/LRD', 'Laredo', -99.5, 27.53],
  ['US/LAX', 'Los Angeles', -118.24, 34.05],
  ['US/NYC', 'New York', -74.0, 40.71],
  ['US/ATL', 'Atlanta', -84.39, 33.75],
  ['CA/TOR', 'Toronto', -79.38, 43.65],
  ['MX/MTY', 'Monterrey', -100.32, 25.68],
  ['MX/MEX', 'Ciudad de México', -99.13, 19.43],
]

const place = ([code, city, longitude, latitude, timeZone]: Row): [string, Place] => [
  code,
  {
    code,
    city,
    country: code.slice(0, 2),
    coordinates: [longitude, latitude],
    timeZone: timeZone ?? lookUpTimeZone(latitude, longitude),
  },
]

export const railTerminals: ReadonlyMap<string, Place> = new Map(rails.map(place))
export const roadPlaces: ReadonlyMap<string, Place> = new Map(roads.map(place))

export function railTerminal(code: string): Place {
  const terminal = railTerminals.get(code)
  if (!terminal) throw new Error(`There is no rail terminal ${code}`)
  return terminal
}

export function roadPlace(code: string): Place {
  const road = roadPlaces.get(code)
  if (!road) throw new Error(`There is no road place ${code}`)
  return road
}
