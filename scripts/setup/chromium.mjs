import { existsSync } from 'node:fs'
import { runQuiet } from './run.mjs'

const known = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/snap/bin/chromium',
]

/** Chromium without a GPU, a sandbox of its own (root in containers), or chatter of its own on the network. */
export const chromiumFlags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/**
 * Path of a Chromium: CHROMIUM_PATH, Playwright's own, or the system's; undefined when there is none. Throws when
 * CHROMIUM_PATH names no file: whoever set it means that one.
 */
export async function findChromium(env = process.env) {
  if (env.CHROMIUM_PATH) {
    if (existsSync(env.CHROMIUM_PATH)) return env.CHROMIUM_PATH
    throw new Error(`CHROMIUM_PATH is ${env.CHROMIUM_PATH}, but there is no such file.`)
  }
  const { chromium } = await import('@playwright/test')
  return [chromium.executablePath(), ...known].find((file) => file && existsSync(file))
}

const missing =
  'This needs Chromium and none was found. Install it (Debian: apt-get install chromium), ' +
  'or set CHROMIUM_PATH to the browser’s file, and run it again.'

/** Finds a Chromium for tests and benches, installs Debian's when it may, else throws what to do. */
export async function ensureChromium() {
  const found = await findChromium()
  if (found) return found
  const mayInstall = process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')
  if (mayInstall) {
    console.log('Installing Chromium from the system’s packages …')
    const env = { DEBIAN_FRONTEND: 'noninteractive' }
    await runQuiet('apt-get', ['update'], { env })
    await runQuiet('apt-get', ['install', '-y', '--no-install-recommends', 'chromium'], { env })
    const installed = await findChromium()
    if (installed) return installed
  }
  throw new Error(missing)
}
