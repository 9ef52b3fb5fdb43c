/** The style of the guides: the colours of the service's other pages, light and dark. */
export const guideStyle = `
:root { color-scheme: light dark; --ink: #0b1f33; --soft: #51606f; --paper: #ffffff; --side: #f7f8fa; --accent: #0b6b74; --line: #d8dee5; --code: #f2f5f7 }
@media (prefers-color-scheme: dark) { :root { --ink: #e6edf3; --soft: #a3b1be; --paper: #0d1721; --side: #101d29; --accent: #5cc0ca; --line: #2a3947; --code: #14222f } }
* { box-sizing: border-box }
body { margin: 0; font: 16px/1.65 system-ui, sans-serif; color: var(--ink); background: var(--paper) }
a { color: var(--accent); text-underline-offset: .15em }
a:focus-visible, pre:focus-visible, summary:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 3px }
.skip { position: absolute; left: -99rem } .skip:focus { left: 1rem; top: .5rem; background: var(--paper); padding: .25rem .5rem; z-index: 2 }
header { position: sticky; top: 0; z-index: 1; display: flex; gap: 2rem; align-items: baseline; padding: .8rem 1.5rem; background: var(--paper); border-bottom: 1px solid var(--line) }
header nav { display: flex; gap: 1.25rem; font-size: .95rem } header a { color: var(--soft); text-decoration: none } header a:hover, header [aria-current] { color: var(--ink) }
header [aria-current] { font-weight: 600 } .brand { color: var(--ink); font-weight: 700 }
.columns { display: grid; grid-template-columns: 16rem minmax(0, 1fr); max-width: 76rem; margin: 0 auto }
.pages { position: sticky; top: 3.4rem; align-self: start; max-height: calc(100vh - 3.4rem); overflow-y: auto; padding: 1rem 1.5rem 2rem; font-size: .92rem; border-right: 1px solid var(--line) }
.pages summary { display: none } .pages h2 { margin: 1.1rem 0 .3rem; font-size: .75rem; letter-spacing: .05em; text-transform: uppercase; color: var(--soft) }
.pages ul { list-style: none; margin: 0; padding: 0 } .pages li a { display: block; padding: .2rem .6rem; margin-left: -.6rem; border-radius: 6px; color: var(--ink); text-decoration: none }
.pages li a:hover { background: var(--side) } .pages [aria-current] { background: var(--code); font-weight: 600 }
main { max-width: 58rem; padding: 1.5rem 2.5rem 5rem }
h1 { font-size: 1.9rem; line-height: 1.2; margin: .5rem 0 1.25rem } h2, h3 { line-height: 1.3; margin: 2.2rem 0 .6rem; scroll-margin-top: 4.5rem } h2 { font-size: 1.3rem } h3 { font-size: 1.05rem }
p, ul, ol { margin: .8rem 0 } li { margin: .25rem 0 } main ul, main ol { padding-left: 1.4rem }
code { font: .875em/1.5 ui-monospace, SFMono-Regular, Menlo, monospace; background: var(--code); border-radius: 4px; padding: .12em .3em; overflow-wrap: anywhere }
.code { position: relative; margin: 1.1rem 0 } .code figcaption { position: absolute; top: .35rem; right: .7rem; font-size: .72rem; color: var(--soft) }
pre { margin: 0; padding: .9rem 1rem; overflow-x: auto; background: var(--code); border: 1px solid var(--line); border-radius: 8px } pre code { background: none; padding: 0; overflow-wrap: normal }
.table { overflow-x: auto; margin: 1.1rem 0 } table { border-collapse: collapse; width: 100%; font-size: .94rem }
th, td { text-align: left; vertical-align: top; padding: .5rem .9rem .5rem 0; border-bottom: 1px solid var(--line) } th { font-weight: 600; color: var(--soft) }
.next { margin-top: 3rem; padding-top: 1rem; border-top: 1px solid var(--line) }
@media (max-width: 52rem) { .columns { display: block } .pages { position: static; max-height: none; border-right: 0; border-bottom: 1px solid var(--line); padding: .5rem 1.25rem 1rem } main { padding: 1rem 1.25rem 4rem } header { gap: 1rem; padding: .7rem 1.25rem } }
@media print { header, .pages, .next { display: none } .columns { display: block } }
`
