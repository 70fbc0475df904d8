// @vitest-environment jsdom
import { failures } from '@/lib/vfs/failures'
import { describe, expect, it, vi } from 'vitest'
import type { Vfs } from '@/lib/vfs/vfs'
import { inlinePage } from './inline-page'
import { pageLimits } from './page-files'

const encode = (text: string) => new TextEncoder().encode(text)

/** Files by path, and which of them were asked for. */
function filesOf(files: Readonly<Record<string, string | Uint8Array>>) {
  const asked: string[] = []
  const read: Vfs['read'] = (path) => {
    asked.push(path)
    const found = Object.hasOwn(files, path) ? files[path] : undefined
    return Promise.resolve(
      found === undefined
        ? failures.noFile(path)
        : { ok: true, value: typeof found === 'string' ? encode(found) : found },
    )
  }
  return { vfs: { read }, asked }
}

const png = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 1])

describe('a page in one piece', () => {
  it('takes in the style sheets, pictures and fonts beside it, and theirs', async () => {
    const { vfs } = filesOf({
      '/site/css/main.css': '@import "base.css"; h1 { background: url(../img/a.png) }',
      '/site/css/base.css': 'body { margin: 1px } @font-face { src: url("f.woff2") }',
      '/site/css/f.woff2': 'font',
      '/site/img/a.png': png,
    })
    const page = await inlinePage(
      vfs,
      '/site/index.html',
      '<link rel="stylesheet" href="css/main.css"><img src="img/a.png"><h1 style="color:red">Hi</h1>',
    )
    expect(page.html).toContain('body { margin: 1px }')
    expect(page.html).toContain('url("data:font/woff2;base64,Zm9udA==")')
    expect(page.html.match(/data:image\/png;base64,iVBORw0KGgoAAQ==/g)).toHaveLength(2)
    expect(page.html).not.toMatch(/<link|src="img/)
    expect(page).toMatchObject({ hasScripts: false, missing: [], remote: [] })
  })

  it('hands each style back as it stood, in elements, attributes and texts, and gives the parser none', async () => {
    const parsed = vi.spyOn(DOMParser.prototype, 'parseFromString')
    const { vfs } = filesOf({})
    const html =
      '<html lang="de"><head><STYLE media="print">a > b{}</STYLE></head><body>' +
      '<p style="color: red" title=\'a <style> with style="x"\'>&lt;style&gt; and style= in words</p>' +
      '<table><style>td{}</style><tbody><tr><td STYLE=color:red>1</td></tr></tbody></table><noframes>old</noframes></body></html>'
    const page = await inlinePage(vfs, '/index.html', html)
    const [text] = parsed.mock.calls[0] ?? ['']
    expect(text).not.toMatch(/<style|\sstyle\s*=/i)
    parsed.mockRestore()
    const read = new DOMParser().parseFromString(page.html, 'text/html')
    expect([...read.querySelectorAll('style')].map(({ media, textContent }) => [media, textContent])).toEqual([
      ['print', 'a > b{}'],
      ['', 'td{}'],
    ])
    const paragraph = read.querySelector('p')
    expect(paragraph?.getAttribute('style')).toBe('color: red')
    expect(paragraph?.title).toBe('a <style> with style="x"')
    expect(paragraph?.textContent).toBe('<style> and style= in words')
    expect(read.querySelector('td')?.getAttribute('style')).toBe('color:red')
    expect(page.html).not.toMatch(/nod-quiet|noframes/)
  })

  it('leaves scripts out, and says that there are some', async () => {
    const { vfs, asked } = filesOf({ '/app.js': 'go()' })
    const html =
      '<script src="app.js"></script><script>inline()</script><script type="application/json">{"a":1}</script>'
    const page = await inlinePage(vfs, '/index.html', html)
    expect(page.hasScripts).toBe(true)
    expect(page.html).not.toMatch(/go\(\)|inline\(\)/)
    expect(page.html).toContain('{"a":1}')
    expect(asked).toEqual([])
  })

  it('names what is not there and what is on the network, and reads nothing twice', async () => {
    const { vfs, asked } = filesOf({ '/site/style.css': 'p{}' })
    const page = await inlinePage(
      vfs,
      '/site/index.html',
      '<link rel="stylesheet" href="/style.css"><img src="no.png"><img src="no.png"><img src="https://cdn.example/x.png">',
    )
    expect(page.html).toContain('p{}')
    expect(page.missing).toEqual(['/site/no.png'])
    expect(page.remote).toEqual(['https://cdn.example/x.png'])
    expect(asked.filter((path) => path === '/site/no.png')).toHaveLength(1)
  })

  it('keeps text of files from ending the element it stands in', async () => {
    const { vfs } = filesOf({
      '/a.css': 'p::after{content:"</style><img id=out>"}',
    })
    const html = '<link rel=stylesheet href=a.css>'
    const page = await inlinePage(vfs, '/index.html', html)
    expect(new DOMParser().parseFromString(page.html, 'text/html').querySelector('#out')).toBeNull()
  })

  it('is bounded in what it takes along', async () => {
    const { vfs } = filesOf({ '/big.png': new Uint8Array(pageLimits.bytes + 1) })
    const page = await inlinePage(vfs, '/index.html', '<img src="big.png">')
    expect(page.html.length).toBeLessThan(1_000)
    expect(page.missing).toEqual(['/big.png'])
  })
})
