import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, it } from 'vitest'
import { groupTestFiles } from './group-files'

const sharing = {
  'pure.test.ts':
    "import { expect, it, vi } from 'vitest'\nit('adds', () => expect(1 + 1).toBe(2))\nconst told = vi.fn()",
  'waits.test.ts': "it('waits', () => vi.waitFor(() => expect(process.pid).toBeGreaterThan(0)))",
}
const alone = {
  'page.test.tsx': '// @vitest-environment jsdom\n',
  'stand-in.test.ts': "vi.mock('./clock')",
  'spy.test.ts': "vi.spyOn(console, 'warn')",
  'time.test.ts': 'vi.useFakeTimers()',
  'environment.test.ts': "process.env['NOD_LOG'] = 'json'",
  'global.test.ts': "Reflect.set(globalThis, 'x', 1)",
  'kept.test.ts': "setLanguage('zh-CN')",
}

it('shares a process between files that leave nothing behind, and isolates all others', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'nod-shared-'))
  try {
    for (const [name, text] of Object.entries({ ...sharing, ...alone })) writeFileSync(path.join(folder, name), text)
    const { shared, pages } = groupTestFiles(folder, ['*.test.{ts,tsx}'])
    expect(shared).toEqual(Object.keys(sharing))
    expect(pages).toEqual(['page.test.tsx'])
  } finally {
    rmSync(folder, { recursive: true })
  }
})
