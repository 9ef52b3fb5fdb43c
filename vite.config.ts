import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

/**
 * The portal, or with `--mode office` the office: `npm run build` makes them beside the program, `npx vite` serves one while it is
 * worked on.
 */

// Where `waybill sandbox` listens.
const service = 'http://127.0.0.1:4010'

/** What the first page needs is asked for before it is found: the font, and the theme before anything is painted. */
function startEarly(base: string): Plugin {
  return {
    name: 'start-early',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle = {} }) {
        const font = Object.keys(bundle).find((name) => name.endsWith('.woff2'))
        const attrs = { rel: 'preload', as: 'font', type: 'font/woff2', crossorigin: true, href: `${base}${font}` }
        return {
          html: html.replace('<script type="module"', '<script type="module" blocking="render"'),
          tags: font ? [{ tag: 'link', attrs, injectTo: 'head' }] : [],
        }
      },
    },
  }
}

export default defineConfig(({ mode }) => {
  const isOffice = mode === 'office'
  const base = isOffice ? '/office/' : '/'
  return {
    root: isOffice ? 'web/office' : 'web/portal',
    base,
    publicDir: false,
    plugins: [react(), startEarly(base)],
    build: {
      outDir: isOffice ? '../../dist/office' : '../../dist/portal',
      emptyOutDir: true,
      manifest: 'manifest.json',
      sourcemap: 'hidden',
      // Those that know `light-dark()`: from the spring of 2024.
      target: ['chrome123', 'firefox121', 'safari17.5'],
      // Everything is a file of its own: the policy of the pages allows no other place.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
      // The map, which is loaded when one is shown.
      chunkSizeWarningLimit: 1200,
      rolldownOptions: {
        output: {
          // What every page needs is in two files: many small ones are slower, and compress worse.
          codeSplitting: {
            includeDependenciesRecursively: false,
            groups: [
              {
                name: 'framework',
                test: /node_modules\/(?:react|react-dom|scheduler|@tanstack|use-sync-external-store)\//,
              },
              { name: 'shared', test: /(?:src|web)\/|@tabler\//, minShareCount: 6 },
            ],
          },
        },
      },
    },
    server: {
      proxy: Object.fromEntries(
        [
          '^/v1/',
          '^/portal/v1/',
          '^/office/v1/',
          '^/ops/v1/',
          '^/documents/.',
          '^/docs',
          '^/openapi.json',
          '^/errors/',
        ].map((path) => [
          path,
          // As the browser names it: what is written must come from the same origin.
          { target: service, changeOrigin: false },
        ]),
      ),
    },
  }
})
