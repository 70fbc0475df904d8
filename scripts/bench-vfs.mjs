import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { chromium } from '@playwright/test'
import { build } from 'esbuild'
import { buildSandboxFiles } from './build-sandbox.mjs'
import { chromiumFlags, findChromium } from './browser-suite/find-chromium.mjs'
import { startApp } from './browser-suite/servers.mjs'

const root = path.resolve(import.meta.dirname, '..')
const rounds = Number(process.argv[2] ?? 3)
const only = process.argv[3] ?? ''
const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

const bundle = await build({
  entryPoints: [path.join(root, 'scripts/bench-vfs/page.ts')],
  absWorkingDir: root,
  tsconfig: path.join(root, 'tsconfig.json'),
  bundle: true,
  write: false,
  format: 'iife',
  platform: 'browser',
  target: 'es2024',
  logLevel: 'error',
  minify: true,
})
const files = await buildSandboxFiles()
const app = await startApp({
  '/suite.js': bundle.outputFiles[0].text,
  '/workers/vfs.js': files['public/workers/vfs.js'],
})
const profile = await mkdtemp(path.join(tmpdir(), 'nod-bench-'))
const context = await chromium.launchPersistentContext(profile, { executablePath: findChromium(), args: chromiumFlags })
try {
  const page = await context.newPage()
  page.on('console', (m) => console.log('page:', m.text()))
  page.on('pageerror', (e) => console.log('page error:', e))
  await page.goto(app.url)
  await page.waitForFunction(() => 'suite' in globalThis)
  const names = (await page.evaluate(() => globalThis.suite.names)).filter(({ name }) => only.split(',').some((one) => name.includes(one)))
  const all = {}
  for (let r = 0; r < rounds; r++) {
    for (const { name } of names) {
      if (r > 0 && name.startsWith('ZenFS, its own')) continue
      const got = await page.evaluate((n) => globalThis.suite.round(n), name)
      for (const [k, v] of Object.entries(got)) ((all[name] ??= {})[k] ??= []).push(v)
    }
  }
  for (const { name } of names)
    console.log(
      name.padEnd(45),
      Object.entries(all[name])
        .map(([k, v]) => `${k} ${median(v).toFixed(0)}`)
        .join('  '),
    )
  if (only === "Nod") for (const rec of [false, true, false, true])
    console.log(rec, await page.evaluate((n) => globalThis.suite.checkpoint(n), rec))
} finally {
  await context.close()
  await app.close()
  await rm(profile, { recursive: true, force: true })
}
