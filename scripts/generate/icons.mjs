// npm run generate -- icons: makes the installed app's icons (public/icons) from app/icon.svg. They are committed, so
// that a build needs no browser.
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { chromium } from 'playwright-core'
import { chromiumFlags, ensureChromium } from '../setup/chromium.mjs'
import { inRoot } from '../setup/paths.mjs'
import { withCleanups } from '../setup/cleanups.mjs'

const svg = await readFile(inRoot('app/icon.svg'), 'utf8')
const ground = /<rect[^>]*fill="([^"]+)"/.exec(svg)?.[1] ?? '#fff'

/** `whole`: the background fills the whole square, and the logo is within the center that every mask keeps. */
const pictures = [
  { file: 'icon-192.png', size: 192 },
  { file: 'icon-512.png', size: 512 },
  { file: 'maskable-192.png', size: 192, whole: true },
  { file: 'maskable-512.png', size: 512, whole: true },
  { file: 'apple-180.png', size: 180, whole: true },
]

await withCleanups(async (cleanups) => {
  const browser = await chromium.launch({ executablePath: await ensureChromium(), args: chromiumFlags })
  cleanups.add(() => browser.close())
  await mkdir(inRoot('public/icons'), { recursive: true })
  for (const { file, size, whole = false } of pictures) {
    const page = await browser.newPage({ viewport: { width: size, height: size } })
    const drawn = whole
      ? svg.replace(/rx="\d+"/, 'rx="0"').replace('viewBox="0 0 32 32"', 'viewBox="-2 -2 36 36"')
      : svg
    const style = `margin:0;background:${whole ? ground : 'transparent'}`
    await page.setContent(
      `<body style="${style}">${drawn.replace('<svg ', `<svg style="display:block" width="${size}" height="${size}" `)}`,
    )
    await writeFile(inRoot(`public/icons/${file}`), await page.screenshot({ omitBackground: !whole }))
    await page.close()
  }
})
