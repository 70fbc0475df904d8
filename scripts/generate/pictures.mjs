// npm run generate -- pictures DIR [FILES]: takes every screen and state of the look journeys, in light, dark, forced
// colors, print, tall, narrow and low windows, on a phone and in Chinese, into DIR.
// npm run generate -- pictures --compare A B: prints for each picture how many pixels differ, and writes the
// differences to B/differences.
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import core from 'playwright-core/lib/coreBundle'
import { orExit, run } from '../setup/run.mjs'

const journeys =
  `look approval-look approval-dialog artifacts asks browser-models cards exact finding forged keyboard model-picker paste presets
  reading room screens sharing workspace-files workspace-panel workspace-undo`
    .split(/\s+/)
    .map((name) => `e2e/${name}.spec.ts`)
    .concat('e2e/pictures')

/** How far two colors may differ (0 to 1) before a pixel counts: rounding alone stays below it. */
const threshold = 0.02

async function take(folder, files) {
  await mkdir(folder, { recursive: true })
  process.env.NOD_PICTURES = path.resolve(folder)
  orExit(await run('node', ['scripts/test.mjs', 'e2e', ...(files.length ? files : journeys)]), 'Not all were taken.')
}

async function compare(before, after) {
  const differ = core.utils.getComparator('image/png')
  const out = path.join(after, 'differences')
  await rm(out, { recursive: true, force: true })
  const names = async (folder) => (await readdir(folder)).filter((name) => name.endsWith('.png'))
  const [old, now] = [await names(before), await names(after)]
  let changed = 0
  for (const name of old.filter((one) => now.includes(one))) {
    const [a, b] = [await readFile(path.join(before, name)), await readFile(path.join(after, name))]
    const found = a.equals(b) ? null : differ(b, a, { threshold, maxDiffPixels: 0 })
    if (!found) continue
    changed += 1
    console.log(`${name}: ${found.errorMessage.trim().split('\n')[0]}`)
    await mkdir(out, { recursive: true })
    if (found.diff) await writeFile(path.join(out, name), found.diff)
  }
  for (const name of old.filter((one) => !now.includes(one))) console.log(`${name}: only in ${before}`)
  for (const name of now.filter((one) => !old.includes(one))) console.log(`${name}: only in ${after}`)
  console.log(`${changed} of ${old.length} pictures differ`)
}

const [first, ...rest] = process.argv.slice(2)
if (first === '--compare' && rest.length === 2) await compare(rest[0], rest[1])
else if (first && !first.startsWith('-')) await take(first, rest)
else
  orExit(2, 'Say `npm run generate -- pictures DIR [FILES]` or `npm run generate -- pictures --compare BEFORE AFTER`.')
