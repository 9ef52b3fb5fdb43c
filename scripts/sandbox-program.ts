import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'

/** The built program, as `waybill sandbox` starts it; with `time`, its clock starts there. */
export async function startSandbox(
  folder: string,
  time?: string,
): Promise<{ address: string; key: string; stop(): Promise<void> }> {
  const child = spawn(
    process.execPath,
    [
      ...(time === undefined ? [] : ['--import', clockSetTo(time)]),
      'bin/waybill.cjs',
      'sandbox',
      '--port',
      '0',
      '--host',
      '127.0.0.1',
    ],
    { env: { PATH: process.env.PATH, WAYBILL_DATA_DIR: folder }, stdio: ['ignore', 'pipe', 'pipe'] },
  )
  const ended = once(child, 'exit')
  const errors = text(child.stderr)
  let shown = ''
  await new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (chunk: Buffer) => {
      shown += chunk.toString()
      if (shown.includes('Stop with Ctrl-C')) resolve()
    })
    void ended.then(async () => reject(new Error(`the sandbox exited: ${await errors}`)))
  })
  const [, address = ''] = /^Waybill sandbox: (\S+)$/m.exec(shown) ?? []
  const [, key = ''] = /^ {2}demo +(wb_\w+)/m.exec(shown) ?? []
  return {
    address,
    key,
    async stop() {
      child.kill('SIGTERM')
      await ended
    },
  }
}

/** A module for `--import` that starts the clock of a program at a time. */
function clockSetTo(time: string): string {
  const source = `const ahead = Date.parse(${JSON.stringify(time)}) - Date.now()
const Real = Date
globalThis.Date = class Date extends Real {
  constructor(...given) { given.length === 0 ? super(Real.now() + ahead) : super(...given) }
  static now() { return Real.now() + ahead }
}`
  return `data:text/javascript,${encodeURIComponent(source)}`
}
