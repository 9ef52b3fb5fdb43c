import lookUpTimeZone from '@photostructure/tz-lookup'
import { airports } from './airports.js'
import { findSeaPort, type Place, seaPortCodes } from './ports.js'
import { railTerminals, roadPlaces } from './terminals.js'

/** Cities of factories and warehouses: a location has a city, but no coordinates. */

// Country, names (the first is displayed), longitude and latitude of the centre, to about a kilometre. Cities with a known
// port, airport or terminal are not listed, unless that is far outside.
const table = `
  AE | Dubai | 55.27 25.2
  AE | Abu Dhabi | 54.37 24.45
  AE | Sharjah | 55.4 25.35
  AT | Wien, Vienna | 16.37 48.21
  AT | Linz | 14.29 48.31
  AU | Adelaide | 138.6 -34.93
  AU | Perth | 115.86 -31.95
  BD | Dhaka, Dacca | 90.41 23.81
  BD | Chattogram, Chittagong | 91.8 22.34
  BE | Brussel, Bruxelles, Brussels | 4.35 50.85
  BE | Gent, Ghent | 3.72 51.05
  BE | Liège, Luik | 5.57 50.63
  BG | Sofia | 23.32 42.7
  BR | São Paulo | -46.63 -23.55
  BR | Rio de Janeiro | -43.2 -22.91
  BR | Curitiba | -49.27 -25.43
  BR | Belo Horizonte | -43.94 -19.92
  CA | Toronto | -79.38 43.65
  CA | Montréal, Montreal | -73.57 45.5
  CA | Calgary | -114.07 51.05
  CA | Edmonton | -113.49 53.55
  CA | Winnipeg | -97.14 49.9
  CH | Zürich, Zurich | 8.54 47.38
  CH | Basel | 7.59 47.56
  CH | Genève, Geneva | 6.14 46.2
  CL | Santiago, Santiago de Chile | -70.67 -33.45
  CN | Shanghai | 121.47 31.23
  CN | Shenzhen | 114.06 22.54
  CN | Guangzhou, Canton | 113.26 23.13
  CN | Dongguan | 113.75 23.02
  CN | Foshan | 113.12 23.02
  CN | Ningbo | 121.55 29.87
  CN | Hangzhou | 120.16 30.27
  CN | Yiwu | 120.07 29.31
  CN | Wenzhou | 120.7 28.0
  CN | Suzhou | 120.62 31.3
  CN | Wuxi | 120.31 31.49
  CN | Nanjing | 118.8 32.06
  CN | Hefei | 117.23 31.82
  CN | Beijing, Peking | 116.4 39.9
  CN | Tianjin | 117.2 39.13
  CN | Qingdao | 120.38 36.07
  CN | Jinan | 117.12 36.65
  CN | Shenyang | 123.43 41.8
  CN | Xiamen | 118.09 24.48
  CN | Quanzhou | 118.68 24.87
  CN | Fuzhou | 119.3 26.07
  CN | Changsha | 112.94 28.23
  CN | Kunming | 102.83 24.88
  CO | Bogotá, Bogota | -74.07 4.71
  CO | Medellín, Medellin | -75.57 6.25
  CZ | Praha, Prague | 14.44 50.08
  CZ | Brno | 16.61 49.2
  DE | Berlin | 13.4 52.52
  DE | Frankfurt, Frankfurt am Main | 8.68 50.11
  DE | München, Munich, Muenchen | 11.58 48.14
  DE | Köln, Cologne, Koeln | 6.96 50.94
  DE | Düsseldorf, Duesseldorf | 6.78 51.23
  DE | Dortmund | 7.47 51.51
  DE | Stuttgart | 9.18 48.78
  DE | Nürnberg, Nuremberg, Nuernberg | 11.08 49.45
  DE | Leipzig | 12.37 51.34
  DE | Hannover, Hanover | 9.73 52.37
  DK | København, Copenhagen | 12.57 55.68
  EC | Quito | -78.47 -0.18
  EG | Cairo, Le Caire | 31.24 30.04
  ES | Madrid | -3.7 40.42
  ES | Zaragoza | -0.88 41.65
  ES | Sevilla, Seville | -5.98 37.39
  ET | Addis Ababa | 38.75 9.03
  FI | Tampere | 23.76 61.5
  FR | Paris | 2.35 48.86
  FR | Lyon | 4.84 45.76
  FR | Lille | 3.06 50.63
  FR | Toulouse | 1.44 43.6
  FR | Bordeaux | -0.58 44.84
  FR | Nantes | -1.55 47.22
  FR | Strasbourg | 7.75 48.57
  FR | Marseille, Marseilles | 5.37 43.3
  GB | London | -0.13 51.51
  GB | Birmingham | -1.9 52.48
  GB | Manchester | -2.24 53.48
  GB | Leeds | -1.55 53.8
  GB | Northampton | -0.9 52.24
  GB | Glasgow | -4.25 55.86
  GH | Accra | -0.19 5.6
  GR | Athína, Athens, Athina | 23.73 37.98
  HU | Budapest | 19.04 47.5
  ID | Jakarta | 106.85 -6.21
  ID | Bandung | 107.61 -6.91
  IE | Dublin | -6.26 53.35
  IN | Mumbai, Bombay | 72.88 19.08
  IN | Delhi, New Delhi | 77.21 28.61
  IN | Ahmedabad | 72.57 23.02
  IN | Bengaluru, Bangalore | 77.59 12.97
  IN | Chennai, Madras | 80.27 13.08
  IN | Hyderabad | 78.49 17.39
  IN | Pune | 73.86 18.52
  IN | Surat | 72.83 21.17
  IN | Tiruppur, Tirupur | 77.34 11.11
  IT | Milano, Milan | 9.19 45.46
  IT | Torino, Turin | 7.69 45.07
  IT | Bologna | 11.34 44.49
  IT | Roma, Rome | 12.5 41.9
  IT | Firenze, Florence | 11.26 43.77
  IT | Verona | 10.99 45.44
  JP | Tokyo | 139.69 35.69
  JP | Osaka | 135.5 34.69
  JP | Nagoya | 136.91 35.18
  KE | Nairobi | 36.82 -1.29
  KH | Phnom Penh | 104.92 11.56
  KR | Seoul | 126.98 37.57
  KR | Daegu | 128.6 35.87
  KW | Kuwait City, Al Kuwayt | 47.98 29.37
  MA | Casablanca | -7.59 33.57
  MA | Tanger, Tangier | -5.81 35.77
  MX | Ciudad de México, Mexico City | -99.13 19.43
  MX | Monterrey | -100.32 25.68
  MX | Guadalajara | -103.35 20.67
  MX | Tijuana | -117.04 32.51
  MX | Querétaro, Queretaro | -100.39 20.59
  MY | Kuala Lumpur | 101.69 3.14
  MY | Klang, Port Klang | 101.45 3.04
  NG | Lagos | 3.38 6.52
  NL | Amsterdam | 4.9 52.37
  NL | Eindhoven | 5.48 51.44
  NL | Tilburg | 5.09 51.56
  NL | Venlo | 6.17 51.37
  NO | Oslo | 10.75 59.91
  NZ | Christchurch | 172.64 -43.53
  PE | Lima | -77.04 -12.05
  PK | Lahore | 74.34 31.55
  PK | Faisalabad | 73.08 31.42
  PK | Sialkot | 74.54 32.49
  PL | Warszawa, Warsaw | 21.01 52.23
  PL | Łódź, Lodz | 19.46 51.76
  PL | Poznań, Poznan | 16.93 52.41
  PL | Wrocław, Wroclaw | 17.04 51.11
  PL | Kraków, Krakow, Cracow | 19.94 50.06
  PT | Porto | -8.61 41.15
  PT | Lisboa, Lisbon | -9.14 38.72
  QA | Doha | 51.53 25.29
  RO | București, Bucharest, Bucuresti | 26.1 44.43
  RS | Beograd, Belgrade | 20.46 44.79
  SA | Riyadh | 46.68 24.71
  SE | Stockholm | 18.07 59.33
  SE | Borås, Boras | 12.94 57.72
  SI | Ljubljana | 14.51 46.05
  SK | Bratislava | 17.11 48.15
  TH | Bangkok | 100.5 13.76
  TN | Tunis | 10.18 36.81
  TN | Sfax | 10.76 34.74
  TR | Istanbul | 28.98 41.04
  TR | Bursa | 29.06 40.19
  TR | Ankara | 32.85 39.93
  TW | Taipei | 121.56 25.04
  TW | Taoyuan | 121.3 24.99
  TW | Taichung | 120.68 24.15
  UA | Kyiv, Kiev | 30.52 50.45
  US | Atlanta | -84.39 33.75
  US | Austin | -97.74 30.27
  US | Chicago | -87.63 41.88
  US | Columbus | -83.0 39.96
  US | Dallas | -96.8 32.78
  US | Denver | -104.99 39.74
  US | Indianapolis | -86.16 39.77
  US | Kansas City | -94.58 39.1
  US | Las Vegas | -115.14 36.17
  US | Los Angeles | -118.24 34.05
  US | Louisville | -85.76 38.25
  US | Memphis | -90.05 35.15
  US | Minneapolis | -93.27 44.98
  US | Nashville | -86.78 36.16
  US | New York | -74.0 40.71
  US | Newark | -74.17 40.74
  US | Phoenix | -112.07 33.45
  US | Reno | -119.81 39.53
  US | Salt Lake City | -111.89 40.76
  US | San Diego | -117.16 32.72
  UZ | Tashkent | 69.24 41.3
  VN | Ho Chi Minh City, Saigon | 106.66 10.78
  VN | Hanoi, Ha Noi | 105.84 21.03
  VN | Bien Hoa, Biên Hòa | 106.82 10.95
  ZA | Johannesburg | 28.05 -26.2
  ZA | Pretoria | 28.19 -25.75
`

let known: Map<string, Place> | undefined

/** Finds a city by its two-letter country code and name. */
export function findCity(country: string, city: string): Place | undefined {
  known ??= readCities()
  return known.get(nameOf(country, city))
}

function readCities(): Map<string, Place> {
  const served = [...railTerminals.values(), ...roadPlaces.values(), ...airports.values()]
  const ports = seaPortCodes().flatMap((code) => findSeaPort(code) ?? [])
  // The first entry of a name wins: the cities of this file, then the best-known ports.
  const all = [...ownCities(), ...[...served, ...ports].map((place) => ({ place, name: place.city }))]
  return new Map(all.toReversed().map(({ place, name }) => [nameOf(place.country, name), place]))
}

function ownCities(): { place: Place; name: string }[] {
  return table
    .trim()
    .split('\n')
    .flatMap((row) => {
      const [country = '', names = '', coordinates = ''] = row.split('|').map((cell) => cell.trim())
      const [longitude, latitude] = coordinates.split(' ').map(Number) as [number, number]
      const all = names.split(', ')
      const place = {
        code: '',
        city: all[0] ?? '',
        country,
        coordinates: [longitude, latitude] as const,
        timeZone: lookUpTimeZone(latitude, longitude),
      }
      return all.map((name) => ({ place, name }))
    })
}

// Ignores accents, case and the kind of apostrophe.
function nameOf(country: string, city: string): string {
  const plain = city.replaceAll(/[łŁøØıİđĐ]/g, (letter) => 'lLoOiIdD'.charAt('łŁøØıİđĐ'.indexOf(letter)))
  const letters = plain.normalize('NFD').replaceAll(/[^\p{Letter}\p{Number}]/gu, '')
  return `${country} ${letters}`.toLowerCase()
}
