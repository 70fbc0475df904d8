import { describe, expect, it } from 'vitest'
import { mcpWorkerPolicy } from '@/lib/server/http/response-headers'

const connectSources = (policy: string) => [...policy.matchAll(/connect-src ([^;]*)/g)].map(([, sources]) => sources)

describe('the policy of the worker that connects to a tool server', () => {
  it('names the origin of that server, within the operator’s hosts', () => {
    const policy = mcpWorkerPolicy(['https:', 'http://localhost:*'], ['https://tools.example.org:8443'])
    expect(connectSources(policy)).toEqual(['https://tools.example.org:8443', 'https: http://localhost:*'])
    expect(connectSources(mcpWorkerPolicy([], ['https://tools.example.org']))).toEqual([
      'https://tools.example.org',
      "'none'",
    ])
    expect(connectSources(mcpWorkerPolicy(['https:'], ['http://[::1]:3000']))[0]).toBe('http://[::1]:3000')
  })

  it('names the origins where users of the server sign in, too', () => {
    const policy = mcpWorkerPolicy(['https:'], ['https://tools.example.org', 'https://login.example.org'])
    expect(connectSources(policy)).toEqual(['https://tools.example.org https://login.example.org', 'https:'])
  })

  it.each([
    [[]],
    [['https://a.example', 'https://b.example/token']],
    [['https://a.example', "'self'"]],
    [Array.from({ length: 6 }, (_, index) => `https://a${index}.example`)],
    [['https://a.example/mcp']],
    [['https://a.example; script-src *']],
    [['https://a.example,default-src *']],
    [['https://a.example https://b.example']],
    [['https:']],
    [['*']],
    [['https://*.example']],
    [['ftp://a.example']],
    [['javascript:alert(1)']],
    [['HTTPS://A.EXAMPLE']],
    [["'self'"]],
    [['https://user@a.example']],
    [['https://a.example\r\nx: y']],
  ])('allows nothing for %j', (to) => {
    const policy = mcpWorkerPolicy(['https:'], to)
    expect(connectSources(policy)).toEqual(["'none'", 'https:'])
    expect(policy).toBe(mcpWorkerPolicy(['https:'], []))
  })
})
