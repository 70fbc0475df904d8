import { existsSync } from 'node:fs'
import { chromium } from '@playwright/test'

const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome', '/snap/bin/chromium']

/** Path of a Chromium: CHROMIUM_PATH, Playwright's own, or the system's. Throws with the way out when there is none. */
export function findChromium(env = process.env) {
  if (env.CHROMIUM_PATH) {
    if (existsSync(env.CHROMIUM_PATH)) return env.CHROMIUM_PATH
    throw new Error(`CHROMIUM_PATH is ${env.CHROMIUM_PATH}, but there is no such file.`)
  }
  const found = [chromium.executablePath(), ...places].find((place) => place !== '' && existsSync(place))
  if (found !== undefined) return found
  throw new Error('No Chromium was found. Run `npx playwright install chromium`, or set CHROMIUM_PATH.')
}

export const chromiumFlags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]
