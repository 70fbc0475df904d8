// @vitest-environment jsdom
import { describe, expect, it, vi } from 'vitest'
import { type Vfs, failures } from '@/lib/vfs/vfs'
import { inlinePage } from './inline-page'
import { createPageFiles, pageLimits } from './page-files'

const encode = (text: string) => new TextEncoder().encode(text)

/** A file tree of files by path. */
const treeOf =
  (files: Readonly<Record<string, string | Uint8Array>>): Vfs['tree'] =>
  () =>
    Promise.resolve({
      ok: true,
      value: Object.entries(files).map(([path, data]) => ({
        path,
        name: path,
        kind: 'file' as const,
        size: data.length,
        modifiedAt: 0,
        version: '',
      })),
    })

/** Files by path, and a list of those that were read. */
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
  return { vfs: { read, tree: treeOf(files) }, asked }
}

const png = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 1])

describe('a page in one piece', () => {
  it('inlines the style sheets, images and fonts beside it, and theirs', async () => {
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

  it('returns each style unchanged, in elements, attributes and texts, and gives the parser none', async () => {
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

  it('names missing files and those on the network, and reads nothing twice', async () => {
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

  it('prevents file text from ending its element', async () => {
    const { vfs } = filesOf({
      '/a.css': 'p::after{content:"</style><img id=out>"}',
    })
    const html = '<link rel=stylesheet href=a.css>'
    const page = await inlinePage(vfs, '/index.html', html)
    expect(new DOMParser().parseFromString(page.html, 'text/html').querySelector('#out')).toBeNull()
  })

  it('limits the files that it includes', async () => {
    const { vfs } = filesOf({ '/big.png': new Uint8Array(pageLimits.bytes + 1) })
    const page = await inlinePage(vfs, '/index.html', '<img src="big.png">')
    expect(page.html.length).toBeLessThan(1_000)
    expect(page).toMatchObject({ missing: [], left: ['/big.png'] })
  })

  it('limits its total size, however often it uses the same file', async () => {
    const { vfs } = filesOf({ '/a.png': new Uint8Array(5_000_000) })
    const files = createPageFiles(vfs, '/index.html')
    const file = (await files.read('a.png', '/index.html')) ?? expect.fail()
    let times = 0
    while (files.spend(file)) times += 1
    expect(times).toBe(pageLimits.written / 5_000_000)
    expect(files.address(file)).toBeNull()
    expect(files.needs()).toMatchObject({ left: ['/a.png'], used: ['/a.png'] })
  })

  it('inlines sheets that import each other many times, within the limit', async () => {
    const chain = Array.from({ length: 40 }, (_, at) => `@import "${at + 1}.css"; @import "${at + 1}.css"; p{}`)
    const { vfs } = filesOf(Object.fromEntries(chain.map((css, at) => [`/${at}.css`, css])))
    const page = await inlinePage(vfs, '/index.html', '<link rel=stylesheet href="0.css">')
    expect(page.html.match(/p\{\}/g)?.length).toBeLessThanOrEqual(pageLimits.written / 1_000)
    expect(page.left.length).toBeGreaterThan(0)
    const { vfs: circle } = filesOf({ '/a.css': '@import "b.css"; a{}', '/b.css': '@import "a.css"; b{}' })
    const inCircle = await inlinePage(circle, '/index.html', '<link rel=stylesheet href="a.css">')
    expect(inCircle.html).toMatch(/<style>\s*b\{\}\s*a\{\}<\/style>/)
  })

  it('inlines images for some screens only, and those of SVG', async () => {
    const { vfs } = filesOf({ '/a.png': png, '/b.png': png })
    const html =
      '<picture><source srcset="a.png 1x, no.png 2x, data:image/gif;base64,R0= 3x"><img srcset="gone.png" src="b.png"></picture>' +
      '<svg><image href="a.png"/><image xlink:href="b.png"/></svg><p style="background: url(a.png)">x</p><link rel="icon" href="none.ico">'
    const page = await inlinePage(vfs, '/index.html', html)
    const data = 'data:image/png;base64,iVBORw0KGgoAAQ=='
    expect(page.html).toContain(`srcset="${data} 1x, data:image/gif;base64,R0= 3x"`)
    expect(page.html.split(data)).toHaveLength(6)
    expect(page.html).not.toContain('gone.png')
    expect(page.missing).toEqual(['/no.png', '/gone.png'])
  })

  it('contains the pages of its frames, but never itself', async () => {
    const { vfs } = filesOf({
      '/site/index.html': 'x',
      '/site/in/in.html': '<link rel=stylesheet href="in.css"><iframe src="../index.html"></iframe><p>In',
      '/site/in/in.css': 'p{color:red}',
    })
    const page = await inlinePage(vfs, '/site/index.html', '<iframe src="in/in.html"></iframe>', 'run')
    const frame = new DOMParser().parseFromString(page.html, 'text/html').querySelector('iframe')
    expect(frame?.hasAttribute('src')).toBe(false)
    expect(frame?.srcdoc).toContain('<style>p{color:red}</style>')
    expect(frame?.srcdoc).not.toMatch(/srcdoc|src=/)
  })

  it('resolves addresses against its base, and leaves no other base', async () => {
    const { vfs } = filesOf({ '/site/img/a.png': png })
    const page = await inlinePage(vfs, '/site/index.html', '<base href="img/"><img src="a.png"><title> Hi\n</title>')
    expect(page).toMatchObject({ missing: [], base: '/site/img/', title: 'Hi' })
    expect(page.html).not.toContain('<base')
  })
})

describe('files that a running page may request', () => {
  const run = (files: Readonly<Record<string, string | Uint8Array>>, html = '<script>go()</script>') =>
    inlinePage(filesOf(files).vfs, '/site/index.html', html, 'run')

  it('are those of the workspace, the nearest first, as many as fit', async () => {
    const page = await run({
      '/far/away.bin': new Uint8Array(pageLimits.bytes / 2 + 1),
      '/site/near.bin': new Uint8Array(pageLimits.bytes / 2),
      '/site/a.json': '{}',
    })
    expect([...page.bundle.files.keys()]).toEqual(['/site/a.json', '/site/near.bin'])
    expect(page.bundle.left).toEqual(['/far/away.bin'])
    expect(page).toMatchObject({ missing: [], left: [], used: [] })
    const many = Object.fromEntries(Array.from({ length: pageLimits.files + 1 }, (_, at) => [`/site/${at}.txt`, 'x']))
    expect((await run(many)).bundle.left).toHaveLength(1)
  })

  it('are none if it has no scripts', async () => {
    expect((await run({ '/site/a.json': '{}' }, '<p>x')).bundle.files.size).toBe(0)
  })
})
