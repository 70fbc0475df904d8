import { beforeEach, describe, expect, it } from 'vitest'
import { insteadHeader } from '@/lib/shared/conversation/wire/addresses'
import { createCachedPages, markOfPage, refreshedPage, anyChatId, pageCopies } from './cached-pages'
import { cacheNames } from './offline-caches'
import { memoryCaches } from './testing/memory-caches'

const names = cacheNames('')
const nonce = 'AAAAaaaa0000'
const policyOf = (one: string) => `script-src 'nonce-${one}' 'strict-dynamic'; style-src 'self' 'nonce-${one}'`

interface Served {
  build?: string
  who?: string
  lang?: string
}
const htmlOf = (path: string, { build = 'b1', who = '', lang = 'en' }: Served) =>
  `<!DOCTYPE html><html lang="${lang}" data-build="${build}" data-who="${who}"><script nonce="${nonce}">f("${path}", "${nonce}")</script></html>`

let served: Served
let refused: ReadonlySet<string>
let instead: ReadonlySet<string>
let asked: string[]
let others: number
let caches: CacheStorage
let nonces: number

const make = (build = 'b1') =>
  createCachedPages({
    caches,
    names,
    build,
    withBase: (path) => path,
    newNonce: () => `new-${(nonces += 1)}`,
    onOther: () => Promise.resolve(void (others += 1)),
    fetch(address) {
      asked.push(address)
      const headers = {
        'content-type': 'text/html',
        'content-security-policy': policyOf(nonce),
        'set-cookie': 'a=b',
        ...(instead.has(address) && { [insteadHeader]: 'access' }),
      }
      return Promise.resolve(
        refused.has(address) ? new Response('no', { status: 401 }) : new Response(htmlOf(address, served), { headers }),
      )
    },
  })

beforeEach(() => {
  served = {}
  refused = new Set()
  instead = new Set()
  asked = []
  others = 0
  nonces = 0
  caches = memoryCaches()
})

describe('cached pages', () => {
  it('get a new nonce each time, in the policy and in the page', async () => {
    const pages = make()
    await pages.keepAll()
    const [first, second] = await Promise.all([pages.answer('/', null), pages.answer('/', null)])
    for (const page of [first, second]) {
      const policy = page?.headers.get('content-security-policy') ?? ''
      const own = /'nonce-([^']+)'/.exec(policy)?.[1] ?? ''
      expect(own).toMatch(/^new-/)
      expect(policy).toBe(policyOf(own))
      const html = (await page?.text()) ?? ''
      expect(html).not.toContain(nonce)
      expect(html.split(own)).toHaveLength(3)
    }
    expect(first?.headers.get('content-security-policy')).not.toBe(second?.headers.get('content-security-policy'))
    expect(first?.headers.get('set-cookie')).toBeNull()
  })

  it('serve any chat, with its own id', async () => {
    const pages = make()
    await pages.keepAll()
    const html = await (await pages.answer(`/c/${anyChatId}`, 'mine'))?.text()
    expect(html).toContain('"/c/mine"')
    expect(html).not.toContain(anyChatId)
  })

  it('are those of this build only, because other builds’ scripts are not here', async () => {
    served = { build: 'b2' }
    const pages = make('b1')
    await pages.keepAll()
    expect(await pages.answer('/', null)).toBeNull()
    expect(await pages.owner()).toBeNull()
  })

  it('leave out refusals, and pages that stand in for another page', async () => {
    refused = new Set(['/lab'])
    instead = new Set(['/'])
    const pages = make()
    await pages.keepAll()
    expect(await pages.answer('/lab', null)).toBeNull()
    expect(await pages.answer('/', null)).toBeNull()
    expect(await pages.answer('/playground', null)).not.toBeNull()
  })

  it('are fetched again in another language, and not while nothing changes', async () => {
    const pages = make()
    await pages.keepAll()
    await pages.sawPage(htmlOf('/', {}))
    expect(asked).toHaveLength(pageCopies.length)
    served = { lang: 'zh-CN' }
    await pages.sawPage(htmlOf('/', served))
    expect(await (await pages.answer('/', null))?.text()).toContain('zh-CN')
    expect(others).toBe(0)
  })

  it('of another user are deleted with all other cached data, whichever build notices', async () => {
    served = { who: 'ann' }
    const pages = make()
    await pages.keepAll()
    await pages.sawPage(htmlOf('/', { who: '', build: 'b2' }))
    expect(others).toBe(1)
    expect(await pages.answer('/', null)).toBeNull()
    expect(await pages.owner()).toBeNull()
  })

  it('are not deleted because of a page that is not the app’s', async () => {
    const pages = make()
    await pages.keepAll()
    await pages.sawPage('<html><h1>502</h1></html>')
    expect(await pages.answer('/', null)).not.toBeNull()
  })
})

describe('a page', () => {
  it('names its user in its first tag only', () => {
    const forged = '<html lang="en" data-build="b1"><html data-who="other">'
    expect(markOfPage(forged)).toMatchObject({ build: 'b1', who: '' })
    expect(markOfPage('<html lang="en">')).toBeNull()
  })

  it('without a nonce is not shown', () => {
    expect(refreshedPage({ html: '<html>', policy: "default-src 'none'" }, { nonce: 'n', chatId: null })).toBeNull()
  })
})
