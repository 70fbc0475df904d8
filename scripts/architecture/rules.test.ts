import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { cruise } from 'dependency-cruiser'
import { afterAll, beforeAll, expect, it } from 'vitest'

/* A small product in which every import breaks a rule, or none does. */

const broken: readonly (readonly [from: string, to: string, rule: string])[] = [
  ['lib/base/a.ts', 'lib/i18n/t.ts', 'layers: lib/base'],
  ['lib/protocols/a.ts', 'lib/shared/calls/b.ts', 'layers: lib/protocols'],
  ['lib/protocols/a.ts', 'lib/vfs/path.ts', 'layers: lib/protocols'],
  ['lib/sandbox/a.ts', 'lib/shared/calls/b.ts', 'layers: lib/sandbox'],
  ['lib/shared/calls/c.ts', 'lib/client/state/d.ts', 'layers: lib/shared'],
  ['lib/client/state/e.ts', 'lib/server/quota/f.ts', 'layers: lib/client'],
  ['lib/server/quota/g.ts', 'components/ui/h.tsx', 'layers: lib/server'],
  ['components/ui/i.tsx', 'app/page.tsx', 'layers: components'],
  ['lib/server/quota/k.ts', 'lib/server/quota/k.test.ts', 'no-tests'],
  ['lib/protocols/vcp/read.ts', 'lib/protocols/xml-tag/read.ts', 'formats'],
  ['lib/protocols/native/read.ts', 'lib/protocols/registry.ts', 'registry'],
  ['lib/client/state/l.ts', 'lib/protocols/json-repair/read.ts', 'protocols-face'],
  ['lib/shared/tools/read-file/index.ts', 'lib/shared/tools/write-file/index.ts', 'tools'],
  ['lib/client/state/m.ts', 'lib/shared/tools/write-file/run.ts', 'tool-face'],
  ['lib/server/models/openai/index.ts', 'lib/server/models/google/index.ts', 'providers'],
  ['components/files/n.tsx', 'lib/vfs/indexeddb/store.ts', 'files-face'],
  ['lib/client/state/o.ts', 'lib/sandbox/frame/run.ts', 'sandbox-face'],
  ['lib/server/chats/p.ts', 'lib/server/store/chats/rows.ts', 'store-face'],
  ['lib/server/store/chats/q.ts', 'lib/server/store/sqlite/open.ts', 'databases'],
  ['lib/server/chats/r.ts', 'lib/server/wiring/server.ts', 'wiring'],
  ['components/chat/s.tsx', 'lib/server/chats/t.ts', 'browser-only'],
  ['app/api/route.ts', 'lib/server/store/chats/u.ts', 'routes'],
  ['lib/server/chats/v.ts', 'react', 'lib-without-react'],
  ['components/ui/w.tsx', '@assistant-ui/react', 'assistant-ui'],
  ['lib/protocols/x.ts', 'node:fs', 'pure'],
  ['components/chat/y.tsx', 'zod', 'browser-packages'],
  ['lib/server/chats/z.ts', 'lib/server/chats/nowhere.ts', 'unresolved'],
]
const allowed: readonly (readonly [from: string, to: string])[] = [
  ['lib/i18n/a.ts', 'lib/base/json.ts'],
  ['lib/shared/calls/a.ts', 'lib/sandbox/sandbox.ts'],
  ['lib/server/quota/a.test.ts', 'components/ui/b.tsx'],
  ['lib/protocols/vcp/b.ts', 'lib/protocols/scan/c.ts'],
  ['lib/protocols/registry.ts', 'lib/protocols/xml-tag/index.ts'],
  ['lib/client/wiring/files.ts', 'lib/vfs/indexeddb/vfs.ts'],
  ['lib/server/wiring/b.ts', 'lib/server/store/sqlite/c.ts'],
  ['components/thread/a.tsx', '@assistant-ui/react'],
]

const folder = mkdtempSync(path.join(tmpdir(), 'nod-rules-'))
const found = new Map<string, readonly string[]>()
const isFile = (target: string) => /^(app|components|lib)\//.test(target)

beforeAll(async () => {
  const put = (file: string, text: string) => {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true })
    writeFileSync(path.join(folder, file), text, { flag: 'a' })
  }
  for (const name of ['react', '@assistant-ui/react', 'zod']) put(`node_modules/${name}/index.js`, 'export {}\n')
  for (const [from, to] of [...broken, ...allowed]) {
    put(from, `import '${isFile(to) ? `@/${to.replace(/\.tsx?$/, '')}` : to}'\n`)
    if (isFile(to) && !to.includes('nowhere')) put(to, 'export {}\n')
  }
  put('lib/base/one.ts', "import './two'\n")
  put('lib/base/two.ts', "import './one'\n")
  const { forbidden, options } = createRequire(import.meta.url)('../../.dependency-cruiser.cjs') as {
    forbidden: []
    options: object
  }
  const resolve = { alias: { '@': folder }, extensions: ['.ts', '.tsx', '.js'] }
  const { output } = await cruise(
    ['app', 'components', 'lib'],
    { ...options, baseDir: folder, ruleSet: { forbidden }, validate: true },
    resolve,
  )
  if (typeof output === 'string') throw new Error(output)
  for (const { from, rule } of output.summary.violations) {
    found.set(from, [...(found.get(from) ?? []), rule.name])
  }
})
afterAll(() => rmSync(folder, { recursive: true }))

it.each(broken)('%s may not import %s', (from, _, rule) => {
  expect(found.get(from)).toContain(rule)
})

it.each(allowed)('%s may import %s', (from) => {
  expect(found.get(from)).toBeUndefined()
})

it('finds files that need each other', () => {
  expect(found.get('lib/base/one.ts')).toContain('no-cycles')
})
