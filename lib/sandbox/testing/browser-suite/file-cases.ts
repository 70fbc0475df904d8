// What the files of a conversation must withstand in a real browser, beyond the contract. Pages share one profile, and
// have the `suite` of page.ts.
import assert from 'node:assert/strict'
import type { Page } from '@playwright/test'

interface FileCase {
  readonly name: string
  readonly nightly?: true
  readonly run: (browser: {
    readonly newPage: (url?: string) => Promise<Page>
    readonly otherOrigin: string
    readonly crash: (page: Page) => Promise<void>
    /** Sets the storage quota in bytes; null: the browser's default. */
    readonly quota: (page: Page, bytes: number | null) => Promise<void>
  }) => Promise<void>
}

const write = (page: Page, id: string, path: string, content: string, repeat = 1) =>
  page.evaluate((args) => globalThis.suite.write(...args), [id, path, content, repeat] as const)
const read = (page: Page, id: string, path: string) =>
  page.evaluate((args) => globalThis.suite.read(...args), [id, path] as const)
const list = (page: Page, id: string, path: string) =>
  page.evaluate((args) => globalThis.suite.list(...args), [id, path] as const)

const writeBig = (page: Page) => page.evaluate(() => globalThis.suite.writeRandom('full', '/big', 7_900_000))

export const fileCases: readonly FileCase[] = [
  {
    name: 'a file is there after a reload',
    async run({ newPage }) {
      const page = await newPage()
      assert.equal(await write(page, 'reload', '/a/b.txt', 'kept'), 'ok')
      await page.reload()
      assert.equal(await read(page, 'reload', '/a/b.txt'), 'kept')
    },
  },
  {
    name: 'a file is there after its tab was killed the moment the write resolved',
    async run({ newPage, crash }) {
      for (const [round, size] of [10, 100_000, 3_000_000].entries()) {
        const page = await newPage()
        assert.equal(await write(page, 'kill', `/f${round}`, 'x', size), 'ok')
        await crash(page)
        const later = await newPage()
        assert.equal((await read(later, 'kill', `/f${round}`)).length, size)
        await later.close()
      }
    },
  },
  {
    name: 'a tab that is killed in the middle of overwriting leaves whole files',
    // On each change e2e/workspace-crash.spec.ts kills tabs.
    nightly: true,
    async run({ newPage, crash }) {
      const setup = await newPage()
      for (const name of ['a', 'b', 'c']) await write(setup, 'torn', `/${name}`, '0', 200_000)
      for (let round = 1; round <= 4; round++) {
        const page = await newPage()
        // Not awaited: these continue while the tab is killed.
        void page
          .evaluate((digit) => {
            // More than any machine writes before the kill: the last one must not be reached.
            for (let turn = 0; turn < 250; turn++)
              for (const name of ['a', 'b', 'c']) void globalThis.suite.write('torn', `/${name}`, digit, 200_000)
            return globalThis.suite.write('torn', '/never', 'x')
          }, String(round))
          .catch(() => {})
        await new Promise((resolve) => setTimeout(resolve, 60 + round * 45))
        await crash(page)
        for (const name of ['a', 'b', 'c']) {
          const text = await read(setup, 'torn', `/${name}`)
          assert.equal(text.length, 200_000, `/${name} is not whole in round ${round}: ${text.slice(0, 20)}`)
          assert.equal(new Set(text).size, 1, `/${name} is torn`)
        }
        assert.deepEqual(await list(setup, 'torn', '/'), ['a', 'b', 'c'])
      }
      assert.equal(await write(setup, 'torn', '/after', 'x'), 'ok')
    },
  },
  {
    name: 'two tabs that write at once keep each file’s own content',
    async run({ newPage }) {
      const [one, two] = [await newPage(), await newPage()]
      const writeMany = (page: Page, tab: string) =>
        page.evaluate(
          (name) =>
            Promise.all(
              Array.from({ length: 30 }, (_, at) => globalThis.suite.write('tabs', `/${name}-${at}`, `${name} ${at}`)),
            ),
          tab,
        )
      const results = await Promise.all([writeMany(one, 'one'), writeMany(two, 'two')])
      assert.deepEqual([...new Set(results.flat())], ['ok'])
      for (const page of [one, two]) {
        const files = await page.evaluate(() => globalThis.suite.filesOf('tabs'))
        assert.equal(Object.keys(files).length, 60)
        for (const [path, text] of Object.entries(files)) assert.equal(text, path.slice(1).replace('-', ' '))
      }
    },
  },
  {
    name: 'a tab sees another tab’s write at once, and is told of it',
    async run({ newPage }) {
      const [one, two] = [await newPage(), await newPage()]
      assert.deepEqual(await list(two, 'fresh', '/'), [])
      await two.evaluate(() => {
        globalThis.heard = globalThis.suite.countChanges('fresh')
      })
      assert.equal(await write(one, 'fresh', '/new', 'from one'), 'ok')
      assert.equal(await read(two, 'fresh', '/new'), 'from one')
      await two.waitForFunction(() => globalThis.heard.count() > 0)
      assert.equal(await write(two, 'fresh', '/new', 'from two'), 'ok')
      assert.equal(await read(one, 'fresh', '/new'), 'from two')
    },
  },
  {
    name: 'a browser without room says so, loses nothing, and goes on when there is room',
    async run({ newPage, otherOrigin, quota }) {
      // An origin that has not stored anything yet: Chromium caches the available quota for a while.
      const page = await newPage(otherOrigin)
      await quota(page, 4_000_000)
      assert.equal(await write(page, 'full', '/kept', 'kept'), 'ok')
      const refused = await writeBig(page)
      assert.match(refused, /^ENOSPC: .*no space left.*Nothing was changed/)
      assert.equal(await read(page, 'full', '/kept'), 'kept')
      await quota(page, null)
      assert.equal(await writeBig(page), 'ok')
      assert.deepEqual(await list(page, 'full', '/'), ['big', 'kept'])
    },
  },
  {
    name: 'the built-in tools work end to end on stored files',
    async run({ newPage }) {
      const page = await newPage()
      const execute = (name: string, args: Readonly<Record<string, string>>) =>
        page.evaluate((given) => globalThis.suite.execute('tools', ...given), [name, args] as const)
      const written = await execute('write_file', { path: '/notes/a.md', content: 'one\ntwo\n' })
      assert.deepEqual(written.result, { path: '/notes/a.md', size: 8, replaced: false })
      const code =
        'const text = await fs.readFile("/notes/a.md", "utf8"); console.log(text.length); text.split("\\n").length'
      const ran = await execute('browser_js_eval', { code })
      assert.equal(ran.status, 'completed', JSON.stringify(ran))
      assert.deepEqual(ran.result, { value: 3, console: ['8'] })
      const missing = await execute('read_file', { path: '/notes/b.md' })
      assert.deepEqual(missing.result, { error: 'There is no file at /notes/b.md. The nearest name is /notes/a.md.' })
      const listed = await execute('list_directory', { path: '/notes' })
      assert.deepEqual(listed.result, { path: '/notes', entries: [{ name: 'a.md', kind: 'file', size: 8 }] })
    },
  },
]
