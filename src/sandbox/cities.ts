/** The cities of suppliers and warehouses, with their ports, airports and terminals. */

type Continent = 'asia' | 'europe' | 'north_america' | 'elsewhere'

export type City = {
  name: string
  country: string
  continent: Continent
  /** Whether it has suppliers, warehouses, or both. */
  role: 'source' | 'market' | 'both'
  zip: string
  street: string
  /** The international prefix, and the pattern of the rest: a digit for each 9. */
  phone: string
  seaPort: string
  airport: string
  rail?: string
  road?: string
}

// City, country, continent, role, postal code, street, telephone, sea port, airport, rail terminal, road place.
const table = `
  Shanghai | CN | asia | source | 201210 | Zhangheng Road | +86 21 9999 9999 | CN/SHA | PVG | - | -
  Ningbo | CN | asia | source | 315800 | Meishan Avenue | +86 574 9999 9999 | CN/NGB | PVG | CN/YIW | -
  Yiwu | CN | asia | source | 322000 | Chouzhou North Road | +86 579 9999 9999 | CN/NGB | PVG | CN/YIW | -
  Shenzhen | CN | asia | source | 518083 | Shenyan Road | +86 755 9999 9999 | CN/YTN | HKG | - | -
  Guangzhou | CN | asia | source | 511458 | Huanshi Avenue | +86 20 9999 9999 | CN/NSA | CAN | - | -
  Qingdao | CN | asia | source | 266555 | Qianwangang Road | +86 532 9999 9999 | CN/TAO | PEK | CN/CGO | -
  Tianjin | CN | asia | source | 300461 | Xinggang Road | +86 22 9999 9999 | CN/TXG | PEK | - | -
  Xiamen | CN | asia | source | 361026 | Gangzhong Road | +86 592 9999 9999 | CN/XMG | CAN | - | -
  Chongqing | CN | asia | source | 401331 | Tuanjie Road | +86 23 9999 9999 | CN/SHA | PVG | CN/CKG | -
  Xi’an | CN | asia | source | 710026 | Gangwu Avenue | +86 29 9999 9999 | CN/TAO | PEK | CN/XIY | -
  Wuhan | CN | asia | source | 430040 | Dongwu Avenue | +86 27 9999 9999 | CN/SHA | PVG | CN/WUH | -
  Kaohsiung | TW | asia | source | 806 | Zhongshan 4th Road | +886 7 999 9999 | TW/KHH | TPE | - | -
  Taoyuan | TW | asia | source | 330 | Guoji Road | +886 3 999 9999 | TW/KEL | TPE | - | -
  Busan | KR | asia | source | 46754 | Noksansandan-ro | +82 51 999 9999 | KR/PUS | ICN | - | -
  Yokohama | JP | asia | both | 231-0812 | Nishikicho | +81 45 999 9999 | JP/YOK | NRT | - | -
  Kobe | JP | asia | both | 658-0031 | Koyocho Higashi | +81 78 999 9999 | JP/UKB | NRT | - | -
  Singapore | SG | asia | both | 629734 | Pioneer Road | +65 6999 9999 | SG/SIN | SIN | - | -
  Penang | MY | asia | source | 11900 | Jalan Sultan Azlan Shah | +60 4 999 9999 | MY/PEN | KUL | - | -
  Klang | MY | asia | source | 42000 | Persiaran Raja Muda Musa | +60 3 9999 9999 | MY/PKG | KUL | - | -
  Bangkok | TH | asia | source | 10540 | Bangna-Trat Road | +66 2 999 9999 | TH/LCH | BKK | - | -
  Ho Chi Minh City | VN | asia | source | 71300 | Nguyễn Văn Linh | +84 28 9999 9999 | VN/CMT | SGN | - | -
  Haiphong | VN | asia | source | 18000 | Lê Thánh Tông | +84 225 999 9999 | VN/HPH | HAN | - | -
  Jakarta | ID | asia | source | 14350 | Jalan Raya Cakung Cilincing | +62 21 999 9999 | ID/JKT | SIN | - | -
  Manila | PH | asia | source | 1012 | Bonifacio Drive | +63 2 9999 9999 | PH/MNL | HKG | - | -
  Chattogram | BD | asia | source | 4100 | Agrabad Access Road | +880 31 999 999 | BD/CGP | DAC | - | -
  Mumbai | IN | asia | source | 400707 | JNPT Township Road | +91 22 9999 9999 | IN/NSA | BOM | - | -
  Ahmedabad | IN | asia | source | 382445 | Narol Sarkhej Highway | +91 79 9999 9999 | IN/MUN | BOM | - | -
  Chennai | IN | asia | source | 600032 | Guindy Industrial Estate | +91 44 9999 9999 | IN/MAA | MAA | - | -
  Colombo | LK | asia | source | 01500 | Baseline Road | +94 11 999 9999 | LK/CMB | MAA | - | -
  Dubai | AE | elsewhere | both | - | Jebel Ali Free Zone South | +971 4 999 9999 | AE/JEA | DXB | - | -
  Doha | QA | elsewhere | market | - | Street 33, Industrial Area | +974 9999 9999 | QA/HMD | DOH | - | -
  Kuwait City | KW | elsewhere | market | 13001 | Shuwaikh Port Road | +965 9999 9999 | KW/SWK | DXB | - | -
  Istanbul | TR | europe | source | 34524 | Haramidere Yolu | +90 212 999 99 99 | TR/AMR | IST | - | TR/IST
  Tunis | TN | elsewhere | source | 2040 | Avenue de la République | +216 71 999 999 | TN/RDS | CDG | - | -
  Casablanca | MA | elsewhere | source | 20250 | Boulevard Moulay Slimane | +212 522 99 99 99 | MA/CAS | CDG | - | -
  Johannesburg | ZA | elsewhere | both | 1601 | Isando Road | +27 11 999 9999 | ZA/DUR | JNB | - | -
  Nairobi | KE | elsewhere | source | 00501 | Mombasa Road | +254 20 999 9999 | KE/MBA | NBO | - | -
  Abidjan | CI | elsewhere | market | - | Boulevard de Vridi | +225 27 99 99 99 99 | CI/ABJ | CDG | - | -
  São Paulo | BR | elsewhere | source | 05319-000 | Avenida Mofarrej | +55 11 9999 9999 | BR/SSZ | GRU | - | -
  Santiago | CL | elsewhere | source | 9020000 | Avenida Américo Vespucio | +56 2 9999 9999 | CL/SAI | SCL | - | -
  Guayaquil | EC | elsewhere | source | 090112 | Avenida 25 de Julio | +593 4 999 9999 | EC/GYE | MIA | - | -
  Ciudad de México | MX | north_america | both | 02300 | Eje Vallejo | +52 55 9999 9999 | MX/VER | MEX | MX/MEX | MX/MEX
  Monterrey | MX | north_america | source | 66600 | Avenida Alemán | +52 81 9999 9999 | MX/LZC | MEX | MX/MEX | MX/MTY
  Los Angeles | US | north_america | market | 90731 | Harbor Boulevard | +1 310 555 9999 | US/LAX | LAX | - | US/LAX
  Oakland | US | north_america | market | 94607 | Maritime Street | +1 510 555 9999 | US/OAK | LAX | - | -
  Chicago | US | north_america | both | 60638 | 65th Street | +1 773 555 9999 | US/NYC | ORD | US/CHI | US/CHI
  Dallas | US | north_america | both | 75236 | Creek Parkway | +1 214 555 9999 | US/HOU | ORD | US/DAL | US/DAL
  Newark | US | north_america | market | 07114 | Corbin Street | +1 973 555 9999 | US/NYC | JFK | - | US/NYC
  Atlanta | US | north_america | market | 30336 | Fulton Boulevard | +1 404 555 9999 | US/SAV | MIA | - | US/ATL
  Toronto | CA | north_america | market | M9W 5L7 | Rexdale Boulevard | +1 416 555 9999 | CA/HAL | YYZ | CA/TOR | CA/TOR
  Vancouver | CA | north_america | market | V6A 4K6 | Commissioner Street | +1 604 555 9999 | CA/VAN | YYZ | - | -
  London | GB | europe | market | SW1A 1AA | Thames Road | +44 20 7946 0999 | GB/LGP | LHR | - | GB/LON
  Felixstowe | GB | europe | market | IP11 3SY | Trelawny Place | +44 1394 999999 | GB/FXT | LHR | - | -
  Paris | FR | europe | both | 93290 | Rue de la Belle Étoile | +33 1 99 99 99 99 | FR/LEH | CDG | - | FR/PAR
  Lyon | FR | europe | both | 69800 | Allée des Érables | +33 4 99 99 99 99 | FR/FOS | CDG | FR/LIO | FR/LIO
  Rotterdam | NL | europe | market | 3199 LC | Europaweg | +31 10 999 9999 | NL/RTM | AMS | NL/TLB | NL/RTM
  Antwerpen | BE | europe | market | 2030 | Noorderlaan | +32 3 999 99 99 | BE/ANR | LGG | DE/DUI | BE/ANR
  Hamburg | DE | europe | both | 21129 | Altenwerder Kirchweg | +49 40 9999999 | DE/HAM | FRA | DE/HAM | DE/HAM
  Duisburg | DE | europe | market | 47229 | Bliersheimer Straße | +49 203 999999 | NL/RTM | FRA | DE/DUI | DE/DUI
  München | DE | europe | both | 85748 | Lichtenbergstraße | +49 89 9999999 | DE/BRV | FRA | DE/MUC | DE/MUC
  Milano | IT | europe | both | 20090 | Via Cassanese | +39 02 9999 9999 | IT/GOA | MXP | - | IT/MIL
  Barcelona | ES | europe | both | 08039 | Passeig de la Zona Franca | +34 93 999 99 99 | ES/BCN | MAD | - | ES/BCN
  Madrid | ES | europe | market | 28821 | Avenida de la Cañada | +34 91 999 99 99 | ES/VLC | MAD | ES/MAD | ES/MAD
  Lisboa | PT | europe | both | 2660-421 | Rua das Pedreiras | +351 21 999 9999 | PT/LIS | MAD | - | PT/LIS
  Łódź | PL | europe | both | 92-332 | aleja Piłsudskiego | +48 42 999 99 99 | PL/GDN | WAW | PL/LOD | PL/WAW
  Ljubljana | SI | europe | market | 1000 | Letališka cesta | +386 1 999 99 99 | SI/KOP | MXP | - | SI/LJU
  Göteborg | SE | europe | market | 418 79 | Arendalsvägen | +46 31 999 99 99 | SE/GOT | CPH | - | SE/GOT
  København | DK | europe | market | 2770 | Amager Landevej | +45 99 99 99 99 | DK/AAR | CPH | - | DK/CPH
  Oslo | NO | europe | market | 0668 | Alnabruveien | +47 22 99 99 99 | NO/OSL | CPH | - | -
  Zürich | CH | europe | market | 8048 | Hohlstrasse | +41 44 999 99 99 | NL/RTM | FRA | - | DE/MUC
  Sydney | AU | elsewhere | market | 2019 | Botany Road | +61 2 9999 9999 | AU/SYD | SYD | - | -
  Melbourne | AU | elsewhere | market | 3026 | Dohertys Road | +61 3 9999 9999 | AU/MEL | MEL | - | -
  Auckland | NZ | elsewhere | market | 2022 | Verissimo Drive | +64 9 999 9999 | NZ/AKL | AKL | - | -
  Papeete | PF | elsewhere | market | 98714 | Boulevard Pomare | +689 40 99 99 99 | PF/PPT | AKL | - | -
  Nouméa | NC | elsewhere | market | 98800 | Avenue de la Victoire | +687 99 99 99 | NC/NOU | SYD | - | -
`

function parseCity(row: string): City {
  const cells = row.split('|').map((cell) => cell.trim().replace(/^-$/, ''))
  const [name = '', country = '', continent, role, zip = '', street = '', phone = ''] = cells
  const [seaPort = '', airport = '', rail, road] = cells.slice(7)
  const place = { name, country, continent: continent as Continent, role: role as City['role'], zip, street, phone }
  return { ...place, seaPort, airport, ...(rail && { rail }), ...(road && { road }) }
}

export const cities: City[] = table.trim().split('\n').map(parseCity)

export const sourceCities = cities.filter(({ role }) => role !== 'market')
export const marketCities = cities.filter(({ role }) => role !== 'source')

export function cityNamed(name: string): City {
  const found = cities.find((candidate) => candidate.name === name)
  if (!found) throw new Error(`There is no city ${name} in the sandbox`)
  return found
}
