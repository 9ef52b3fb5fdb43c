import { Section } from '../../../ui/section.js'
import { useDeveloperMessages } from '../../i18n/developers.js'
import { otherPaths } from '../../paths.js'
import { CodeBlock } from './code-block.js'
import styles from './developers.module.css'

export function QuickStart() {
  const m = useDeveloperMessages()
  const { origin } = window.location
  const curl = `export WAYBILL_KEY=wb_…
curl '${origin}/v1/shipments?take=1' \\
  -H "Authorization: Bearer $WAYBILL_KEY"`
  const typescript = `const waybill = createClient({
  baseUrl: '${origin}',
  key: process.env.WAYBILL_KEY,
})
const shipments = await waybill.listShipments()`
  const links = [
    { href: otherPaths.reference, name: m.reference, text: m.referenceText },
    { href: '/openapi.json', name: m.openApi, text: m.openApiText },
    { href: '/errors/', name: m.errorCodes, text: m.errorCodesText },
  ]
  return (
    <Section title={m.quickStart}>
      <div className={styles.start}>
        <CodeBlock text={curl} label={m.withCurl} copy={m.copyCode} />
        <div className={styles.part}>
          <CodeBlock text={typescript} label={m.withClient} copy={m.copyCode} />
          <p className="small soft">{m.clientText}</p>
        </div>
        <div className={styles.part}>
          <h3 className={styles.small}>{m.readMore}</h3>
          <ul className={styles.links}>
            {links.map(({ href, name, text }) => (
              <li key={href}>
                <a href={href} target="_blank" rel="noreferrer">
                  {name}
                </a>
                <span className="soft">{text}</span>
              </li>
            ))}
          </ul>
        </div>
      </div>
    </Section>
  )
}
