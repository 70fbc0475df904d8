// docs/generated/screens.md: every screen of the screens journey, small enough for the repository.
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { chromium } from 'playwright-core'
import { chromiumFlags, ensureChromium } from '../../setup/chromium.mjs'

/** 0 to 1: letters stay sharp, and a screen has about 25 kB. */
const quality = 0.72

/** In the page's order; other pictures are left out. */
const screens = [
  ['empty', 'A new chat'],
  ['batch', 'Calls that wait'],
  ['done', 'A call that ran'],
  ['artifact', 'A page that runs beside the chat'],
  ['room-meter', 'What the next message sends'],
  ['picker', 'Model and call format'],
  ['models', 'Models of the browser'],
  ['palette', 'The command palette'],
  ['shortcuts', 'Keyboard shortcuts'],
  ['chat-settings-approval', 'Settings of a chat'],
  ['settings-general', 'Settings'],
  ['share', 'Sharing a chat'],
  ['shared', 'A shared chat, as its reader sees it'],
  ['import', 'Importing chats'],
  ['playground', 'The playground'],
  ['lab', 'The strategy lab'],
  ['account', 'An account'],
  ['admin', 'Administration'],
]

/** Shown on a phone only in some chats. */
const wideOnly = new Set(['room-meter'])
const looks = [
  ['light', 'light', ''],
  ['dark', 'dark', ''],
  ['phone', 'light', '-phone'],
]
const languages = [
  ['en', 'English'],
  ['zh-CN', '中文'],
]

const pictureOf = (screen, [, light, size], language) => `${screen}${size}-${light}-${language}`

/**
 * Compresses the pictures of `from` (PNG) into `into` (WebP), and returns the page that shows them.
 * @param {{ from: string, into: string, href: string }} folders `href`: of the pictures, from the page
 */
export async function screensPage({ from, into, href }) {
  const taken = new Set(await readdir(from))
  await rm(into, { recursive: true, force: true })
  await mkdir(into, { recursive: true })
  const browser = await chromium.launch({ executablePath: await ensureChromium(), args: chromiumFlags })
  try {
    const page = await browser.newPage()
    const lines = [
      '# Screens',
      '',
      'Made by `npm run generate -- screenshots`. Light, dark, and on a phone; in English and in Chinese.',
      '',
    ]
    for (const [screen, title] of screens) {
      lines.push(`## ${title}`, '')
      for (const [language, name] of languages) {
        const cells = []
        for (const look of looks) {
          if (look[0] === 'phone' && wideOnly.has(screen)) continue
          const picture = pictureOf(screen, look, language)
          if (!taken.has(`${picture}.png`)) throw new Error(`${picture}.png was not taken.`)
          const packed = await page.evaluate(pack, {
            data: (await readFile(`${from}/${picture}.png`)).toString('base64'),
            quality,
          })
          await writeFile(`${into}/${picture}.webp`, Buffer.from(packed, 'base64'))
          const width = look[0] === 'phone' ? 130 : 400
          cells.push(`<img src="${href}/${picture}.webp" width="${width}" alt="${title}, ${name}, ${look[0]}">`)
        }
        lines.push(...cells, '')
      }
    }
    return lines.join('\n')
  } finally {
    await browser.close()
  }
}

/** Runs in a page: converts a PNG to a WebP, both as base64. */
async function pack({ data, quality: wanted }) {
  const bitmap = await createImageBitmap(await (await fetch(`data:image/png;base64,${data}`)).blob())
  const canvas = new OffscreenCanvas(bitmap.width, bitmap.height)
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0)
  const bytes = new Uint8Array(
    await (await canvas.convertToBlob({ type: 'image/webp', quality: wanted })).arrayBuffer(),
  )
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
}
