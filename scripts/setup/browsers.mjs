import { existsSync } from 'node:fs'
import { ensureChromium, installBrowser } from './chromium.mjs'

const files = ['/usr/bin/firefox-esr', '/usr/bin/firefox', '/usr/lib/firefox/firefox']

/**
 * The path of a Firefox: FIREFOX_PATH or the system's; installs Debian's ESR if possible, otherwise throws with
 * instructions.
 */
async function ensureFirefox() {
  const named = process.env.FIREFOX_PATH
  if (named && !existsSync(named)) throw new Error(`FIREFOX_PATH is ${named}, but there is no such file.`)
  const find = () => named || files.find((file) => existsSync(file))
  return find() ?? installBrowser({ name: 'Firefox', package: 'firefox-esr', variable: 'FIREFOX_PATH', find })
}

const browsers = {
  chromium: async () => ({ CHROMIUM_PATH: await ensureChromium() }),
  firefox: async () => ({ FIREFOX_PATH: await ensureFirefox() }),
}

/**
 * The browser for the journeys: NOD_BROWSER, Chromium by default. Throws for an unknown one.
 * @returns {'chromium' | 'firefox'}
 */
export function readBrowser() {
  const name = process.env.NOD_BROWSER || 'chromium'
  if (!Object.hasOwn(browsers, name))
    throw new Error(`NOD_BROWSER is ${name}; it can be ${Object.keys(browsers).join(' or ')}.`)
  return name
}

/** Finds or installs the browser for the journeys; resolves to the variable with its path. */
export const ensureBrowser = async () => browsers[readBrowser()]()
