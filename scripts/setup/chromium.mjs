import { existsSync } from 'node:fs'
import { runQuiet } from './run.mjs'

const known = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
]

async function find() {
  if (process.env.CHROMIUM_PATH) return process.env.CHROMIUM_PATH
  const { chromium } = await import('@playwright/test')
  return [chromium.executablePath(), ...known].find((file) => file && existsSync(file))
}

/** Finds a Chromium for the browser tests, installs Debian's when it may, else says what to do. */
export async function ensureChromium() {
  const found = await find()
  if (found) return found
  const mayInstall = process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')
  if (mayInstall) {
    console.log('Installing Chromium from the system’s packages …')
    const env = { DEBIAN_FRONTEND: 'noninteractive' }
    await runQuiet('apt-get', ['update'], { env })
    await runQuiet('apt-get', ['install', '-y', '--no-install-recommends', 'chromium'], { env })
    const installed = await find()
    if (installed) return installed
  }
  console.error(
    'The browser tests need Chromium and none was found. Install it (Debian: apt-get install chromium), ' +
      'or set CHROMIUM_PATH to the browser’s file, and run the tests again.',
  )
  process.exit(1)
}
