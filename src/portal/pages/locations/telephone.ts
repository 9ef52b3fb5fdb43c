/**
 * The interface carries telephone numbers as integers, without the plus or the zero in front. Long ones begin with the
 * code of a country; eleven digits that begin with 1 are a number of North America there, and a mobile in China elsewhere.
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

// Easier to read, and to compare with what stands elsewhere.
function inGroups(digits: string): string {
  return digits.replaceAll(/\B(?=(?:\d{3})+$)/g, '\u00a0')
}
