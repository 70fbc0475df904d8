import { existsSync } from 'node:fs'
import { runQuiet } from './run.mjs'

const known = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/snap/bin/chromium',
]

/** Chromium without a GPU, its own sandbox (root in containers), or its own network requests. */
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
 * The path of a Chromium: CHROMIUM_PATH, Playwright's own, or the system's; undefined if there is none. Throws if
 * CHROMIUM_PATH names no file, because then that one is wanted.
 */
export async function findChromium(env = process.env) {
  if (env.CHROMIUM_PATH) {
    if (existsSync(env.CHROMIUM_PATH)) return env.CHROMIUM_PATH
    throw new Error(`CHROMIUM_PATH is ${env.CHROMIUM_PATH}, but there is no such file.`)
  }
  const { chromium } = await import('@playwright/test')
  return [chromium.executablePath(), ...known].find((file) => file && existsSync(file))
}

/** Finds a Chromium for tests and benches, installs Debian's if possible, otherwise throws with instructions. */
export async function ensureChromium() {
  const found = await findChromium()
  return (
    found ?? installBrowser({ name: 'Chromium', package: 'chromium', variable: 'CHROMIUM_PATH', find: findChromium })
  )
}

/**
 * Installs a browser with Debian's packages if possible; resolves to what `find` then finds. Throws with instructions
 * if it finds nothing.
 * @param {{ name: string, package: string, variable: string, find: () => string | undefined | Promise<string | undefined> }} options
 * @returns {Promise<string>}
 */
export async function installBrowser({ name, package: packageName, variable, find }) {
  const mayInstall = process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')
  if (mayInstall) {
    console.log(`Installing ${name} from the system’s packages …`)
    const env = { DEBIAN_FRONTEND: 'noninteractive' }
    await runQuiet('apt-get', ['update'], { env })
    await runQuiet('apt-get', ['install', '-y', '--no-install-recommends', packageName], { env })
    const installed = await find()
    if (installed) return installed
  }
  throw new Error(
    `This needs ${name} and none was found. Install it (Debian: apt-get install ${packageName}), ` +
      `or set ${variable} to the browser’s file, and run it again.`,
  )
}
