import { describe, expect, it, test, vi } from 'vitest'
import { createOwnRate } from '../quota/rate'
import type { WebAnswer } from '@/lib/shared/web/web-answer'
import type { FetchRequest } from './fetch-page.server'
import { createWebHost, searchAddress, webLimits, type WebHostPorts } from './web-host'

const page: WebAnswer = { kind: 'page', url: 'http://searx.corp/search?q=x', type: 'json', charset: null, base64: '' }
const { signal } = new AbortController()

function hostWith(changed: Partial<WebHostPorts> = {}) {
  const asked: FetchRequest[] = []
  const lines: string[] = []
  const host = createWebHost({
    reach: () => ({ ok: true, isOnPurpose: false, admits: () => true }),
    search: { url: 'http://searx.corp:8080/', key: null },
    fetchPage: (request) => {
      asked.push(request)
      return Promise.resolve(page)
    },
    ofOwner: () => Promise.resolve(0),
    ofHost: createOwnRate({ burst: 100, perSecond: 1, monotonic: () => 0 }),
    note: (line) => lines.push(line),
    ...changed,
  })
  return { host, asked, lines }
}
const read = { kind: 'pages', url: 'https://example.com/private?token=1' } as const

describe('what the operator enabled', () => {
  it('is the only thing available', async () => {
    const { host } = hostWith({ search: null })
    expect([...host.access]).toEqual(['pages'])
    await expect(host.prepare('ada', { kind: 'search', query: 'x' })).rejects.toMatchObject({ reason: 'chat.web-off' })
    const none = hostWith({ reach: null }).host
    expect([...none.access]).toEqual(['search'])
    await expect(none.prepare('ada', read)).rejects.toMatchObject({ reason: 'chat.web-off' })
  })
})

describe('limits', () => {
  it('apply per owner and in total, and are released', async () => {
    const { host } = hostWith()
    const mine = await Promise.all(Array.from({ length: webLimits.atOncePerOwner }, () => host.prepare('ada', read)))
    await expect(host.prepare('ada', read)).rejects.toMatchObject({ reason: 'chat.web-busy', code: 'rate-limited' })
    await expect(host.prepare('eve', read)).resolves.toBeDefined()
    mine[0]?.release()
    mine[0]?.release()
    await mine[1]?.run(signal)
    await host.prepare('ada', read)
    await host.prepare('ada', read)
    await expect(host.prepare('ada', read)).rejects.toMatchObject({ reason: 'chat.web-busy' })
    for (let n = 0; ; n++) {
      const one = await host.prepare(`o${n}`, read).catch(() => null)
      if (one === null) {
        expect(n).toBe(webLimits.atOnce - webLimits.atOncePerOwner - 1)
        break
      }
    }
  })

  it('per hour of an owner and per host are checked before anything is sent', async () => {
    const ofOwner = vi.fn<WebHostPorts['ofOwner']>(() => Promise.resolve(90))
    const late = hostWith({ ofOwner })
    await expect(late.host.prepare('ada', read)).rejects.toMatchObject({ values: { seconds: 90 } })
    expect(ofOwner).toHaveBeenCalledWith('ada')
    // The slot was released each time.
    for (let n = 0; n < 5; n++)
      await expect(late.host.prepare('ada', read)).rejects.toMatchObject({ values: { seconds: 90 } })
    const slow = hostWith({ ofHost: createOwnRate({ burst: 1, perSecond: 1, monotonic: () => 0 }) })
    await slow.host.prepare('ada', read)
    await expect(slow.host.prepare('eve', read)).rejects.toMatchObject({ reason: 'chat.web-busy' })
    await expect(slow.host.prepare('eve', { ...read, url: 'https://other.com/' })).resolves.toBeDefined()
    expect([...late.asked, ...slow.asked]).toEqual([])
  })
})

describe('what is sent', () => {
  it('is the URL, and the log contains only its host', async () => {
    const { host, asked, lines } = hostWith()
    await (await host.prepare('ada', read)).run(signal)
    expect(asked[0]?.url.href).toBe(read.url)
    expect(lines).toEqual(['web: pages example.com read'])
  })

  it('is nothing for an invalid or forbidden URL', async () => {
    const { host, asked } = hostWith({ reach: () => ({ ok: false, why: 'own' }) })
    expect(await (await host.prepare('ada', { kind: 'pages', url: 'x' })).run(signal)).toMatchObject({
      why: 'malformed',
    })
    expect(await (await host.prepare('ada', read)).run(signal)).toMatchObject({ why: 'own', host: 'example.com' })
    expect(asked).toEqual([])
  })

  test.each([
    ['http://searx.corp:8080/', null, 'http://searx.corp:8080/search?q=a+%26b&format=json'],
    ['https://s.org/searxng/search?language=de', null, 'https://s.org/searxng/search?language=de&q=a+%26b&format=json'],
    ['https://api.search.brave.com/res/v1/web/search', 'k', 'https://api.search.brave.com/res/v1/web/search?q=a+%26b'],
  ])('to a search service: %s', async (url, key, expected) => {
    expect(searchAddress({ url, key }, ' a &b ').href).toBe(expected)
    const { host, asked } = hostWith({ search: { url, key } })
    await (await host.prepare('ada', { kind: 'search', query: ' a &b ' })).run(signal)
    expect(asked[0]?.headers).toEqual({
      accept: 'application/json',
      ...(key !== null && { 'x-subscription-token': key }),
    })
  })

  it('hides the search service’s URL from the page', async () => {
    const search = { kind: 'search', query: 'x' } as const
    const answers: WebAnswer[] = [
      page,
      { ...page, type: 'html' },
      { kind: 'failed', why: 'moved', host: 'searx.corp', to: 'http://searx.corp/login' },
      { kind: 'failed', why: 'http', host: 'searx.corp', status: 403 },
    ]
    for (const answer of answers) {
      const { host } = hostWith({ fetchPage: () => Promise.resolve(answer) })
      const said = await (await host.prepare('ada', search)).run(signal)
      expect(JSON.stringify(said)).not.toContain('searx')
    }
  })
})
