/**
 * The countries and cities that maps name: ports, and cities that people know. Ours; the points of countries were computed as
 * the innermost ones of Natural Earth's shapes (`NOTICE`).
 */

export type NamedPlace = {
  kind: 'country' | 'city'
  /** Of a city; of a country its code (ISO 3166), which the browser names in the reader's language. */
  name: string
  longitude: number
  latitude: number
  /** The zoom level from which there is room for it. */
  from: number
}

const countries: [from: number, table: string][] = [
  [
    0.6,
    `
    AR -63.5 -29.5, AU 133.5 -24.1, BR -50.4 -9.4, CA -113.3 58.3, CN 105.9 34.4, IN 79.9 23.1, KZ 70 48.4,
    RU 108 57.6, US -98.7 39.7`,
  ],
  [
    1.5,
    `
    AF 65.3 33.4, AO 17.2 -14, BO -64.5 -17.3, BW 24.4 -22, CD 22.6 -3.1, CF 21.6 6.9, CL -70.6 -30, CM 11.7 4.8,
    CO -72.6 4.1, DE 10.3 51.9, DZ 1.7 27.6, EG 29.9 24.9, ES -3.5 40, ET 39.6 7.5, FI 25.8 62.7, FR 2.4 46.6,
    GB -1.5 52.1, GL -38.2 74.8, ID 113.4 -1.2, IQ 42.9 32.8, IR 54.2 33.1, IT 12.5 42.9, JP 138.6 36.4,
    KE 37.5 -0.3, KR 127.9 36.2, LY 16.1 27, MA -6.3 32.2, MG 46.7 -17.8, ML -1.1 17.9, MM 96.1 21.4, MN 104.6 46,
    MR -10.7 18.5, MX -104.2 26.4, MY 102.4 4, MZ 37.9 -13.2, NA 16.7 -19.7, NE 10.1 17.9, NG 8.3 10, NO 9 61.2,
    NZ 171.6 -43.4, OM 57.5 22.4, PE -72.8 -12.9, PG 143.7 -6.2, PH 121.3 16.6, PK 66.4 27.7, PL 19.5 52.2,
    PY -60.4 -22, RO 24.9 45.8, SA 45.7 22.3, SD 30.6 17.9, SE 15.5 61.5, SO 43.5 2.8, SS 29.6 7.2, TD 19.5 17.4,
    TH 101.2 16.2, TM 59.5 39.4, TR 34.1 39.2, TZ 34.3 -5.5, UA 32.4 49, UZ 63.6 42.2, VE -64.5 7.9, VN 107.8 14.5,
    YE 45.8 15.3, ZA 25 -29.7, ZM 25.7 -15, ZW 29.6 -18.9`,
  ],
  [
    2.8,
    `
    AE 54.1 23.4, AT 14.7 47.6, AZ 47.4 40.3, BD 90 24, BE 4.6 50.6, BF -1.5 12.5, BG 24.5 42.7, BJ 2.3 10.6,
    BY 28.4 53.6, CG 15.9 0.4, CH 7.9 46.9, CI -5.7 7.1, CU -80.9 22.6, CZ 14.6 50, DK 9.2 56.4, EC -78.1 -1.2,
    EH -10.8 26.5, ER 38 15.8, GA 11.5 -0.5, GH -1.2 6.5, GN -12.4 11.1, GR 21.6 39.4, GT -90.6 15.2, GY -59 5.9,
    HN -87.2 14.8, HU 19.9 47.2, IE -7.6 53.1, IS -19 64.9, JO 36.5 30.7, KG 74.9 41.7, KH 104.7 12.7,
    KP 126.4 40.2, LA 102.7 19.9, LK 80.8 7.5, LR -10.1 6.8, MW 33.6 -13.4, NI -85.2 12.8, NL 5.6 52.6,
    NP 81.7 29.2, PA -81.1 8.4, PT -8.3 39, RS 20.9 44.1, SL -11.9 8.7, SN -14.9 15.1, SR -56.2 4.2, SY 38.9 35.1,
    TJ 69.5 38.7, TN 9.8 32.9, TW 120.8 23.5, UG 32.2 0.8, UY -55.8 -32.8`,
  ],
  [
    4,
    `
    AL 20.1 40.8, AM 44.5 40.6, BA 17.8 44.3, BI 30 -3.3, BN 114.9 4.7, BS -78 24.6, BT 90.1 27.5, BZ -88.7 17.5,
    CR -83.9 9.9, CY 33 34.8, DJ 42.3 11.5, DO -70.7 19, EE 26 58.7, FJ 178 -17.8, GE 42.8 42.3, GM -16.1 13.4,
    GQ 10.3 1.6, GW -15.2 12, HR 15.6 45.4, HT -72.2 19.2, IL 34.9 31, JM -77.3 18.1, KW 47.5 29.5, LB 36.2 34.3,
    LS 28.1 -29.7, LT 24.2 55.3, LU 5.9 49.6, LV 26.6 56.6, MD 28.2 47.6, ME 19.3 42.9, MK 21.8 41.7,
    NC 165.3 -21.1, PR -66.7 18.2, PS 35.3 31.9, QA 51.2 25.4, RW 30.1 -1.9, SB 159.4 -8.1, SI 15.1 46.1,
    SK 19 48.8, SV -89.3 13.9, SZ 31.4 -26.7, TG 1.1 9, TL 125.5 -8.9, TT -61.3 10.6, VU 166.9 -15.4, XK 20.9 42.6`,
  ],
]

const cities: [from: number, table: string][] = [
  [
    2.6,
    `
    Shanghai 121.5 31.2, Singapore 103.8 1.3, Rotterdam 4.5 51.9, Hamburg 10 53.6, Los Angeles -118.2 34.1,
    New York -74 40.7, Dubai 55.3 25.2, Hong Kong 114.2 22.3, Tokyo 139.7 35.7, Mumbai 72.9 19.1,
    Santos -46.3 -23.9, Istanbul 29 41, Sydney 151.2 -33.9, Houston -95.4 29.8, Vancouver -123.1 49.3,
    Cape Town 18.4 -33.9, Lagos 3.4 6.5, Busan 129.1 35.2, Panama City -79.5 9, Colombo 79.9 6.9,
    London -0.1 51.5, Paris 2.3 48.9, Cairo 31.2 30, Moscow 37.6 55.8, Beijing 116.4 39.9,
    Buenos Aires -58.4 -34.6, Mexico City -99.1 19.4, Jakarta 106.8 -6.2, Mombasa 39.7 -4.1`,
  ],
  [
    3.6,
    `
    Antwerp 4.4 51.2, Le Havre 0.1 49.5, Valencia -0.4 39.5, Algeciras -5.5 36.1, Genoa 8.9 44.4,
    Piraeus 23.6 37.9, Port Said 32.3 31.3, Jeddah 39.2 21.5, Karachi 67 24.9, Chennai 80.3 13.1,
    Chattogram 91.8 22.3, Laem Chabang 100.9 13.1, Ho Chi Minh City 106.7 10.8, Haiphong 106.7 20.9,
    Manila 121 14.6, Kaohsiung 120.3 22.6, Shenzhen 114.1 22.5, Ningbo 121.6 29.9, Qingdao 120.4 36.1,
    Tianjin 117.2 39.1, Dalian 121.6 38.9, Osaka 135.5 34.7, Seattle -122.3 47.6, Oakland -122.3 37.8,
    Savannah -81.1 32.1, Norfolk -76.3 36.9, Miami -80.2 25.8, Montréal -73.6 45.5, Halifax -63.6 44.6,
    Chicago -87.6 41.9, Manzanillo -104.3 19.1, Veracruz -96.1 19.2, Cartagena -75.5 10.4, Callao -77.1 -12.1,
    Valparaíso -71.6 -33, Montevideo -56.2 -34.9, Salvador -38.5 -13, Durban 31 -29.9, Tanger Med -5.5 35.9,
    Casablanca -7.6 33.6, Dakar -17.4 14.7, Abidjan -4 5.3, Melbourne 145 -37.8, Brisbane 153 -27.5,
    Perth 115.9 -32, Auckland 174.8 -36.8, Madrid -3.7 40.4, Berlin 13.4 52.5, Warsaw 21 52.2, Wien 16.4 48.2,
    Roma 12.5 41.9, Gdańsk 18.6 54.4, Göteborg 12 57.7, Helsinki 24.9 60.2, Oslo 10.7 59.9, Lisbon -9.1 38.7,
    Felixstowe 1.3 52, Kyiv 30.5 50.5, Odesa 30.7 46.5, Constanța 28.7 44.2, Delhi 77.2 28.6, Kolkata 88.4 22.6,
    Bangkok 100.5 13.8, Kuala Lumpur 101.7 3.1, Surabaya 112.7 -7.3, Taipei 121.5 25, Seoul 127 37.6,
    Xiamen 118.1 24.5, Wuhan 114.3 30.6, Chongqing 106.6 29.6, Nairobi 36.8 -1.3, Dar es Salaam 39.3 -6.8,
    Luanda 13.2 -8.8, Johannesburg 28 -26.2, Doha 51.5 25.3, Riyadh 46.7 24.7, Tehran 51.4 35.7,
    Djibouti 43.1 11.6, Salalah 54.1 17`,
  ],
  [
    4.6,
    `
    Bremerhaven 8.6 53.5, Amsterdam 4.9 52.4, Zeebrugge 3.2 51.3, Dunkirk 2.4 51, Southampton -1.4 50.9,
    Liverpool -3 53.4, Dublin -6.3 53.3, Bilbao -3 43.3, Barcelona 2.2 41.4, Marseille 5.4 43.3, Lyon 4.8 45.8,
    La Spezia 9.8 44.1, Napoli 14.3 40.9, Gioia Tauro 15.9 38.4, Trieste 13.8 45.6, Koper 13.7 45.5,
    Rijeka 14.4 45.3, Milano 9.2 45.5, München 11.6 48.1, Frankfurt 8.7 50.1, Köln 7 50.9, Praha 14.4 50.1,
    Budapest 19 47.5, Zürich 8.5 47.4, Duisburg 6.8 51.4, København 12.6 55.7, Aarhus 10.2 56.2,
    Stockholm 18.1 59.3, Riga 24.1 56.9, Tallinn 24.8 59.4, Klaipėda 21.1 55.7, Gdynia 18.5 54.5,
    Thessaloniki 22.9 40.6, İzmir 27.1 38.4, Mersin 34.6 36.8, Haifa 35 32.8, Alexandria 29.9 31.2,
    Tunis 10.2 36.8, Algiers 3.1 36.8, Mundra 69.7 22.8, Nhava Sheva 72.9 18.9, Cochin 76.3 10,
    Visakhapatnam 83.3 17.7, Yangon 96.2 16.8, Port Klang 101.4 3, Tanjung Pelepas 103.5 1.4, Penang 100.4 5.4,
    Da Nang 108.2 16.1, Quy Nhon 109.2 13.8, Guangzhou 113.3 23.1, Fuzhou 119.3 26.1, Yantian 114.3 22.6,
    Nanjing 118.8 32.1, Suzhou 120.6 31.3, Hangzhou 120.2 30.3, Lianyungang 119.2 34.6, Xi’an 108.9 34.3,
    Chengdu 104.1 30.7, Incheon 126.7 37.5, Gwangyang 127.7 34.9, Yokohama 139.6 35.4, Nagoya 136.9 35.2,
    Kobe 135.2 34.7, Hakata 130.4 33.6, Long Beach -118.2 33.8, Tacoma -122.4 47.3, Prince Rupert -130.3 54.3,
    Charleston -79.9 32.8, Baltimore -76.6 39.3, Philadelphia -75.2 40, Boston -71.1 42.4, New Orleans -90.1 30,
    Mobile -88 30.7, Jacksonville -81.7 30.3, Atlanta -84.4 33.7, Dallas -96.8 32.8, Memphis -90 35.1,
    Denver -105 39.7, Toronto -79.4 43.7, Altamira -97.9 22.4, Lázaro Cárdenas -102.2 18, Colón -79.9 9.4,
    Kingston -76.8 18, Buenaventura -77 3.9, Guayaquil -79.9 -2.2, San Antonio -71.6 -33.6, Itajaí -48.7 -26.9,
    Paranaguá -48.5 -25.5, Rio de Janeiro -43.2 -22.9, Tema 0 5.7, Lomé 1.2 6.1, Walvis Bay 14.5 -23,
    Maputo 32.6 -26, Beira 34.8 -19.8, Toamasina 49.4 -18.2, Port Louis 57.5 -20.2, Adelaide 138.6 -34.9,
    Fremantle 115.7 -32.1, Tauranga 176.2 -37.7, Dammam 50.1 26.4, Sohar 56.7 24.4, Bandar Abbas 56.3 27.2,
    Aqaba 35 29.5, Umm Qasr 47.9 30`,
  ],
]

export const namedPlaces: NamedPlace[] = [
  ...countries.flatMap(([from, table]) => placesOf('country', from, table)),
  ...cities.flatMap(([from, table]) => placesOf('city', from, table)),
]

function placesOf(kind: NamedPlace['kind'], from: number, table: string): NamedPlace[] {
  return table.split(',').map((entry) => {
    const words = entry.trim().split(' ')
    const [longitude = 0, latitude = 0] = words.slice(-2).map(Number)
    return { kind, name: words.slice(0, -2).join(' '), longitude, latitude, from }
  })
}
