import type { Command } from 'commander'
import { createClient } from '../../client/client.js'
import { Failure } from '../failure.js'
import { version } from '../version.js'

export function addTo(program: Command): void {
  program
    .command('mcp')
    .description('serve tools for an assistant (Model Context Protocol) over standard input and output')
    .option('--url <url>', 'address of the service (WAYBILL_URL)')
    .addHelpText(
      'after',
      '\nThe key of the account comes from WAYBILL_KEY: arguments are visible to other users of the machine.',
    )
    .action(async ({ url = process.env.WAYBILL_URL }: { url?: string }) => {
      const baseUrl = addressOf(url)
      const key = process.env.WAYBILL_KEY
      // Loaded on demand: no other command needs the packages of the protocol.
      const [{ serveStdio }, { mcpServer }] = await Promise.all([
        import('@modelcontextprotocol/server/stdio'),
        import('../../mcp/server.js'),
      ])
      const waybill = createClient({ baseUrl, retries: 2, ...(key && { key }) })
      // Standard output belongs to the protocol. The process ends when its input does.
      serveStdio(() => mcpServer(waybill, version), { onerror: (error) => console.error(error.message) })
    })
}

function addressOf(url: string | undefined): string {
  const advice = 'give the address of the service with --url or WAYBILL_URL, such as http://127.0.0.1:4010'
  if (url === undefined) throw new Failure('the address of the service is missing', 2, advice)
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new Failure(`${url} is not an address that starts with http:// or https://`, 2, advice)
  return url
}
