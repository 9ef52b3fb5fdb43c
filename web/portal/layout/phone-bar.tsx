import { useRouterState } from '@tanstack/react-router'
import { AppLink } from '../../ui/app-link.js'
import { PhoneBar } from '../../ui/phone-bar.js'
import { SegmentedControl } from '../../ui/segmented-control.js'
import { useSession } from '../api/session.js'
import { useMessages } from '../i18n/messages.js'
import { UnreadBadge } from './bell.js'
import { addressOf, bellPage, furtherPages, isOpenTo, isWithin, mainPages, type NavPage } from './pages.js'
import { languageNames, languages, themes, usePreferences } from './preferences.js'
import { useSignOut } from './sign-out.js'

const barNames = new Set<NavPage['name']>(['overview', 'exceptions', 'shipments'])
const inBar = mainPages.filter(({ name }) => barNames.has(name))
const inSheet = [bellPage, ...mainPages.filter((page) => !inBar.includes(page)), ...furtherPages]

export function PortalPhoneBar({ onSearch }: { onSearch: () => void }) {
  const { person, account } = useSession()
  const pathname = useRouterState({ select: ({ location }) => location.pathname })
  return (
    <PhoneBar
      links={(className) => inBar.map((page) => <BarLink key={page.name} page={page} className={className} />)}
      furtherLinks={(className, close) =>
        inSheet
          .filter((page) => isOpenTo(person.role, page))
          .map((page) => (
            <li key={page.name}>
              <BarLink page={page} className={className} onClick={close} />
            </li>
          ))
      }
      isFurther={inSheet.some((page) => isWithin(pathname, page))}
      badge={<UnreadBadge />}
      person={
        <>
          <span className="strong">{person.name}</span>
          <span className="soft small">{account.name}</span>
        </>
      }
      settings={<Settings />}
      onSearch={onSearch}
      onSignOut={useSignOut()}
    />
  )
}

type LinkProps = { page: NavPage; className: string | undefined; onClick?: () => void }

function BarLink({ page, className, onClick }: LinkProps) {
  const { nav } = useMessages()
  const pathname = useRouterState({ select: ({ location }) => location.pathname })
  const { Icon, name } = page
  return (
    <AppLink
      href={addressOf(page)}
      className={className}
      aria-current={isWithin(pathname, page) ? 'page' : undefined}
      onClick={onClick}
    >
      {page === bellPage && <UnreadBadge />}
      <Icon size={22} stroke={1.6} aria-hidden="true" />
      {nav[name]}
    </AppLink>
  )
}

function Settings() {
  const { nav } = useMessages()
  const { preferences } = useSession()
  const save = usePreferences()
  return (
    <>
      <SegmentedControl
        label={nav.language}
        value={preferences.language}
        options={languages.map((value) => ({ value, label: languageNames[value], lang: value }))}
        onChange={(language) => save({ language })}
      />
      <SegmentedControl
        label={nav.theme}
        value={preferences.theme}
        options={themes.map((value) => ({ value, label: nav.themes[value] }))}
        onChange={(theme) => save({ theme })}
      />
    </>
  )
}
