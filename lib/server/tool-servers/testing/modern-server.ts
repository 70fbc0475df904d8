import { createMcpHandler, inputRequired, McpServer } from '@modelcontextprotocol/server'
import { z } from 'zod'

/** A server of the official package, in this process. */
export function modernServer(): { readonly fetch: (request: Request) => Promise<Response> } {
  return createMcpHandler(() => {
    const server = new McpServer({ name: 'wiki', version: '1' })
    server.registerTool('echo', { description: 'echo', inputSchema: z.object({ text: z.string() }) }, ({ text }) => ({
      content: [{ type: 'text', text }],
    }))
    const requestedSchema = { type: 'object', properties: { copies: { type: 'integer' } } } as const
    server.registerTool('order', { description: 'order', inputSchema: z.object({}) }, (_args, { mcpReq }) => {
      const { print } = (mcpReq.inputResponses ?? {}) as { print?: { action: string; content?: { copies: number } } }
      if (!print)
        return inputRequired({
          inputRequests: { print: inputRequired.elicit({ message: 'Copies?', requestedSchema }) },
        })
      return { content: [{ type: 'text', text: `${print.action} ${print.content?.copies}` }] }
    })
    return server
  })
}
