import { createMcpHandler, fromJsonSchema, McpServer } from '@modelcontextprotocol/server'
import { describe, expect, it } from 'vitest'
import { connectServer } from './connect.server'
import { openWorker } from '@/lib/client/mcp/testing/worker'
import { paramHeaders } from './pool'

const schema = {
  type: 'object',
  properties: {
    region: { type: 'string', 'x-mcp-header': 'Region' },
    limit: { type: 'integer', 'x-mcp-header': 'Limit' },
    in: { type: 'object', properties: { deep: { type: 'boolean', 'x-mcp-header': 'Deep' } } },
    other: { type: 'string' },
  },
} as const

describe('the headers of a call', () => {
  it('are the parameters that its schema marks, and no others', () => {
    expect(paramHeaders(schema, { region: 'eu', limit: 3, in: { deep: false }, other: 'x' })).toEqual({
      'Mcp-Param-Region': 'eu',
      'Mcp-Param-Limit': '3',
      'Mcp-Param-Deep': 'false',
    })
    expect(paramHeaders(schema, { region: null, limit: [1], in: 'no' })).toEqual({})
  })

  it.each(['x\r\nAuthorization: me', ' padded ', 'é', '', '=?base64?eA==?='])('encode %j', (region) => {
    const { 'Mcp-Param-Region': sent = '' } = paramHeaders(schema, { region })
    expect(sent).toMatch(/^=\?base64\?[\w+/=]*\?=$/)
    expect(Buffer.from(sent.slice(9, -2), 'base64').toString()).toBe(region)
  })

  it('have no name with which a server could do harm', () => {
    for (const name of ['Authorization: x', 'a\r\nb', 'a b', '', 'é', 7, null]) {
      const odd = { type: 'object', properties: { a: { type: 'string', 'x-mcp-header': name } } }
      expect(paramHeaders(odd, { a: 'x' })).toEqual({})
    }
    const names = { type: 'object', properties: { a: { type: 'string', 'x-mcp-header': 'Authorization' } } }
    expect(paramHeaders(names, { a: 'x' })).toEqual({ 'Mcp-Param-Authorization': 'x' })
  })
})

describe('a server of 2026-07-28 that requires them', () => {
  const seen: unknown[] = []
  const { fetch: answer } = createMcpHandler(() => {
    const server = new McpServer({ name: 'regions', version: '1' })
    server.registerTool('find', { description: 'Finds', inputSchema: fromJsonSchema(schema) }, (args) => {
      seen.push(args)
      return { content: [{ type: 'text', text: 'found' }] }
    })
    return server
  })
  const fetch: typeof globalThis.fetch = (input, init) => answer(new Request(input, init))
  const url = 'https://regions.example.org/mcp'
  const { signal } = new AbortController()
  const args = { region: 'Île', limit: 3 }

  it('gets them from Nod’s server', async () => {
    const connection = await connectServer(
      { fetch, env: {} },
      { kind: 'http', name: 'regions', isShared: true, url, headers: {} },
      { owner: 'ada', signal, onEnd: () => {} },
    )
    await connection.list(signal)
    const request = { name: 'find', args, timeoutMs: 5_000, headers: paramHeaders(schema, args) }
    expect(await connection.call(request, {})).toMatchObject({ kind: 'answered' })
    expect(seen).toEqual([args])
    await connection.close()
  })

  it('refuses a page, which can send none, and says that nothing ran', async () => {
    seen.length = 0
    const remote = openWorker(url, fetch)
    await remote.connect(url, 'auto')
    const made = await remote.call({ name: 'find', args, timeoutMs: 5_000 }, { signal, onProgress: () => {} })
    expect(['refused', 'http']).toContain(made.kind)
    expect(seen).toEqual([])
  })
})
