import { useRouterState } from '@tanstack/react-router'
import { useSignOut } from '../../portal/layout/sign-out.js'
import { PhoneBar } from '../../ui/phone-bar.js'
import { useOperator } from '../api/ops.js'
import { NavLink } from './navigation.js'
import { isWithin, type NavPage, pages } from './pages.js'

// What is done on a phone.
const barNames = new Set<NavPage['name']>(['work', 'shipments', 'documents'])
const inBar = pages.filter(({ name }) => barNames.has(name))
const inSheet = pages.filter(({ name }) => !barNames.has(name))

export function OfficePhoneBar({ onSearch }: { onSearch: () => void }) {
  const { name } = useOperator()
  const pathname = useRouterState({ select: ({ location }) => location.pathname })
  return (
    <PhoneBar
      links={(className) =>
        inBar.map((page) => <NavLink key={page.name} page={page} className={className} size={22} />)
      }
      furtherLinks={(className, close) =>
        inSheet.map((page) => (
          <li key={page.name}>
            <NavLink page={page} className={className} size={22} onClick={close} />
          </li>
        ))
      }
      isFurther={inSheet.some((page) => isWithin(pathname, page))}
      person={<span className="strong">{name}</span>}
      onSearch={onSearch}
      onSignOut={useSignOut()}
    />
  )
}
