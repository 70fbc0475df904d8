// npm run size: the JavaScript that `/` loads first, gzipped, from an isolated build (the chat and its API alone:
// chunks shared with other routes would be counted to whoever loads them).
import { cp, mkdir, rm } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'
import { buildSandbox } from './setup/build.mjs'
import { withCleanups } from './setup/cleanups.mjs'
import { freePorts } from './setup/free-ports.mjs'
import { ensureInstalled } from './setup/install.mjs'
import { inRoot } from './setup/paths.mjs'
import { orExit, runQuiet, start } from './setup/run.mjs'
import { untilUp } from './setup/until-up.mjs'

const limitKb = 215
// Inside the project, so that packages resolve upwards to the one node_modules.
const isolated = inRoot('.cache/size')
const sources = [
  'app',
  'components',
  'lib',
  'public',
  'next.config.ts',
  'postcss.config.mjs',
  'proxy.ts',
  'instrumentation.ts',
  'tsconfig.json',
  'package.json',
]

await ensureInstalled()
await buildSandbox()
await rm(isolated, { recursive: true, force: true })
await mkdir(isolated, { recursive: true })
const isProduct = (file) => !/\.(test|contract)\.tsx?$|\/testing(\/|$)|\/cases\.ts$/.test(file)
for (const name of sources) await cp(inRoot(name), `${isolated}/${name}`, { recursive: true, filter: isProduct })
await rm(`${isolated}/app/playground`, { recursive: true, force: true })
orExit(await runQuiet('next', ['build'], { cwd: isolated }), 'The isolated build failed; see above.')

await withCleanups(async (cleanups) => {
  const port = await freePorts(4600, 1)
  const env = { NOD_DATA_DIR: `${isolated}/.data`, NOD_OLLAMA: 'off' }
  const args = [inRoot('node_modules/next/dist/bin/next'), 'start', '-H', '127.0.0.1', '-p', String(port)]
  const { child, exited } = start('node', args, { cwd: isolated, env, stdio: ['ignore', 'ignore', 'inherit'] })
  cleanups.add(() => child.kill() && exited)
  const page = await untilUp(`http://127.0.0.1:${port}/`)
  const html = await page.text()
  const scripts = [...html.matchAll(/<script[^>]*\ssrc="([^"]+)"[^>]*>/g)].filter((m) => !/\snomodule/i.test(m[0]))
  let total = 0
  const rows = []
  for (const source of new Set(scripts.map((m) => m[1]))) {
    const body = Buffer.from(await (await fetch(`http://127.0.0.1:${port}${source}`)).arrayBuffer())
    const gz = gzipSync(body, { level: 9 }).length
    total += gz
    rows.push([source.split('/').pop(), body.length, gz])
  }
  for (const [name, raw, gz] of rows.toSorted((a, b) => b[2] - a[2])) {
    console.log(`${(gz / 1000).toFixed(1).padStart(7)} kB gz ${(raw / 1000).toFixed(1).padStart(8)} kB  ${name}`)
  }
  const kb = total / 1000
  console.log(`${kb.toFixed(1).padStart(7)} kB gz  first-load JavaScript of / (limit ${limitKb} kB)`)
  process.exitCode = kb <= limitKb ? 0 : 1
})
