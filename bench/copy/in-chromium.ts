import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { chromium } from '@playwright/test'
import { build } from 'esbuild'
import { startApp } from '../../lib/sandbox/testing/browser-suite/servers.ts'
import { buildSandboxFiles } from '../../scripts/build-sandbox.mjs'
import { chromiumFlags, ensureChromium } from '../../scripts/setup/chromium.mjs'

interface Suite {
  readonly fill: (count: number) => Promise<void>
  readonly round: (name: string) => Promise<{ readonly open: number; readonly keep: number }>
}
interface InPage {
  readonly suite: Suite
}

/** Opens copies of `count` files in Chromium. */
export async function measureInChromium(count: number, rounds: number) {
  const root = path.resolve(import.meta.dirname, '../..')
  const bundle = await build({
    entryPoints: [path.join(root, 'bench/copy/page.ts')],
    absWorkingDir: root,
    tsconfig: path.join(root, 'tsconfig.json'),
    bundle: true,
    write: false,
    format: 'iife',
    platform: 'browser',
    target: 'es2024',
    define: { 'process.env.NOD_BASE_PATH': "''", 'process.env.NOD_FILES': "''" },
    logLevel: 'error',
  })
  const files = await buildSandboxFiles()
  const app = await startApp({
    '/suite.js': bundle.outputFiles[0]?.text ?? '',
    '/workers/vfs.js': files['public/workers/vfs.js'] ?? '',
  })
  const profile = await mkdtemp(path.join(tmpdir(), 'nod-bench-'))
  const executablePath = await ensureChromium()
  const context = await chromium.launchPersistentContext(profile, { executablePath, args: chromiumFlags })
  try {
    const page = await context.newPage()
    await page.goto(app.url)
    await page.waitForFunction(() => 'suite' in globalThis)
    await page.evaluate((given) => (globalThis as unknown as InPage).suite.fill(given), count)
    const times: { open: number; keep: number }[] = []
    for (let round = 0; round < rounds; round += 1) {
      times.push(await page.evaluate((name) => (globalThis as unknown as InPage).suite.round(name), `r${round}`))
    }
    return times
  } finally {
    await context.close()
    await app.close()
    await rm(profile, { recursive: true, force: true })
  }
}
