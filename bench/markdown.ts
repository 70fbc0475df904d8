// npm run bench -- markdown: replies of hostile and of ordinary shapes, opened in real Chromium: the longest task of
// the main thread, and the total CPU time. Exits with 1 if a shape blocks it for more than 100 ms of CPU time at once.
import '@/lib/i18n/server-messages'
import type { Page } from '@playwright/test'
import { hostileShapes } from '../components/markdown/testing/hostile-shapes'
import { seedReply } from './markdown/seed'
import { longestTask } from './markdown/longest-task'
import { openBench } from './support/bench-nod'
import { withCleanups } from '../scripts/setup/cleanups.mjs'

const limitMs = 100
const sizes = (process.argv[2] ?? '60000').split(',').map(Number)
const only = process.argv[3]

const ordinary: Readonly<Record<string, (length: number) => string>> = {
  'a word': (length) => 'word'.slice(0, length),
  'ordinary prose': (length) =>
    'Some **words** of `a reply`, with [a link](https://example.org).\n\n'.repeat(length / 64),
  'a table of a report': (length) =>
    `| a | b | c |\n|---|---|---|\n${'| some words | 12.5 | more |\n'.repeat(length / 28)}`,
  'a long list': (length) => '- an item with `code` and **bold** words\n'.repeat(length / 41),
  'a long file': (length) => `\`\`\`js\n${'const x = { a: 1, b: [1, 2, 3] } // comment\n'.repeat(length / 44)}\`\`\``,
}

async function ownerOf(page: Page, origin: string): Promise<string> {
  await page.goto(origin)
  const cookie = (await page.context().cookies()).find((one) => one.httpOnly)
  const claims = JSON.parse(Buffer.from(cookie?.value.split('.')[1] ?? '', 'base64url').toString()) as { sub: string }
  return claims.sub
}

let worst = 0
await withCleanups(async (cleanups) => {
  const { origin, folder, browser } = await openBench(cleanups, 'bench-markdown', {})
  const context = await browser.newContext()
  const owner = await ownerOf(await context.newPage(), origin)
  console.log('characters  longest task, CPU ms  all CPU ms  shape')
  for (const [name, make] of Object.entries({ ...ordinary, ...hostileShapes })) {
    if (only !== undefined && !name.includes(only)) continue
    for (const size of sizes) {
      const id = await seedReply(`${folder}/nod.sqlite`, owner, make(size))
      const { longestMs, allMs, shown } = await longestTask(await context.newPage(), `${origin}/c/${id}`)
      worst = Math.max(worst, longestMs)
      const figures = [size, longestMs.toFixed(0), allMs.toFixed(0)].map((figure) => String(figure).padStart(10))
      console.log(`${figures.join('  ')}  ${name}${shown ? '' : ' (NOT SHOWN)'}`)
    }
  }
})
process.exitCode = worst <= limitMs ? 0 : 1
