// npm run size: the JavaScript of `/`, gzipped, from an isolated build (without the playground, whose shared chunks
// would be counted for everyone): what the page names at first, everything that a browser loaded, and every part that
// loads on demand, with its content and who imports it. `-- --write` stores it as docs/generated/size.md. `npm run size
// -- parts` lists the modules of the first load in a few seconds.
import { cp, mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { buildSandbox } from './setup/build.mjs'
import { chromiumFlags, ensureChromium } from './setup/chromium.mjs'
import { withCleanups } from './setup/cleanups.mjs'
import { freePorts } from './setup/free-ports.mjs'
import { ensureInstalled } from './setup/install.mjs'
import { inRoot, serverEntry } from './setup/paths.mjs'
import { orExit, runQuiet, start } from './setup/run.mjs'
import { untilUp } from './setup/until-up.mjs'
import { hostFiles } from './release/contents.mjs'
import { buildParts, takeMaps } from './size/build-parts.mjs'
import { partLine, sizePage, sizeTables } from './size/size-page.mjs'

const firstLoadKb = 215
/** Code preloaded for the first message counts too, so that nothing is hidden behind the first load. */
const fetchedKb = 400
const fetchedAfterMs = 4_000
/** All bytes of a first visit without interaction: compressed as the server does, with headers. */
const visitKb = 330
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
if (process.argv[2] === 'parts') {
  await import('./size/parts.mjs')
  process.exit()
}
await buildSandbox()
await rm(isolated, { recursive: true, force: true })
await mkdir(isolated, { recursive: true })
const isProduct = (file) => !/\.(test|contract)\.tsx?$|\/testing(\/|$)|\/cases\.ts$/.test(file)
for (const name of [...sources, ...hostFiles])
  await cp(inRoot(name), `${isolated}/${name}`, { recursive: true, filter: isProduct })
// A font is named by its file, relative to the pages.
const fonts = 'node_modules/@fontsource-variable'
await cp(inRoot(fonts), `${isolated}/${fonts}`, { recursive: true })
await rm(`${isolated}/app/(pages)/playground`, { recursive: true, force: true })
// A chunk's source map says what it contains.
await rename(`${isolated}/next.config.ts`, `${isolated}/product.config.ts`)
await writeFile(
  `${isolated}/next.config.ts`,
  "import config from './product.config'\n\nexport default { ...config, productionBrowserSourceMaps: true }\n",
)
orExit(await runQuiet('next', ['build'], { cwd: isolated }), 'The isolated build failed; see above.')
await takeMaps(isolated)
orExit(
  await runQuiet('node', ['scripts/release.mjs', isolated]),
  'The isolated build could not be put together; see above.',
)

await withCleanups(async (cleanups) => {
  const port = await freePorts(4600, 1)
  const env = { NOD_DATA_DIR: `${isolated}/.data`, NOD_OLLAMA: 'off', HOST: '127.0.0.1', PORT: String(port) }
  const { child, exited } = start('node', [serverEntry(isolated)], { env, stdio: ['ignore', 'ignore', 'inherit'] })
  cleanups.add(() => child.kill() && exited)
  const origin = `http://127.0.0.1:${port}`
  const page = await untilUp(`${origin}/`)
  const html = await page.text()
  const named = [...html.matchAll(/<script[^>]*\ssrc="([^"]+)"[^>]*>/g)].filter((m) => !/\snomodule/i.test(m[0]))
  const first = new Set(named.map((m) => new URL(m[1], origin).href))
  const fetched = new Set([...first, ...(await fetchedByBrowser(origin))])

  const tables = sizeTables(await buildParts(isolated), { first: namesOf(first), fetched: namesOf(fetched) })
  for (const table of tables) {
    console.log(`\n${table.title}`)
    for (const part of table.parts) console.log(partLine(part))
  }
  const [atFirst, later] = tables
  const budgets = [
    { what: 'first-load JavaScript of /, gzipped', bytes: sumOf(atFirst), limitKb: firstLoadKb },
    {
      what: `JavaScript that / has fetched ${fetchedAfterMs / 1_000} s after the first key press, gzipped`,
      bytes: sumOf(atFirst) + sumOf(later),
      limitKb: fetchedKb,
    },
    { what: 'over the wire for a first visit of /, all kinds', bytes: await visitByBrowser(origin), limitKb: visitKb },
  ]
  console.log()
  for (const { what, bytes, limitKb } of budgets) console.log(`${inKb(bytes)} kB  ${what} (limit ${limitKb} kB)`)
  if (process.argv.includes('--write')) {
    await writeFile(inRoot('docs/generated/size.md'), sizePage(budgets, tables))
    orExit(
      await runQuiet('oxfmt', ['docs/generated/size.md']),
      'docs/generated/size.md could not be formatted; see above.',
    )
  }
  const kept = budgets.map(({ bytes, limitKb }) => bytes / 1000 <= limitKb)
  process.exitCode = kept.every(Boolean) ? 0 : 1
})

/** The addresses of all scripts, workers' too, that opening `/` loads by itself in the given time. */
async function fetchedByBrowser(origin) {
  const { chromium } = await import('@playwright/test')
  const browser = await chromium.launch({ executablePath: await ensureChromium(), args: chromiumFlags })
  try {
    const context = await browser.newContext()
    const addresses = new Set()
    context.on('response', (response) => {
      if (/javascript/.test(response.headers()['content-type'] ?? '')) addresses.add(response.url())
    })
    const page = await context.newPage()
    await page.goto(`${origin}/`)
    // The code that shows messages loads on the first user interaction, once the page listens.
    await page.getByRole('textbox', { name: 'Message' }).fill('a')
    await page.keyboard.press('Backspace')
    await page.waitForTimeout(fetchedAfterMs)
    return addresses
  } finally {
    await browser.close()
  }
}

/** Bytes of all responses of a visit, as the browser counts them. */
async function visitByBrowser(origin) {
  const { chromium } = await import('@playwright/test')
  const browser = await chromium.launch({ executablePath: await ensureChromium(), args: chromiumFlags })
  try {
    const page = await browser.newPage()
    const session = await page.context().newCDPSession(page)
    let bytes = 0
    session.on('Network.loadingFinished', ({ encodedDataLength }) => {
      bytes += encodedDataLength
    })
    await session.send('Network.enable')
    await page.goto(`${origin}/`)
    await page.waitForTimeout(fetchedAfterMs)
    return bytes
  } finally {
    await browser.close()
  }
}

function namesOf(addresses) {
  return new Set([...addresses].map((address) => new URL(address).pathname.split('/').pop()))
}

function sumOf({ parts }) {
  return parts.reduce((sum, { gz }) => sum + gz, 0)
}

function inKb(bytes) {
  return (bytes / 1000).toFixed(1).padStart(7)
}
