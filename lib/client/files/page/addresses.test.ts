import fc from 'fast-check'
import { anyText } from '@/lib/base/testing/any-text'
import { describe, expect, it } from 'vitest'
import { failures } from '@/lib/vfs/vfs'
import { sourceCandidates, styleAddresses, underConditions } from './inline-media'
import { addressOfPath, pageAddress, possiblePages, possiblePaths, linkTargetOf } from './page-address'

describe('an address of a page', () => {
  it.each([
    ['data.json', '/site/data.json'],
    ['./a%20b/%C3%BC.txt', '/site/a b/ü.txt'],
    ['a b/ü.txt', '/site/a b/ü.txt'],
    ['../shared/x.css?v=2#top', '/shared/x.css'],
    ['../../../etc/passwd', '/etc/passwd'],
    ['/page/x.js', '/page/x.js'],
    ['100%.png', '/site/100%.png'],
    ['images\\a.png', '/site/images/a.png'],
    ['u\u0308.txt', '/site/ü.txt'],
    ['https://cdn.example/x.js', undefined],
    ['//cdn.example/x.js', undefined],
    ['mailto:a@b.example', undefined],
    ['http://[', undefined],
  ])('%s means %s', (address, path) => {
    expect(pageAddress(address, '/site/index.html')?.path).toBe(path)
  })

  it('completed by a script with the frame’s address refers to the page’s folder', () => {
    const frame = 'https://nod.example/chat/run.html'
    const meant = (address: string) => pageAddress(address, '/site/index.html', frame)
    expect(meant('https://nod.example/chat/data.json?x')).toEqual({ path: '/site/data.json', query: '?x', hash: '' })
    expect(meant('https://nod.example/other/data.json')?.path).toBe('/other/data.json')
    expect(meant('https://other.example/chat/data.json')).toBeNull()
    expect(meant(addressOfPath('/site/a #b.txt'))?.path).toBe('/site/a #b.txt')
  })

  it('from the top may refer to the page’s folder', () => {
    const meant = (address: string) =>
      possiblePaths(address, pageAddress(address, '/site/index.html') ?? expect.fail(), '/site/index.html')
    expect(meant('/style.css')).toEqual(['/style.css', '/site/style.css'])
    expect(meant('/site/style.css')).toEqual(['/site/style.css'])
    expect(meant('style.css')).toEqual(['/site/style.css'])
  })

  it('never throws, and stays a path of the workspace', () => {
    fc.assert(
      fc.property(anyText(), fc.webPath(), (address, from) => {
        const meant = pageAddress(address, from === '' ? '/' : from, 'https://nod.example/run.html')
        expect(meant?.path ?? '/').toMatch(/^\//)
      }),
    )
  })
})

describe('a link', () => {
  const files = new Set(['/site/index.html', '/site/about us.html', '/site/docs/index.html', '/site/data.csv'])
  const vfs = {
    read: (path: string) =>
      Promise.resolve(files.has(path) ? ({ ok: true, value: new Uint8Array() } as const) : failures.noFile(path)),
  }
  const lead = (address: string, base = '/site/index.html') =>
    linkTargetOf(vfs, address, { page: '/site/index.html', base })

  it.each([
    ['about%20us.html?x=1#y', 'page', '/site/about us.html'],
    ['/about us', 'page', '/site/about us.html'],
    ['docs', 'page', '/site/docs/index.html'],
    ['docs/', 'page', '/site/docs/index.html'],
    ['?page=2', 'page', '/site/index.html'],
    ['', 'page', '/site/index.html'],
    ['data.csv', 'file', '/site/data.csv'],
    ['gone.html', 'missing', '/site/gone.html'],
  ])('to “%s” leads to a %s', async (address, kind, path) => {
    expect(await lead(address)).toMatchObject({ kind, at: { path } })
  })

  it('keeps its query, resolves against the base, and is distinguished from one that leads outside', async () => {
    expect(await lead('about us.html?x=1#y')).toMatchObject({ at: { query: '?x=1', hash: '#y' } })
    expect(await lead('index.html', '/site/docs/')).toMatchObject({ at: { path: '/site/docs/index.html' } })
    expect(await lead('https://e.example')).toEqual({ kind: 'outside' })
    expect(possiblePages('/a/')).toEqual(['/a/index.html'])
  })
})

describe('addresses of a style sheet', () => {
  it('are those that would be loaded', () => {
    const css =
      '/* url(no.png) @import "no.css"; */ @import url("a\\(1\\).css") layer(base) screen; @IMPORT \'b.css\';\n' +
      'p { background: URL( c.png ), url("d e.png"); content: "url(no.png)"; width: \\url(x) } @font-face { src: url(f.woff2) format("woff2") }'
    expect(styleAddresses(css).map(({ kind, address, conditions }) => [kind, address, conditions])).toEqual([
      ['import', 'a(1).css', 'layer(base) screen'],
      ['import', 'b.css', ''],
      ['url', 'c.png', ''],
      ['url', 'd e.png', ''],
      ['url', 'f.woff2', ''],
    ])
  })

  it('get the conditions of their import', () => {
    expect(underConditions('p{}', '')).toBe('p{}')
    expect(underConditions('p{}', 'layer(base) supports(display: grid) screen and (width > 1px)')).toBe(
      '@media screen and (width > 1px) {\n@supports (display: grid) {\n@layer base {\np{}\n}\n}\n}',
    )
  })

  it('are found at their position, in any text', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('url(', '"', "'", ')', '\\', '/*', '*/', '@import ', ';', 'a', '\n', '{')),
        (parts) => {
          const css = parts.join('')
          let end = 0
          for (const found of styleAddresses(css)) {
            expect(found.start).toBeGreaterThanOrEqual(end)
            expect(css.slice(found.start, found.end)).toMatch(/^(?:@import|url\()/i)
            end = found.end
          }
        },
      ),
    )
  })
})

describe('the candidates of a srcset', () => {
  it.each([
    ['a.png', [['a.png', '']]],
    [
      'a.png 1x, b,c.png 2x',
      [
        ['a.png', '1x'],
        ['b,c.png', '2x'],
      ],
    ],
    [
      'a.png, b.png 600w,',
      [
        ['a.png', ''],
        ['b.png', '600w'],
      ],
    ],
    ['data:image/png;base64,AA== 1x', [['data:image/png;base64,AA==', '1x']]],
    [',,, ', []],
  ])('of %s', (srcset, candidates) => {
    expect(sourceCandidates(srcset).map(({ address, descriptor }) => [address, descriptor])).toEqual(candidates)
  })
})
