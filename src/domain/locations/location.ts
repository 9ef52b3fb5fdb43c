import { Location, type LocationRecord } from '../../contract/public/location.js'
import { inInterfaceOrder } from '../records/rendering.js'

/** Interface 2.3: postal codes and telephone numbers are integers. Others are stored, but not shown. */
export function renderLocation(record: LocationRecord): Location {
  const { zip_code, contacts, ...rest } = record
  return inInterfaceOrder(Location, {
    ...rest,
    ...integerField('zip_code', zip_code),
    ...(contacts && {
      contacts: contacts.map(({ phone, ...contact }) => ({ ...contact, ...integerField('phone', phone) })),
    }),
  })
}

// "01234" is not shown as an integer: it would lose its zero.
const writtenInteger = /^(?:0|[1-9]\d{0,14})$/

function integerField<Name extends string>(name: Name, value: number | string | undefined) {
  const integer = typeof value === 'string' && writtenInteger.test(value) ? Number(value) : value
  return (Number.isSafeInteger(integer) ? { [name]: integer } : {}) as { [Field in Name]?: number }
}
