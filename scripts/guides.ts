import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { Marked } from 'marked'
import { escapeHtml } from '../src/contract/html.js'
import { packFiles } from './browser-files.js'
import { guideStyle } from './guide-style.js'

/** The guides and pages of docs/ that the service serves beside its references, as static HTML without scripts. */

type Site = {
  name: string
  title: string
  /** Where the service serves them. */
  at: string
  reference: string
  /** The file whose sections become pages of their own. */
  guides: string
  /** Other pages, by the title of their group. */
  topics: Record<string, string[]>
}

const customerTopics = {
  Topics: ['feed', 'webhooks', 'inbound', 'exceptions', 'free-time', 'messages', 'sharing', 'calendars'],
  Interface: ['interface-decisions', 'compatibility', 'client', 'sandbox', 'mcp'],
}

export const sites: Site[] = [
  {
    name: 'customers',
    title: 'Guides',
    at: '/docs/guides/',
    reference: '/docs/',
    guides: 'guides',
    topics: customerTopics,
  },
  {
    name: 'operators',
    title: 'Guides for operators',
    at: '/ops/docs/guides/',
    reference: '/ops/docs/',
    guides: 'operator-guides',
    topics: {
      'For operators': [
        'operator-interface',
        'import',
        'spreadsheets',
        'feeds',
        'edi',
        'event-tables',
        'notifications',
      ],
      Running: ['deploy', 'operations', 'configuration', 'command-line', 'backup', 'scaling', 'office', 'portal'],
      ...customerTopics,
    },
  },
]

type Page = { path: string; title: string; group: string; markdown: string }

export async function renderGuides(): Promise<void> {
  const folder = new URL('../dist/guides/', import.meta.url)
  await rm(folder, { recursive: true, force: true })
  const paths: string[] = []
  for (const site of sites) {
    await mkdir(new URL(`${site.name}/`, folder), { recursive: true })
    const pages = await pagesOf(site)
    const write = async (path: string, content: string) => {
      paths.push(`${site.name}/${path}`)
      await writeFile(new URL(`${site.name}/${path}`, folder), content)
    }
    await write('guides.css', guideStyle)
    for (const page of pages) await write(`${page.path === '' ? 'index' : page.path}.html`, html(site, pages, page))
  }
  await packFiles(folder, paths)
}

async function pagesOf(site: Site): Promise<Page[]> {
  const text = await markdownOf(site.guides)
  const [start = '', ...sections] = text.split(/^## /m)
  const guides = sections.map((section): Page => {
    const [title = '', ...rest] = section.split('\n')
    return { path: slugOf(title), title, group: 'Guides', markdown: `# ${title}\n${rest.join('\n')}` }
  })
  const topics = Object.entries(site.topics).flatMap(([group, names]) =>
    names.map(async (name): Promise<Page> => {
      const markdown = await markdownOf(name)
      return { path: pathOf(name), title: /^# (.+)$/m.exec(markdown)?.[1] ?? name, group, markdown }
    }),
  )
  return [{ path: '', title: site.title, group: 'Guides', markdown: start }, ...guides, ...(await Promise.all(topics))]
}

/** Apart from the guides: both have a page on webhooks. */
function pathOf(topic: string): string {
  return `about-${topic}`
}

async function markdownOf(name: string): Promise<string> {
  return readFile(new URL(`../docs/${name}.md`, import.meta.url), 'utf8')
}

function slugOf(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')
}

function html(site: Site, pages: Page[], page: Page): string {
  const groups = [...new Set(pages.map(({ group }) => group))]
  const navigation = groups.map((group) => {
    const links = pages
      .filter((each) => each.group === group)
      .map(({ path, title }) => {
        const current = path === page.path ? ' aria-current="page"' : ''
        return `<li><a href="${site.at}${path}"${current}>${escapeHtml(path === '' ? 'Start' : title)}</a></li>`
      })
    return `<h2>${escapeHtml(group)}</h2><ul>${links.join('')}</ul>`
  })
  const guides = pages.filter(({ group }) => group === page.group)
  const next = guides[guides.indexOf(page) + 1]
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(page.title)} &middot; Waybill</title>
<link rel="stylesheet" href="${site.at}guides.css">
</head>
<body>
<a class="skip" href="#content">Skip to the text</a>
<header><a class="brand" href="${site.at}">Waybill</a><nav aria-label="Documentation"><a href="${site.at}" aria-current="true">Guides</a><a href="${site.reference}">Reference</a><a href="/errors/">Error codes</a></nav></header>
<div class="columns">
<nav class="pages" aria-label="Guides"><details open><summary>Guides</summary>${navigation.join('')}</details></nav>
<main id="content">
${rendered(site, pages, page)}
${page.group === 'Guides' && next ? `<p class="next"><a href="${site.at}${next.path}">Next: ${escapeHtml(next.title)}</a></p>` : ''}
</main>
</div>
</body>
</html>
`
}

/** The page's own HTML. What Markdown would pass on as HTML is shown as text, and links lead to pages of this site or elsewhere by HTTPS. */
function rendered(site: Site, pages: Page[], page: Page): string {
  const marked = new Marked({ gfm: true })
  marked.use({
    renderer: {
      html: ({ text }) => escapeHtml(text),
      heading({ tokens, depth, text }) {
        return `<h${depth} id="${escapeHtml(slugOf(text))}">${this.parser.parseInline(tokens)}</h${depth}>\n`
      },
      code: ({ text, lang = '' }) =>
        `<figure class="code">${lang ? `<figcaption>${escapeHtml(lang)}</figcaption>` : ''}<pre tabindex="0"><code>${escapeHtml(text)}</code></pre></figure>\n`,
      table(token) {
        const cell = (name: 'th' | 'td') => (each: (typeof token.header)[number]) =>
          `<${name}>${this.parser.parseInline(each.tokens)}</${name}>`
        const head = token.header.map(cell('th')).join('')
        const body = token.rows.map((row) => `<tr>${row.map(cell('td')).join('')}</tr>`).join('\n')
        const hasHead = token.header.some(({ text }) => text !== '')
        return `<div class="table"><table>${hasHead ? `<thead><tr>${head}</tr></thead>` : ''}<tbody>${body}</tbody></table></div>\n`
      },
      image: ({ text }) => escapeHtml(text),
      link({ href, tokens }) {
        const text = this.parser.parseInline(tokens)
        const target = targetOf(site, pages, page, href)
        return target === undefined ? text : `<a href="${escapeHtml(target)}">${text}</a>`
      },
    },
  })
  return marked.parse(page.markdown, { async: false })
}

/** Undefined: the page is not served, such as a source file of the repository. */
function targetOf(site: Site, pages: Page[], page: Page, href: string): string | undefined {
  if (/^https?:/.test(href)) return href
  const [file = '', heading = ''] = href.split('#')
  const name = file.replace(/\.md$/, '')
  const hash = heading === '' ? '' : `#${heading}`
  if (name === 'errors') return heading === '' ? '/errors/' : `/errors/${heading}`
  // Sections of the guides are pages.
  if (name === site.guides || (name === '' && page.group === 'Guides')) {
    return pages.some(({ path }) => path === heading) ? `${site.at}${heading}` : `${site.at}${hash}`
  }
  if (name === '') return hash
  const isServed = file.endsWith('.md') && pages.some(({ path }) => path === pathOf(name))
  return isServed ? `${site.at}${pathOf(name)}${hash}` : undefined
}
