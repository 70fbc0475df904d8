// @vitest-environment jsdom
import { describe, expect, it } from 'vitest'
import { failures } from '@/lib/vfs/vfs'
import { inlinePage } from './inline-page'

const encode = (text: string) => new TextEncoder().encode(text)

async function whole(files: Readonly<Record<string, string>>, html: string, path = '/site/index.html') {
  const read = (at: string) => {
    const text = Object.hasOwn(files, at) ? files[at] : undefined
    return Promise.resolve(text === undefined ? failures.noFile(at) : { ok: true as const, value: encode(text) })
  }
  const tree = () => Promise.resolve({ ok: true as const, value: [] })
  const page = await inlinePage({ read, tree }, path, html, 'run')
  const parsed = new DOMParser().parseFromString(page.html, 'text/html')
  const scripts = [...parsed.querySelectorAll('script')]
  const map = scripts.find(({ type }) => type === 'importmap')
  const imports = JSON.parse(map?.text ?? '{"imports":{}}') as { readonly imports: Readonly<Record<string, string>> }
  /** The code of a module by its name here. */
  const codeOf = (name: string) => decodeURIComponent((imports.imports[name] ?? '').replace(/^[^,]*,/, ''))
  return { page, scripts: scripts.filter((script) => script !== map), names: Object.keys(imports.imports), codeOf, map }
}

describe('the scripts of a page that runs', () => {
  it('are included with what they load, and know their files', async () => {
    const { page, scripts } = await whole(
      { '/site/js/app.js': 'go("</script>")' },
      '<script src="js/app.js" defer integrity="sha256-x"></script><script>style = 1; inline()</script>',
    )
    const [app, inline] = scripts
    expect(app?.defer).toBe(true)
    expect(app?.hasAttribute('integrity')).toBe(false)
    expect(decodeURIComponent(app?.src ?? '')).toBe(
      'data:text/javascript;charset=utf-8,go("</script>")\n//# sourceURL=/site/js/app.js',
    )
    expect(inline?.text).toBe('style = 1; inline()\n//# sourceURL=/site/index.html')
    expect(page).toMatchObject({ hasScripts: true, missing: [], remote: [], used: ['/site/js/app.js'] })
  })

  it('import each other by name, once each, also in cycles', async () => {
    const { names, codeOf, scripts, page } = await whole(
      {
        '/site/a.js': "import { b } from './lib/b.js'\nexport const a = 1\nimport('./lib/late.js')",
        '/site/lib/b.js': "import { a } from '../a.js'\nexport const b = () => a",
        '/site/lib/late.js': 'export {}',
        '/site/lib/data.json': '[1]',
      },
      `<script type="module" src="a.js"></script>
       <script type="module">import { a } from './a.js'; import d from './lib/data.json' with { type: 'json' }</script>`,
    )
    expect(names.toSorted()).toEqual([
      'nod:/site/a.js',
      'nod:/site/lib/b.js',
      'nod:/site/lib/data.json',
      'nod:/site/lib/late.js',
    ])
    expect(codeOf('nod:/site/a.js')).toContain("from 'nod:/site/lib/b.js'")
    expect(codeOf('nod:/site/a.js')).toContain('import("nod:/site/lib/late.js")')
    expect(codeOf('nod:/site/lib/b.js')).toContain("from 'nod:/site/a.js'")
    expect(scripts[0]?.text).toContain('import "nod:/site/a.js"')
    // JSON becomes code here: as JSON it would be loaded in a way that the policy blocks.
    expect(scripts[1]?.text).toContain("import d from 'nod:/site/lib/data.json'\n")
    expect(codeOf('nod:/site/lib/data.json')).toContain('export default JSON.parse("[1]")')
    expect(page.missing).toEqual([])
  })

  it('ask at run time for computed imports, and for their own location', async () => {
    const { scripts, codeOf, names } = await whole(
      { '/site/lib/a.js': "import('./' + name + '.json', { with: { type: 'json' } }); import.meta.url" },
      "<script>import('./lib/a.js'); import(which)</script>",
    )
    const loader = 'globalThis[Symbol.for("nod.page")]'
    expect(names).toEqual(['nod:/site/lib/a.js'])
    expect(scripts[0]?.text).toContain(
      `import("nod:/site/lib/a.js"); import(${loader}.name(which, "/site/index.html"))`,
    )
    expect(codeOf('nod:/site/lib/a.js')).toBe(
      `import(${loader}.name('./' + name + '.json', "/site/lib/a.js")); ${loader}.meta("http://workspace.invalid/site/lib/a.js").url\n//# sourceURL=/site/lib/a.js`,
    )
  })

  it('resolve bare names with the page’s import map, and missing ones are named', async () => {
    const { codeOf, page, map } = await whole(
      {
        '/site/vendor/kit.js': 'export {}',
        '/site/vendor/parts/x.js': 'export {}',
        '/site/a.js':
          'import "kit"; import "parts/x.js"; import "react"; import "./no.js"; import "https://cdn.example/y.js"',
      },
      `<script type="importmap">{"imports":{"kit":"./vendor/kit.js","parts/":"./vendor/parts/"}}</script>
       <script type="module" src="./a.js"></script>`,
    )
    expect(codeOf('nod:/site/a.js')).toMatch(
      /^import "nod:\/site\/vendor\/kit\.js"; import "nod:\/site\/vendor\/parts\/x\.js"; import "react"; import "\.\/no\.js"/,
    )
    expect(page.missing).toEqual(['react', '/site/no.js'])
    expect(page.remote).toEqual(['https://cdn.example/y.js'])
    // Before anything that needs it.
    expect(page.html.indexOf('importmap')).toBeLessThan(page.html.indexOf('type="module"'))
    expect(map).toBeDefined()
  })

  it('that can’t be parsed, or are missing, include nothing else', async () => {
    const { page, scripts } = await whole(
      { '/site/odd.js': 'import { from "x' },
      '<meta http-equiv="Refresh" content="0;url=https://evil.example"><script type="module" src="odd.js"></script><script src="gone.js"></script><script src="https://cdn.example/x.js"></script><p>Here</p>',
    )
    expect(scripts).toHaveLength(1)
    expect(page.html).toContain('<p>Here</p>')
    expect(page.html).not.toContain('evil.example')
    expect(page).toMatchObject({ missing: ['/site/gone.js'], remote: ['https://cdn.example/x.js'] })
  })

  it('also come from attributes', async () => {
    const has = async (html: string) => (await whole({}, html)).page.hasScripts
    expect(await has('<b onclick="go()">x</b>')).toBe(true)
    expect(await has('<a href=" javascript:go()">x</a>')).toBe(true)
    expect(await has('<b class="onclick">on click = x</b>')).toBe(false)
  })
})
