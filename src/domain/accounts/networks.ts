/** Networks in CIDR notation, of IPv4 and IPv6. */

const v4 = /^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?!$)|$)){4}$/

/** Whether a text is an address or a network, such as `203.0.113.7`, `203.0.113.0/24` or `2001:db8::/32`. */
export function isNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/')
  const isV6 = address.includes(':')
  if (rest.length > 0 || !(isV6 ? isV6Address(address) : v4.test(address))) return false
  return bits === undefined || (/^(?:0|[1-9]\d{0,2})$/.test(bits) && Number(bits) <= (isV6 ? 128 : 32))
}

function isV6Address(text: string): boolean {
  return /^[\da-f:]+$/i.test(text) && URL.canParse(`http://[${text}]/`)
}
