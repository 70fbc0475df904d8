import { mkdir, rm } from 'node:fs/promises'
import { chromium, type Browser } from '@playwright/test'
import { startNod } from '../../e2e/support/start-nod'
import { ensureBuilt } from '../../scripts/setup/build.mjs'
import { chromiumFlags, ensureChromium } from '../../scripts/setup/chromium.mjs'
import type { Cleanups } from '../../scripts/setup/cleanups.mjs'
import { freePorts } from '../../scripts/setup/free-ports.mjs'

export interface BenchNod {
  /** `http://localhost:PORT` of a server on its own port. */
  readonly origin: string
  /** Its data, empty at the start; SQLite's file is `nod.sqlite`. */
  readonly folder: string
  readonly browser: Browser
}

/**
 * The production build of the current sources, on a free port with empty data, and a Chromium found as the tests find
 * it. `cleanups` ends both.
 */
export async function openBench(cleanups: Cleanups, name: string, env: Record<string, string>): Promise<BenchNod> {
  const executablePath = await ensureChromium()
  await ensureBuilt()
  const folder = `.cache/${name}`
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  const port = await freePorts(4400, 1)
  const server = await startNod({ port, dataDir: folder, env })
  cleanups.add(() => server.kill())
  const browser = await chromium.launch({ executablePath, args: chromiumFlags })
  cleanups.add(() => browser.close())
  return { origin: `http://localhost:${port}`, folder, browser }
}
