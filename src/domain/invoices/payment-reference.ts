import { Big } from 'big.js'
import type { BankDetails } from '../../contract/billing.js'
import type { Price } from '../../contract/public/shared-types.js'

/** References that banks pass on unchanged (ISO 11649), account numbers (ISO 13616) and the code to scan (EPC069-12). */

/** `RF` with check digits, and the number of the invoice without punctuation: `INV-2026-000001` is `RF94INV2026000001`. */
export function creditorReference(number: string): string | undefined {
  const plain = number.toUpperCase().replace(/[^A-Z0-9]/g, '')
  if (plain.length === 0 || plain.length > 21) return undefined
  return `RF${String(98 - remainder97(`${plain}RF00`)).padStart(2, '0')}${plain}`
}

/** The number of an invoice within a reference, without its punctuation. */
export function plainNumber(text: string): string {
  return text.toUpperCase().replace(/[^A-Z0-9]/g, '')
}

export function plainIban(iban: string): string {
  return iban.replaceAll(/\s/g, '').toUpperCase()
}

export function isIban(iban: string): boolean {
  const plain = plainIban(iban)
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(plain)) return false
  return remainder97(plain.slice(4) + plain.slice(0, 4)) === 1
}

export function isBic(bic: string): boolean {
  return /^[A-Z]{4}[A-Z]{2}[A-Z0-9]{2}(?:[A-Z0-9]{3})?$/.test(bic)
}

/** `DE89 3704 0044 0532 0130 00`. */
export function formatIban(iban: string): string {
  return plainIban(iban).replaceAll(/(.{4})(?=.)/g, '$1 ')
}

// Letters count as 10 to 35. The digits are taken a few at a time: the whole exceeds the range of a number.
function remainder97(characters: string): number {
  const digits = characters.replaceAll(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55))
  let rest = 0
  for (const digit of digits) rest = (rest * 10 + Number(digit)) % 97
  return rest
}

type Transfer = { bank: BankDetails; holder: string; amount: Price; reference: string | undefined; text: string }

/** The content of the QR code for a credit transfer, version 002; undefined if it cannot be paid by one. */
export function epcQrCode({ bank, holder, amount, reference, text }: Transfer): string | undefined {
  if (amount.currency !== 'EUR' || amount.amount < 0.01 || amount.amount > 999_999_999.99) return undefined
  if (!isIban(bank.iban)) return undefined
  const name = clean(bank.holder ?? holder).slice(0, 70)
  if (name === '') return undefined
  const lines = [
    'BCD',
    '002',
    '1',
    'SCT',
    bank.bic ?? '',
    name,
    plainIban(bank.iban),
    `EUR${new Big(amount.amount).toFixed(2)}`,
    '',
    reference ?? '',
    reference === undefined ? clean(text).slice(0, 140) : '',
  ]
  // The last lines are left out if they are empty, with their separators.
  while (lines.at(-1) === '') lines.pop()
  const code = lines.join('\n')
  return new TextEncoder().encode(code).length <= 331 ? code : undefined
}

function clean(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim()
}
