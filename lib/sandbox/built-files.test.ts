import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { inlineScriptHashes } from '@/lib/http/static-headers'
import { buildSandboxFiles } from '../../scripts/build-sandbox.mjs'

const root = path.resolve(import.meta.dirname, '../..')
const built: Readonly<Record<string, string>> = await buildSandboxFiles()

test.each(['public/sandbox.html', 'public/show.html'])(
  '%s is what the sources make; else run scripts/build-sandbox.mjs',
  async (name) => {
    expect(built[name] === (await readFile(path.join(root, name), 'utf8'))).toBe(true)
  },
)

test('building twice gives the same bytes', async () => {
  expect(await buildSandboxFiles()).toEqual(built)
})

test('each frame holds one inline script, which its hash stands for', () => {
  for (const name of ['public/sandbox.html', 'public/show.html']) {
    const html = built[name] ?? ''
    expect(html.replace(/<script>[\s\S]*<\/script>/, '')).not.toMatch(/\bon\w+=|src=|href=/i)
    expect(inlineScriptHashes(html)).toEqual([expect.stringMatching(/^'sha256-[A-Za-z0-9+/]{43}='$/)])
  }
})
