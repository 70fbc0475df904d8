import { beforeAll, expect, test } from 'vitest'
import { createMemoryVfs } from '@/lib/vfs/memory/memory-vfs'
import { buildSandboxFiles, bundlePrelude } from '@/scripts/build-sandbox.mjs'
import { differences } from '@/scripts/node-snippets/compare.mjs'
import { filesOfVfs, outcomeOf, runGuest } from '@/scripts/node-snippets/run-in-guest.mjs'
import { runInNode } from '@/scripts/node-snippets/run-in-node.mjs'
import { snippets } from '@/scripts/node-snippets/snippets.mjs'
import { createVfsBridge } from './vfs-bridge'

// Programs as models write them, in a real Node and in the sandbox's own worker script (in a thread; the browser suite
// runs the same in Chromium): the same value, the same lines, the same files.

let product: Parameters<typeof runGuest>[0]

beforeAll(async () => {
  const built: Readonly<Record<string, string>> = await buildSandboxFiles()
  const assets = Object.fromEntries(Object.entries(built).map(([path, text]) => [path.replace(/^.*\//, ''), text]))
  product = { prelude: await bundlePrelude(), assets, createBridge: createVfsBridge }
}, 60_000)

test.concurrent.each(snippets)('$name', { timeout: 30_000 }, async (snippet) => {
  const vfs = createMemoryVfs({ now: Date.now })
  for (const [path, content] of Object.entries(snippet.files ?? {}))
    await vfs.write(path, new TextEncoder().encode(content))
  const [node, ran] = await Promise.all([runInNode(snippet), runGuest(product, { code: snippet.code, vfs })])
  const guest = outcomeOf({ ...ran, files: await filesOfVfs(vfs) })
  expect(differences(node, guest, snippet)).toEqual([])
})
