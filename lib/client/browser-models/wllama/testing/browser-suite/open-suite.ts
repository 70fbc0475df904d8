import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Page } from '@playwright/test'
import { writeSandboxFiles } from '@/scripts/build-sandbox.mjs'
import { createCleanups } from '@/scripts/setup/cleanups.mjs'
import { bundleSuitePage, openSuiteBrowser, openSuitePage } from '@/scripts/setup/suite-page.mjs'
import { startApp, startWeightsServer } from './servers'

type Cleanups = ReturnType<typeof createCleanups>

export interface ModelSuite {
  /** The folder with the files of the weights' server. */
  readonly folder: string
  readonly weights: Awaited<ReturnType<typeof startWeightsServer>>
  readonly newPage: () => Promise<Page>
  readonly close: () => Promise<void>
}

/**
 * Opens a browser with the suite's page under the product's policies, and a weights server that its worker may reach.
 */
export async function openModelSuite(): Promise<ModelSuite> {
  const cleanups = createCleanups()
  try {
    return await start(cleanups)
  } catch (error) {
    await cleanups.close().catch(() => {})
    throw error
  }
}

async function start(cleanups: Cleanups): Promise<ModelSuite> {
  await writeSandboxFiles()
  const folder = await mkdtemp(path.join(tmpdir(), 'nod-weights-'))
  cleanups.add(() => rm(folder, { recursive: true, force: true }))
  const weights = await startWeightsServer(folder)
  cleanups.add(() => weights.close())
  const app = await startApp({
    hosts: [weights.url],
    pageScript: await bundleSuitePage(import.meta.dirname),
  })
  cleanups.add(() => app.close())
  const context = await openSuiteBrowser(cleanups)
  const newPage = () => openSuitePage(context, app.url, 'modelSuite')
  return { folder, weights, newPage, close: cleanups.close }
}
