/**
 * The API has telephone numbers as integers, without a leading plus or zero. Long ones begin with a country code; eleven
 * digits that begin with 1 are a North American number in the US and Canada, and a Chinese mobile number elsewhere.
 */
export function telephoneOf(phone: number, country: string | undefined): { text: string; address: string } {
  const digits = String(phone)
  const isNational = digits.length < 11 || (digits.length === 11 && digits.startsWith('1') && !isNorthAmerican(country))
  const dialled = isNational ? digits : `+${digits}`
  return { text: isNational ? inGroups(digits) : `+${inGroups(digits)}`, address: `tel:${dialled}` }
}

function isNorthAmerican(country: string | undefined): boolean {
  return ['US', 'CA'].includes(country?.toUpperCase() ?? '')
}

// In groups of three, for readability.
function inGroups(digits: string): string {
  return digits.replaceAll(/\B(?=(?:\d{3})+$)/g, '\u00a0')
}
