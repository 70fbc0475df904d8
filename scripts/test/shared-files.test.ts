import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, it } from 'vitest'
import { sharedTestFiles } from './shared-files'

const page = '// @vitest-environment jsdom\n'
const mock = "vi.mock('./clock', () => ({ now: () => 1 }))\n"

const node = {
  'pure.test.ts':
    "import { expect, it, vi } from 'vitest'\nit('adds', () => expect(1 + 1).toBe(2))\nconst told = vi.fn()",
}
const ofPage = {
  'fields.test.tsx': `${page}vi.stubGlobal('fetch', answer)`,
  'page.test.tsx': page,
}
/** As many as are worth a project. */
const mocked = Object.fromEntries([1, 2, 3, 4, 5].map((n) => [`mocked-${n}.test.tsx`, `${page}${mock}// ${n}`]))
const alone = {
  'another-mock.test.tsx': `${page}vi.mock('./clock')`,
  'environment.test.ts': "process.env['NOD_LOG'] = 'json'",
  'global.test.ts': "Reflect.set(globalThis, 'x', 1)",
  'kept.test.ts': "setLanguage('zh-CN')",
  'layout.test.tsx': `${page}Object.defineProperty(Element.prototype, 'clientHeight', { value: 1 })`,
  'long-mock.test.tsx': `${page}vi.mock('./clock', () => ({\n  now: () => 1,\n}))`,
  'marked.test.tsx': `${page}// In its own process, because it keeps what it reads.\n`,
  'of-node.test.ts': '// @vitest-environment node\n',
  'requests.test.ts': 'watchRequests()',
  'signal.test.ts': "process.on('SIGTERM', stop)",
  'server.test.ts': 'setServer(null)\nconst fetch: typeof globalThis.fetch = send',
  'spy.test.ts': "vi.spyOn(console, 'warn')",
  'time.test.ts': "vi.useFakeTimers()\nvi.stubEnv('NOD_LOG', 'json')",
  'waits.test.ts': "it('waits', () => vi.waitFor(() => expect(process.env['NOD_LOG']).toBe('json')))",
  'stand-in.test.ts': mock,
}

it('shares a process between files that leave nothing behind, and isolates all others', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'nod-shared-'))
  try {
    const all = { ...node, ...ofPage, ...mocked, ...alone }
    for (const [name, text] of Object.entries(all)) writeFileSync(path.join(folder, name), text)
    expect(sharedTestFiles(folder, ['*.test.{ts,tsx}'])).toEqual({
      node: Object.keys(node),
      page: Object.keys(ofPage),
      mocked: [Object.keys(mocked)],
    })
  } finally {
    rmSync(folder, { recursive: true })
  }
})
