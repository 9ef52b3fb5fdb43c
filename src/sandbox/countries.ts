import type { Currency } from '../contract/public/shared-types.js'

/** Data by country: the currency of invoices, the VAT rate, and personal names. */

type Country = { currency: Currency; vat: number; people: readonly string[]; legalForm: string }

const euro = (vat: number, legalForm: string, people: readonly string[]): Country => ({
  currency: 'EUR',
  vat,
  legalForm,
  people,
})

const chinese = ['Li Wei', 'Zhang Min', '王芳', 'Chen Jie', '刘洋', 'Huang Lei']
const english = ['Olivia Carter', 'James Whitfield', 'Priya Shah', 'Sean O’Connor', 'Grace Bennett']
const spanish = ['Lucía Fernández', 'Javier Muñoz', 'María José Peña', 'Andrés Núñez']
const arabic = ['Ahmed Al-Mansoori', 'Fatima Haddad', 'Youssef Ben Salah', 'Leila Karoui']
const french = ['Élodie Lefèvre', 'Jérôme Dubois', 'Chloé Garnier', 'François Petit']
const indian = ['Anjali Rao', 'Rahul Mehta', 'Suresh Iyer', 'Nazmul Hossain']
const portuguese = ['João Ribeiro', 'Conceição Almeida', 'Tiago Gonçalves']

const other: Country = { currency: 'USD', vat: 0, people: english, legalForm: 'Ltd.' }

const countries: Record<string, Country> = {
  AE: { currency: 'AED', vat: 5, people: arabic, legalForm: 'FZCO' },
  AU: { currency: 'AUD', vat: 10, people: english, legalForm: 'Pty Ltd' },
  BD: { currency: 'USD', vat: 15, people: indian, legalForm: 'Ltd.' },
  BE: euro(21, 'NV', ['Lotte Peeters', 'Wout Janssens', 'Anaïs Lambert']),
  BH: { currency: 'BHD', vat: 10, people: arabic, legalForm: 'W.L.L.' },
  BR: { currency: 'BRL', vat: 17, people: portuguese, legalForm: 'Ltda.' },
  CA: { currency: 'CAD', vat: 13, people: english, legalForm: 'Inc.' },
  CH: { currency: 'CHF', vat: 8.1, people: ['Reto Müller', 'Céline Favre', 'Urs Bühler'], legalForm: 'AG' },
  CI: { currency: 'XOF', vat: 18, people: ['Aya Koné', 'Moussa Traoré'], legalForm: 'SARL' },
  CL: { currency: 'USD', vat: 19, people: spanish, legalForm: 'SpA' },
  CN: { currency: 'CNY', vat: 6, people: chinese, legalForm: 'Co., Ltd.' },
  DE: euro(19, 'GmbH', ['Jürgen Weiß', 'Anke Schröder', 'Lukas Vogel', 'Käthe Böhm']),
  DK: { currency: 'DKK', vat: 25, people: ['Søren Østergaard', 'Mette Kjær'], legalForm: 'A/S' },
  EC: { currency: 'USD', vat: 15, people: spanish, legalForm: 'S.A.' },
  ES: euro(21, 'S.L.', spanish),
  FR: euro(20, 'SAS', french),
  GB: { currency: 'GBP', vat: 20, people: english, legalForm: 'Ltd' },
  ID: { currency: 'IDR', vat: 11, people: ['Budi Santoso', 'Siti Rahayu'], legalForm: 'PT' },
  IN: { currency: 'INR', vat: 18, people: indian, legalForm: 'Pvt. Ltd.' },
  IT: euro(22, 'S.r.l.', ['Niccolò Ferrari', 'Giulia Conti', 'Matteo Bianchi']),
  JP: { currency: 'JPY', vat: 10, people: ['佐藤 健', 'Yuki Tanaka', 'Haruka Itō'], legalForm: 'K.K.' },
  KE: { currency: 'USD', vat: 16, people: ['Wanjiru Kamau', 'David Otieno'], legalForm: 'Ltd' },
  KR: { currency: 'KRW', vat: 10, people: ['Kim Min-jun', '박서연', 'Lee Ji-woo'], legalForm: 'Co., Ltd.' },
  KW: { currency: 'KWD', vat: 0, people: arabic, legalForm: 'W.L.L.' },
  LK: { currency: 'USD', vat: 18, people: ['Nuwan Perera', 'Dilani Fernando'], legalForm: '(Pvt) Ltd' },
  MA: { currency: 'EUR', vat: 20, people: arabic, legalForm: 'SARL' },
  MX: { currency: 'MXN', vat: 16, people: spanish, legalForm: 'S.A. de C.V.' },
  MY: { currency: 'MYR', vat: 8, people: ['Nurul Aisyah', 'Tan Wei Ming'], legalForm: 'Sdn. Bhd.' },
  NC: { currency: 'XPF', vat: 11, people: french, legalForm: 'SARL' },
  NL: euro(21, 'B.V.', ['Daan de Vries', 'Sanne van Dijk', 'Joëlle Bakker']),
  NO: { currency: 'NOK', vat: 25, people: ['Ingrid Bjørnstad', 'Håkon Lie'], legalForm: 'AS' },
  NZ: { currency: 'NZD', vat: 15, people: english, legalForm: 'Limited' },
  PF: { currency: 'XPF', vat: 13, people: french, legalForm: 'SARL' },
  PH: { currency: 'USD', vat: 12, people: ['Maria Santos', 'Jose Villanueva'], legalForm: 'Inc.' },
  PL: { currency: 'PLN', vat: 23, people: ['Łukasz Wiśniewski', 'Małgorzata Zając'], legalForm: 'Sp. z o.o.' },
  PT: euro(23, 'Lda.', portuguese),
  QA: { currency: 'USD', vat: 0, people: arabic, legalForm: 'W.L.L.' },
  SE: { currency: 'SEK', vat: 25, people: ['Åsa Lindström', 'Björn Ek'], legalForm: 'AB' },
  SG: { currency: 'SGD', vat: 9, people: ['Tan Hui Ling', 'Marcus Lim'], legalForm: 'Pte. Ltd.' },
  SI: euro(22, 'd.o.o.', ['Špela Novak', 'Žiga Kovač']),
  TH: { currency: 'THB', vat: 7, people: ['Somchai Suksan', 'Ploy Charoen'], legalForm: 'Co., Ltd.' },
  TN: { currency: 'TND', vat: 19, people: arabic, legalForm: 'SARL' },
  TR: { currency: 'EUR', vat: 20, people: ['Ayşe Yılmaz', 'Mehmet Çelik'], legalForm: 'A.Ş.' },
  TW: { currency: 'TWD', vat: 5, people: ['陳怡君', 'Lin Chih-hao'], legalForm: 'Co., Ltd.' },
  US: { currency: 'USD', vat: 0, people: english, legalForm: 'Inc.' },
  VN: { currency: 'USD', vat: 10, people: ['Nguyễn Thị Lan', 'Trần Văn Hùng'], legalForm: 'Co., Ltd.' },
  ZA: { currency: 'ZAR', vat: 15, people: ['Thabo Nkosi', 'Anneke Botha'], legalForm: '(Pty) Ltd' },
}

export function countryOf(code: string): Country {
  return countries[code] ?? other
}
