// @vitest-environment jsdom
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { answerElements } from './answer-elements'
import { requestSibling, fetchSibling } from './answer-requests'
import { createSiblingFiles, createFrameModules } from './frame-modules'
import { followLinks } from './follow-links'

const encode = (text: string) => new TextEncoder().encode(text)

/** The blobs created here, by their URLs. */
const made = new Map<string, Blob>()
vi.stubGlobal(
  'URL',
  class extends URL {
    static override createObjectURL(blob: Blob): string {
      made.set(`blob:${made.size}`, blob)
      return `blob:${made.size - 1}`
    }
    static override revokeObjectURL(): void {}
  },
)

function setUp(files: Readonly<Record<string, string>>, left: readonly string[] = []) {
  const said: unknown[] = []
  const say = (message: object) => void said.push(message)
  const bundle = { files: new Map(Object.entries(files).map(([path, text]) => [path, encode(text)])), left }
  const path = '/site/index.html'
  const beside = createSiblingFiles({ path, base: path, bundle, frame: 'https://nod.example/run.html', say })
  return { said, say, beside }
}

describe('a page’s requests', () => {
  it('are answered as by a file server; each file is reported once', async () => {
    const { beside, say, said } = setUp({ '/site/data.json': '{"a":1}' }, ['/site/big.bin'])
    const ask = fetchSibling(beside, say)
    const answer = await ask('data.json?v=2')
    expect([answer.status, answer.headers.get('content-type'), await answer.json()]).toEqual([
      200,
      'application/json',
      { a: 1 },
    ])
    expect((await ask('https://nod.example/data.json')).ok).toBe(true)
    expect((await ask('Data.json')).status).toBe(404)
    expect((await ask('big.bin')).status).toBe(404)
    await expect(ask('data.json', { method: 'POST', body: 'x' })).rejects.toThrow(TypeError)
    await expect(ask('https://evil.example/?secret')).rejects.toThrow('no network')
    expect(await (await ask('data:text/plain;base64,aGk=')).text()).toBe('hi')
    expect(said).toEqual([
      { type: 'file', what: 'used', path: '/site/data.json' },
      { type: 'file', what: 'missing', path: '/site/Data.json' },
      { type: 'file', what: 'left', path: '/site/big.bin' },
      { type: 'file', what: 'written', path: 'POST data.json' },
      { type: 'refused', address: 'https://evil.example/?secret' },
    ])
  })

  it('are answered by events, or synchronously', async () => {
    const { beside } = setUp({ '/site/a.txt': 'text' })
    const Request = requestSibling(beside)
    const now = new Request()
    now.open('GET', 'a.txt', false)
    now.send()
    expect([now.readyState, now.status, now.responseText, now.getResponseHeader('Content-Type')]).toEqual([
      4,
      200,
      'text',
      'text/plain',
    ])
    const later = new Request()
    const ended = new Promise<string>((done) => {
      later.onerror = () => done('error')
      later.addEventListener('load', () => done('load'))
    })
    later.open('GET', 'https://evil.example/')
    later.send()
    expect(await ended).toBe('error')
    expect(() => {
      const out = new Request()
      out.open('GET', 'https://evil.example/', false)
      out.send()
    }).toThrow('No network')
  })

  it('are answered with the current files', async () => {
    const { beside, say } = setUp({ '/site/a.txt': 'old' })
    beside.update({ files: new Map([['/site/a.txt', encode('new')]]), left: [] })
    expect(await (await fetchSibling(beside, say)('a.txt')).text()).toBe('new')
  })
})

describe('a file that is requested in two ways', () => {
  it('is served in both, in either order, and created once', async () => {
    const { beside } = setUp({ '/site/a.css': 'p { background: url(a.png) }', '/site/a.png': 'png' })
    answerElements(
      beside,
      createFrameModules(beside, () => new Set()),
    )
    const image = new Image()
    image.src = 'a.css'
    const sheet = () => {
      const link = document.createElement('link')
      link.rel = 'stylesheet'
      link.href = 'a.css'
      return link.getAttribute('href') ?? ''
    }
    const [raw, first] = [image.getAttribute('src') ?? '', sheet()]
    expect(await made.get(raw)?.text()).toBe('p { background: url(a.png) }')
    expect(await made.get(first)?.text()).toMatch(/^p \{ background: url\("blob:\d+"\) \}$/)
    expect(sheet()).toBe(first)
    image.src = 'a.css?again'
    expect(image.getAttribute('src')).toBe(raw)
  })
})

describe('modules with computed names', () => {
  it('are those that came with the page, or blobs, once each; none imports itself', async () => {
    const { beside } = setUp({
      '/site/a.js':
        'import { b } from "./lib/b.js"; import c from "./c.json" with { type: "json" }; import("./mapped.js")',
      '/site/lib/b.js': 'export const b = 1',
      '/site/c.json': '{}',
      '/site/mapped.js': '',
      '/site/one.js': 'import "./two.js"',
      '/site/two.js': 'import "./one.js"',
    })
    const modules = createFrameModules(beside, () => new Set(['nod:/site/mapped.js']))
    const fileAt = (path: string) => {
      const found = beside.find(path)
      return found.kind === 'file' ? found.file : expect.fail()
    }
    const address = modules.address(fileAt('a.js'))
    const text = async (at: string) => (await made.get(at)?.text()) ?? ''
    expect(await text(address)).toMatch(
      /^import \{ b \} from "blob:\d+"; import c from "blob:\d+"; import\("nod:\/site\/mapped\.js"\)\n\/\/# sourceURL=\/site\/a\.js$/,
    )
    expect(modules.address(fileAt('a.js'))).toBe(address)
    expect(modules.address(fileAt('mapped.js'))).toBe('nod:/site/mapped.js')
    expect(() => modules.address(fileAt('one.js'))).toThrow('/site/one.js imports itself')
  })
})

describe('addresses that scripts set', () => {
  it('load the files of the workspace wherever they are set, and read as they were written', async () => {
    const { beside, said } = setUp({ '/site/a.png': 'png', '/site/late.css': 'p { background: url(a.png) }' })
    answerElements(
      beside,
      createFrameModules(beside, () => new Set()),
    )
    const image = new Image()
    image.src = 'a.png'
    expect(image.getAttribute('src')).toMatch(/^blob:/)
    expect(image.src).toBe(new URL('a.png', document.baseURI).href)
    image.setAttribute('src', 'https://evil.example/x.png')
    expect(image.getAttribute('src')).toBe('https://evil.example/x.png')
    const link = document.createElement('link')
    link.href = 'late.css'
    expect(await made.get(link.getAttribute('href') ?? '')?.text()).toMatch(/^p \{ background: url\("blob:\d+"\) \}$/)
    document.body.innerHTML = '<img src="a.png"><a href="a.png">a.png</a><p title="src=">x</p>'
    expect(document.body.innerHTML).toMatch(/^<img src="blob:\d+"><a href="a\.png">a\.png<\/a><p title="src=">x<\/p>$/)
    const cloned = document.createElement('template')
    cloned.innerHTML = '<i></i>'
    document.body.append(document.createElement('div'))
    document.querySelector('div')?.setAttribute('style', 'background-image: url(a.png)')
    await vi.waitFor(() => expect(document.querySelector('div')?.getAttribute('style')).toContain('url("blob:'))
    image.src = 'no.png'
    expect(said).toEqual([
      { type: 'file', what: 'used', path: '/site/a.png' },
      { type: 'file', what: 'used', path: '/site/late.css' },
      { type: 'file', what: 'missing', path: '/site/no.png' },
    ])
  })
})

describe('links and forms', () => {
  const said: unknown[] = []
  beforeAll(() => followLinks((message) => void said.push(message)))
  afterEach(() => {
    said.length = 0
  })

  it('are reported, and not followed, unless the page handles them', async () => {
    document.body.innerHTML = `<a id="a" href="about ü.html?x=1#y">A</a><a id="b" href="#here">B</a>
      <a id="c" href="own.html" onclick="return false">C</a><a id="d" href="d.html"><b>D</b></a>
      <form id="f" action="find.html?old"><input name="q" value="a&b"><button name="go" value="1">Go</button></form>
      <form id="p" method="post" action="save"><button>Save</button></form>`
    const press = (selector: string) => document.querySelector<HTMLElement>(selector)?.click()
    for (const id of ['#a', '#b', '#c']) press(id)
    document.body.addEventListener('click', (event) => event.preventDefault(), { once: true })
    press('#d b')
    document.querySelector<HTMLButtonElement>('#f button')?.click()
    document.querySelector<HTMLFormElement>('#p')?.submit()
    await vi.waitFor(() => expect(said).toHaveLength(3))
    expect(said).toEqual([
      { type: 'link', address: 'find.html?q=a%26b&go=1' },
      { type: 'form', address: 'save' },
      { type: 'link', address: 'about%20%C3%BC.html?x=1#y' },
    ])
  })

  it('are reported however they are pressed: nothing opens another tab from here', async () => {
    document.body.innerHTML = '<a id="a" href="a.html">A</a><a id="b" href="https://out.example/?kept">B</a>'
    const press = (selector: string, type: string, how: MouseEventInit) =>
      document
        .querySelector(selector)
        ?.dispatchEvent(new MouseEvent(type, { bubbles: true, cancelable: true, composed: true, ...how }))
    for (const how of [{ ctrlKey: true }, { metaKey: true }, { shiftKey: true }, { altKey: true }])
      press('#a', 'click', how)
    press('#b', 'auxclick', { button: 1 })
    // The browser's context menu.
    const menu = press('#b', 'auxclick', { button: 2 })
    expect(menu).toBe(true)
    await vi.waitFor(() => expect(said.length).toBeGreaterThanOrEqual(5))
    expect(said).toEqual([
      ...Array.from({ length: 4 }, () => ({ type: 'link', address: 'a.html' })),
      { type: 'link', address: 'https://out.example/?kept' },
    ])
  })
})
