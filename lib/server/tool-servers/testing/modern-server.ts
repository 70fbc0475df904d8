import { createMcpHandler, McpServer } from '@modelcontextprotocol/server'
import { z } from 'zod'

/** A server of the official package, in this process. */
export function modernServer(): { readonly fetch: (request: Request) => Promise<Response> } {
  return createMcpHandler(() => {
    const server = new McpServer({ name: 'wiki', version: '1' })
    server.registerTool('echo', { description: 'echo', inputSchema: z.object({ text: z.string() }) }, ({ text }) => ({
      content: [{ type: 'text', text }],
    }))
    return server
  })
}
