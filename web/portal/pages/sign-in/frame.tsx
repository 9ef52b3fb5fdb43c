import { type ReactNode, useEffect } from 'react'
import { useProductName, useReader } from '../../i18n/messages.js'
import { useBranding } from '../../layout/branding.js'
import { Logo } from '../../layout/logo.js'
import { languageNames, languages } from '../../layout/preferences.js'
import { site } from '../../site.js'
import styles from './sign-in.module.css'

type Props = { title: string; lead?: ReactNode; children: ReactNode }

/** The frame of the pages for visitors: a form, and an illustration on wide screens. */
export function Frame({ title, lead, children }: Props) {
  const { language, messages, chooseLanguage } = useReader()
  const { signIn, office } = messages
  const productName = useProductName()
  const { name, logo } = useBranding()

  useEffect(() => {
    document.title = `${title} · ${productName}`
  }, [title, productName])

  return (
    <div className={styles.frame}>
      <main className={styles.main}>
        <p className={styles.brand}>
          <Logo size={30} picture={logo} />
          {name}
        </p>
        <div className={styles.text}>
          <h1>{title}</h1>
          {lead && <p className="soft">{lead}</p>}
        </div>
        {children}
        <p className={styles.languages}>
          {languages
            .filter((other) => other !== language)
            .map((other) => (
              <button key={other} type="button" lang={other} onClick={() => chooseLanguage(other)}>
                {languageNames[other]}
              </button>
            ))}
        </p>
      </main>
      <aside className={styles.aside} aria-hidden="true">
        <Voyage />
        <p>{site === 'office' ? office.tagline : signIn.tagline}</p>
      </aside>
    </div>
  )
}

/** The journey strip as an illustration. */
function Voyage() {
  return (
    <svg viewBox="0 0 420 120" className={styles.voyage}>
      <path d="M24 78h372" className={styles.ahead} />
      <path d="M24 78h232" className={styles.past} />
      <circle cx="24" cy="78" r="13" className={styles.full} />
      <circle cx="117" cy="78" r="13" className={styles.full} />
      <circle cx="210" cy="78" r="13" className={styles.full} />
      <circle cx="303" cy="78" r="12" className={styles.hollow} />
      <path d="M303 66a12 12 0 0 0 0 24z" className={styles.full} />
      <circle cx="396" cy="78" r="12" className={styles.hollow} />
      <path d="M240 34h32l-16 24z" className={styles.full} />
    </svg>
  )
}
