// npm run bench -- import: a ChatGPT export of 500 MB (after `--`: another number of megabytes, and of chats) imported
// by a page in real Chromium: scanned as JSON, and as the zip that users get; then, from the JSON, `NOD_BENCH_TAKE`
// chats (500) stored. Prints the seconds, the peak memory of the page's process above the initial one, the longest
// block of the page's thread, and the number of progress updates. Exits with 1 if the page was blocked for 1 s, or took
// 1 GB.
import { mkdir, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { expect, type Page } from '@playwright/test'
import { watchMemory } from './import/renderer-memory'
import { writeExport, writeZip } from './import/write-export'
import { openBench } from './support/bench-nod'
import { withCleanups } from '../scripts/setup/cleanups.mjs'

const megabytes = Number(process.argv[2] ?? 500)
const chats = Number(process.argv[3] ?? megabytes * 10)
const toTake = Number(process.env['NOD_BENCH_TAKE'] || 500)
const stillMs = 1_000
const maxBytes = 1_000_000_000
/** Longer than any of it takes. */
const patienceMs = 30 * 60_000

interface Held {
  /** The longest time between two turns of the page's thread; milliseconds. */
  readonly longestMs: number
  /** Shown progress values. */
  readonly told: number
}

/** Runs in the page: counts its progress updates, and measures how long its thread is blocked. */
async function watchPage(page: Page): Promise<() => Promise<Held>> {
  await page.evaluate(() => {
    const seen = { longestMs: 0, told: new Set<string>(), timer: 0 }
    Object.assign(globalThis, { benchSeen: seen })
    let last = performance.now()
    // No named function here, because the transpiler marks names with a helper that the page doesn't have.
    seen.timer = window.setInterval(() => {
      const now = performance.now()
      seen.longestMs = Math.max(seen.longestMs, now - last)
      last = now
      const bar = document.querySelector('progress')
      if (bar) seen.told.add(`${bar.value}`)
    }, 5)
  })
  return () =>
    page.evaluate(() => {
      const { benchSeen } = globalThis as unknown as {
        readonly benchSeen: { longestMs: number; told: Set<string>; timer: number }
      }
      clearInterval(benchSeen.timer)
      return { longestMs: benchSeen.longestMs, told: benchSeen.told.size }
    })
}

let fails = false

async function measure(page: Page, what: string, work: () => Promise<void>): Promise<void> {
  const memory = watchMemory()
  const before = await memory.now()
  const held = await watchPage(page)
  const since = performance.now()
  await work()
  const seconds = (performance.now() - since) / 1_000
  const { longestMs, told } = await held()
  const most = (await memory.end()) - before
  fails ||= longestMs > stillMs || most > maxBytes
  console.log(
    `${what}: ${seconds.toFixed(1)} s, ${(most / 1e6).toFixed(0)} MB more than before at most, the page’s thread held up ${longestMs.toFixed(0)} ms at most, ${told} steps of progress shown`,
  )
}

async function openDialog(page: Page, origin: string) {
  await page.goto(origin)
  await page.getByRole('button', { name: 'Import a chat', exact: true }).click()
  return page.getByRole('dialog', { name: 'Import a chat' })
}

await withCleanups(async (cleanups) => {
  const { origin, browser } = await openBench(cleanups, 'bench-import', {})
  const folder = path.resolve('.cache/bench-import-files')
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  cleanups.add(() => rm(folder, { recursive: true, force: true }))
  const [json, zip] = [path.join(folder, 'conversations.json'), path.join(folder, 'export.zip')]
  const size = await writeExport(json, chats, megabytes * 1e6)
  await writeZip(zip, chats, megabytes * 1e6)
  const packed = (await stat(zip)).size
  console.log(`${chats} chats, ${(size / 1e6).toFixed(0)} MB of JSON, ${(packed / 1e6).toFixed(0)} MB as a zip`)
  for (const [what, file] of [
    ['zip, read through', zip],
    ['JSON, read through', json],
  ] as const) {
    // A new page, so that memory left by another one is not counted.
    const page = await (await browser.newContext()).newPage()
    const dialog = await openDialog(page, origin)
    const field = dialog.locator('input[type=file]')
    await measure(page, what, async () => {
      await field.setInputFiles(file)
      await expect(dialog.getByText(`${chats.toLocaleString('en')} chats of ChatGPT`)).toBeVisible({
        timeout: patienceMs,
      })
    })
    if (file === json && toTake > 0) {
      // The newest are first in the list and last in the file, so the whole file is read again.
      await dialog.getByRole('button', { name: 'None', exact: true }).click()
      const boxes = dialog.getByRole('group', { name: 'Chats, to be chosen' }).getByRole('checkbox')
      while ((await boxes.count()) < toTake && (await boxes.count()) < chats) {
        await dialog.getByRole('button', { name: /^Show more/ }).click()
      }
      await boxes.evaluateAll(
        (all, most) => all.slice(0, most).forEach((box) => (box as HTMLInputElement).click()),
        toTake,
      )
      const taken = Math.min(toTake, chats)
      await measure(page, `${taken} chats taken in`, async () => {
        await dialog.getByRole('button', { name: /^Import [\d,]+ chat/ }).click()
        await expect(dialog.getByText(`${taken.toLocaleString('en')} chats were imported.`)).toBeVisible({
          timeout: patienceMs,
        })
      })
    }
    await page.context().close()
  }
  process.exitCode = fails ? 1 : 0
})
